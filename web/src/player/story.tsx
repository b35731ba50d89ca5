// The story of a verdict, in words as they came.

export function Story({ text }: { text: string }) {
  const parts = text.trim().split(/\n{2,}/);
  return <div class="story">{parts.map((part) => <p>{part}</p>)}</div>;
}
