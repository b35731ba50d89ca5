// The story of a verdict in words: lines that were broken for a terminal are put together again, tables stay as they are.

export function Story({ text }: { text: string }) {
  return <div class="player-words">{partsOf(text).map((part) => (part.kind === "table" ? <pre tabindex={0}>{part.lines.join("\n")}</pre> : part.kind === "title" ? <h4>{part.lines[0]}</h4> : <Paragraph lines={part.lines} />))}</div>;
}

interface Part { kind: "table" | "title" | "words"; lines: string[] }

function partsOf(text: string): Part[] {
  // What the command line could do more is not for those who read a page.
  const blocks = text.trim().split(/\n{2,}/).map((block) => block.split("\n").filter((line) => !/^\s*\(--\w/.test(line))).filter((lines) => lines.length > 0);
  return blocks.map((lines, index) => {
    if (lines.some((line) => /\S {3,}\S|^ +\d+ {2}\S/.test(line))) return { kind: "table", lines };
    const isTitle = lines.length === 1 && !/[.:]$/.test(lines[0]!) && blocks[index + 1]?.[0]?.startsWith("  ");
    return isTitle ? { kind: "title", lines } : { kind: "words", lines: joined(lines) };
  });
}

/** A line is broken where the next word would go beyond so many letters. */
const WIDTH = 74;

/** Two spaces begin something new below a sentence; four go on with it, and so does what follows a full line. */
function joined(lines: readonly string[]): string[] {
  const whole: string[] = [];
  let before = "";
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    const last = whole.length - 1;
    const isFull = before.length + 1 + line.trimStart().split(" ", 1)[0]!.length > WIDTH;
    const goesOn = last >= 0 && (indent >= 4 || (isFull && (indent === 0 ? !whole[last]!.startsWith("  ") : !/^ |[.:]$/.test(before))));
    before = line;
    if (goesOn) whole[last] += ` ${line.trim()}`;
    else whole.push(indent ? `  ${line.trim()}` : line);
  }
  return whole;
}

function Paragraph({ lines }: { lines: readonly string[] }) {
  return <>{lines.map((line) => <p class={line.startsWith("  ") ? "is-part" : ""}>{line.trim()}</p>)}</>;
}
