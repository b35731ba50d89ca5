export function VerdictsPane() {
  return <div />;
}
