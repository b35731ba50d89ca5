// Two numbers as a plane that is cut by lines, where all that is cut are these two, their sum or their difference.

import type { State } from "../protocol";
import { variable } from "./cells";
import type { Cut } from "./rounds";

const SIZE = 240;
const MARGIN = 26;

interface Form { a: number; b: number }

export function Plane({ cuts, stage, all, state }: { cuts: readonly Cut[]; stage: number; all: readonly Cut[]; state: State | null }) {
  const axes = axesOf(all);
  if (!axes) return null;
  const [across, up] = axes;
  const bounds = all.map((cut) => cut.bound);
  const most = Math.max(...bounds.map(Math.abs)) + 2;
  if (most > 40) return null;
  const low = -most, high = most;
  const scale = (SIZE - 2 * MARGIN) / (high - low);
  const x = (value: number) => MARGIN + (value - low) * scale, y = (value: number) => SIZE - MARGIN - (value - low) * scale;
  const values = state ? axes.map((name) => variable(state, name)) : [];
  const isSeen = values.every((value) => typeof value === "number" && value >= low && value <= high) && values.length === 2;
  return (
    <figure class="plane">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={`${across} and ${up}, cut by ${cuts.length} lines`}>
        <rect class="plane-ground" x={MARGIN} y={MARGIN} width={SIZE - 2 * MARGIN} height={SIZE - 2 * MARGIN} />
        <path class="plane-axis" d={`M${x(0)} ${MARGIN} V${SIZE - MARGIN} M${MARGIN} ${y(0)} H${SIZE - MARGIN}`} />
        {cuts.map((cut) => {
          const ends = endsOf(formOf(cut.quantity, axes)!, cut.bound + 0.5, low, high);
          return ends && <path class={`plane-cut${cut.stage === stage && stage > 0 ? " is-new" : ""}`} d={`M${x(ends[0])} ${y(ends[1])} L${x(ends[2])} ${y(ends[3])}`}><title>{cut.text}</title></path>;
        })}
        {isSeen && <circle class="plane-here" cx={x(values[0] as number)} cy={y(values[1] as number)} r={4}><title>where the walk is</title></circle>}
        <text class="plane-name" x={SIZE - MARGIN} y={SIZE - 8} text-anchor="end">{across} →</text>
        <text class="plane-name" x={4} y={16}>↑ {up}</text>
      </svg>
    </figure>
  );
}

function axesOf(cuts: readonly Cut[]): [string, string] | null {
  const names = [...new Set(cuts.flatMap((cut) => cut.quantity.split(/ [+-] /)))];
  if (names.length !== 2 || names.some((name) => /[*\s]/.test(name))) return null;
  const axes: [string, string] = [names[0]!, names[1]!];
  return cuts.every((cut) => formOf(cut.quantity, axes)) ? axes : null;
}

function formOf(quantity: string, [first, second]: [string, string]): Form | null {
  const forms: Record<string, Form> = {
    [first]: { a: 1, b: 0 }, [second]: { a: 0, b: 1 },
    [`${first} - ${second}`]: { a: 1, b: -1 }, [`${second} - ${first}`]: { a: -1, b: 1 }, [`${first} + ${second}`]: { a: 1, b: 1 }, [`${second} + ${first}`]: { a: 1, b: 1 },
  };
  return forms[quantity] ?? null;
}

/** Where a·x + b·y = c enters and leaves the square. */
function endsOf({ a, b }: Form, c: number, low: number, high: number): [number, number, number, number] | null {
  if (b === 0) return [c / a, low, c / a, high];
  if (a === 0) return [low, c / b, high, c / b];
  const points: [number, number][] = [];
  for (const x of [low, high]) { const y = (c - a * x) / b; if (y >= low && y <= high) points.push([x, y]); }
  for (const y of [low, high]) { const x = (c - b * y) / a; if (x > low && x < high) points.push([x, y]); }
  return points.length >= 2 ? [...points[0]!, ...points[1]!] : null;
}
