export function TextPane() {
  return <div />;
}
