// The difference between two texts, line by line.

export interface Line { kind: "same" | "theirs" | "mine"; text: string }
/** More than this is compared roughly: what is in between the common beginning and end is all different. */
const MOST_CELLS = 4_000_000;

export function difference(theirs: string, mine: string): Line[] {
  const old = theirs.split("\n"), now = mine.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ kind: "same", text }));
  return [...same(old.slice(0, start)), ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)), ...same(old.slice(old.length - end))];
}

function middle(old: string[], now: string[]): Line[] {
  const theirs = old.map((text): Line => ({ kind: "theirs", text })), mine = now.map((text): Line => ({ kind: "mine", text }));
  if (old.length * now.length > MOST_CELLS) return [...theirs, ...mine];
  const wide = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * wide);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i * wide + j] = old[i] === now[j] ? longest[(i + 1) * wide + j + 1]! + 1 : Math.max(longest[(i + 1) * wide + j]!, longest[i * wide + j + 1]!);
    }
  }
  const found: Line[] = [];
  let i = 0, j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) { found.push({ kind: "same", text: old[i]! }); i++; j++; }
    else if (longest[(i + 1) * wide + j]! >= longest[i * wide + j + 1]!) found.push(theirs[i++]!);
    else found.push(mine[j++]!);
  }
  return [...found, ...theirs.slice(i), ...mine.slice(j)];
}

/** Only lines near a difference; null stands for lines that are left out. */
export function near(lines: readonly Line[], around = 3): (Line | null)[] {
  const isNear = lines.map(() => false);
  lines.forEach((line, at) => {
    if (line.kind !== "same") for (let i = Math.max(0, at - around); i <= Math.min(lines.length - 1, at + around); i++) isNear[i] = true;
  });
  const found: (Line | null)[] = [];
  lines.forEach((line, at) => {
    if (isNear[at]) found.push(line);
    else if (found[found.length - 1] !== null) found.push(null);
  });
  return found;
}
