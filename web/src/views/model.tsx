export function ModelPane() {
  return <div />;
}
