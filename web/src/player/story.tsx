// The story of a verdict in words: lines that were broken for a terminal are put together again, tables stay as they are.

export function Story({ text }: { text: string }) {
  return <div class="player-words">{partsOf(text).map((part) => (part.isTable ? <pre tabindex={0}>{part.lines.join("\n")}</pre> : <Paragraph lines={part.lines} />))}</div>;
}

interface Part { isTable: boolean; lines: string[] }

function partsOf(text: string): Part[] {
  return text.trim().split(/\n{2,}/).map((block) => {
    const lines = block.split("\n");
    return lines.some((line) => /\S {3,}\S/.test(line)) ? { isTable: true, lines } : { isTable: false, lines: joined(lines) };
  });
}

/** Two spaces begin something new below a sentence; four go on with it. */
function joined(lines: readonly string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    const last = whole.length - 1;
    const goesOn = last >= 0 && (indent >= 4 || (indent === 0 && !whole[last]!.startsWith("  ")));
    if (goesOn) whole[last] += ` ${line.trim()}`;
    else whole.push(indent ? `  ${line.trim()}` : line);
  }
  return whole;
}

function Paragraph({ lines }: { lines: readonly string[] }) {
  return <>{lines.map((line) => <p class={line.startsWith("  ") ? "is-part" : ""}>{line.trim()}</p>)}</>;
}
