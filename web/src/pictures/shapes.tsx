// The parts of a picture: boxes with lines of text, arrows, words beside them, and links between what looks the same.
// Where everything is comes from the server; here it only gets its clothes.

import type { Arrow, Box, Drawing } from "../protocol";

// As in gnomon/results/drawing/measure.py.
const ROW = 15;
const PAD = 8;
const SMALL = 6.1;
const SMALL_ROW = 12;
const CHIP_PAD = 4;
const CHIP_GAP = 5;
const WIDE = 34 * 6.7;
const CHIP_COLOURS = 10;

function styleOf(line: string): string {
  const sign = line[0];
  if (sign === "⊨" || sign === "✓") return "holds";
  return sign === "✗" ? "fails" : "value";
}

/** What is said of a box where it cannot be seen. */
export function boxName(box: Box): string {
  const kinds = { plain: "", goal: ", goal", lost: ", lost", stuck: ", no step leads on" };
  const looks = box.looks.map((look) => `looks to ${look.agent} like class ${look.number}`).join(", ");
  const many = box.states > 1 ? `, ${box.states} states` : "";
  return [`${box.title}${box.initial ? ", initial" : ""}${kinds[box.kind]}${many}`, ...box.lines, looks].filter(Boolean).join("; ");
}

export function BoxShape({ box }: { box: Box }) {
  const classes = ["pic-box", box.initial ? "initial" : "", box.kind === "plain" ? "" : box.kind, box.states > 1 ? "many" : ""].filter(Boolean).join(" ");
  return (
    <g class={classes} data-box={box.number} role="button" tabindex={-1} aria-label={boxName(box)} transform={`translate(${box.x} ${box.y})`}>
      {box.states > 1 && <rect class="behind" x={3} y={3} width={box.width} height={box.height} rx={7} />}
      <rect class="face" width={box.width} height={box.height} rx={7} />
      {box.initial && <path class="enter" d={`M-11 ${box.height / 2 - 6} L-2 ${box.height / 2} L-11 ${box.height / 2 + 6} z`} />}
      <text class="title" x={PAD} y={PAD + 9}>{box.title}</text>
      {box.lines.map((line, index) => <text class={styleOf(line)} x={PAD} y={PAD + ROW * (index + 1) + 9}>{line}</text>)}
      <Chips box={box} />
    </g>
  );
}

function Chips({ box }: { box: Box }) {
  if (!box.looks.length) return null;
  const rows: { agent: string; number: number; width: number; x: number }[][] = [];
  let used = 0;
  for (const look of box.looks) {
    const width = `≈ ${look.agent} ${look.number}`.length * SMALL + 2 * CHIP_PAD;
    if (!rows.length || used + width > WIDE) { rows.push([]); used = 0; }
    rows[rows.length - 1]!.push({ ...look, width, x: used });
    used += width + CHIP_GAP;
  }
  return (
    <g class="chips">
      {rows.map((row, index) => row.map((look) => (
        <g class={`pic-chip look-${(look.number - 1) % CHIP_COLOURS}`} transform={`translate(${PAD + look.x} ${box.height - PAD - ROW * (rows.length - index) + 6})`}>
          <rect width={look.width} height={13} rx={4} />
          <text x={CHIP_PAD} y={10}>≈ {look.agent} {look.number}</text>
        </g>
      )))}
    </g>
  );
}

export function ArrowShape({ arrow, index, head }: { arrow: Arrow; index: number; head: string }) {
  return (
    <g class="pic-arrow" data-arrow={index}>
      {arrow.full && <title>{arrow.full}</title>}
      <path class="touch" d={arrow.path} />
      <path class="line" d={arrow.path} marker-end={`url(#${head})`} />
    </g>
  );
}

export function ArrowWords({ arrow, index }: { arrow: Arrow; index: number }) {
  const label = arrow.label;
  if (!label?.lines.length) return null;
  return (
    <g class="pic-words" data-words={index}>
      {arrow.full && <title>{arrow.full}</title>}
      {label.lines.map((line, row) => {
        const width = line.text.length * SMALL;
        return (
          <>
            <rect class="patch" x={label.x + (label.width - width) / 2 - 2} y={label.y + SMALL_ROW * row} width={width + 4} height={SMALL_ROW} rx={3} />
            <text class={line.chosen ? "chosen" : "said"} text-anchor="middle" x={label.x + label.width / 2} y={label.y + SMALL_ROW * row + 9}>{line.text}</text>
          </>
        );
      })}
    </g>
  );
}

/** A bow from border to border, so that it goes beside what lies between. */
export function LinkShape({ link, boxes }: { link: Drawing["links"][number]; boxes: ReadonlyMap<number, Box> }) {
  const left = boxes.get(link.left), right = boxes.get(link.right);
  if (!left || !right) return null;
  const from = middle(left), to = middle(right);
  const dx = to.x - from.x, dy = to.y - from.y;
  const far = Math.hypot(dx, dy) || 1;
  const bend = Math.min(46, far / 5);
  const turn = { x: (from.x + to.x) / 2 - (dy / far) * bend, y: (from.y + to.y) / 2 + (dx / far) * bend };
  const start = border(left, turn), end = border(right, turn);
  return (
    <g class="pic-link" data-left={link.left} data-right={link.right}>
      <title>{`${left.title} and ${right.title} look the same to ${link.agents.join(", ")}`}</title>
      <path class="line" d={`M${start.x.toFixed(1)} ${start.y.toFixed(1)} Q${turn.x.toFixed(1)} ${turn.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`} />
    </g>
  );
}

function middle(box: Box): { x: number; y: number } {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Where the line from the middle of a box to a place leaves it. */
function border(box: Box, to: { x: number; y: number }): { x: number; y: number } {
  const from = middle(box);
  const dx = to.x - from.x || 0.01, dy = to.y - from.y || 0.01;
  const part = Math.min(box.width / 2 / Math.abs(dx), box.height / 2 / Math.abs(dy), 1);
  return { x: from.x + dx * part, y: from.y + dy * part };
}
