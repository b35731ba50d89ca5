export function RunPane() {
  return <div />;
}
