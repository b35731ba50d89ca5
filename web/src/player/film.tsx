// A run as a strip of cards, with what hangs at its states below: every column is a state, so that what belongs together
// stands together.

import { useEffect, useRef } from "preact/hooks";
import type { Run, Step } from "../protocol";
import { playerAt } from "../state";
import { changesOf, ValueShown } from "../walking/parts";
import { openPart, seekTo, type Hanging } from "./evidence";
import type { Holding } from "./holding";

const CARD = 188;
const GAP = 12;
/** So many lines are on a card; the rest is counted. */
const MOST_LINES = 11;

export function Film({ run, hanging, shown, holding, hidden }: {
  run: Run; hanging: readonly Hanging[]; shown: Hanging | null; holding: Holding; hidden: ReadonlySet<string>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // The run below is moved so that the states that belong together are in one column.
  const offset = shown ? (shown.because.relation === "time" ? shown.position : shown.position - (shown.run.steps.length - 1)) : 0;
  const before = Math.max(0, -offset);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const x = (playerAt.value + before) * (CARD + GAP);
    if (x < box.scrollLeft || x + CARD > box.scrollLeft + box.clientWidth) box.scrollTo({ left: x - (box.clientWidth - CARD) / 2, behavior: calm() ? "auto" : "smooth" });
  }, [playerAt.value, before, run]);
  const columns = Math.max(run.steps.length + before, shown ? shown.run.steps.length + Math.max(0, offset) : 0);
  return (
    <div class="film" ref={scroller} tabindex={0} role="group" aria-label="The run, state by state">
      <div class="film-inner" style={{ width: `${columns * (CARD + GAP) - GAP + 4}px` }}>
        {run.loop !== null && <Arc from={run.steps.length - 1 + before} to={run.loop + before} />}
        <Strip run={run} start={before} current={playerAt.value} hanging={hanging} holding={holding} hidden={hidden} onStep={seekTo} />
        {shown && <Joint hanging={shown} column={shown.position + before} />}
        {shown && (
          <Strip run={shown.run} start={Math.max(0, offset)} current={null} hanging={[]} holding={holding} hidden={hidden} tone={shown.because.relation}
            joined={shown.because.relation === "time" ? 0 : shown.run.steps.length - 1} onStep={(position) => openPart(shown.path, position)} />
        )}
        {shown && shown.run.loop !== null && <Arc from={shown.run.steps.length - 1 + Math.max(0, offset)} to={shown.run.loop + Math.max(0, offset)} below />}
      </div>
    </div>
  );
}

function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function Strip({ run, start, current, hanging, holding, hidden, tone = "", joined = -1, onStep }: {
  run: Run; start: number; current: number | null; hanging: readonly Hanging[]; holding: Holding; hidden: ReadonlySet<string>; tone?: string; joined?: number; onStep: (position: number) => void;
}) {
  return (
    <ol class={`strip${tone ? ` is-${tone}` : ""}`} style={{ paddingLeft: `${start * (CARD + GAP)}px` }}>
      {run.steps.map((step, position) => (
        <li>
          <FilmCard step={step} position={position} before={position ? run.steps[position - 1]!.state : null} isCurrent={position === current} isJoined={position === joined}
            hangs={hanging.filter((each) => each.position === position)} holds={holding(step.state)} hidden={hidden} onClick={() => onStep(position)} />
        </li>
      ))}
    </ol>
  );
}

function FilmCard({ step, position, before, isCurrent, isJoined, hangs, holds, hidden, onClick }: {
  step: Step; position: number; before: Step["state"] | null; isCurrent: boolean; isJoined: boolean; hangs: readonly Hanging[]; holds: readonly string[] | null; hidden: ReadonlySet<string>; onClick: () => void;
}) {
  const changes = changesOf(before, step.state).filter((each) => !hidden.has(each.agent));
  const actions = Object.entries(step.actions ?? {}).filter(([agent, action]) => action !== "-" && !hidden.has(agent));
  // Those in whom something changes first, then the others who did something.
  const told = [...new Set([...changes.map((each) => each.agent), ...actions.map(([agent]) => agent)])];
  const shown = fitting(told, changes);
  const classes = ["film-card", isCurrent ? "is-current" : "", isJoined ? "is-joined" : "", hangs.some((each) => each.because.relation === "knowledge") ? "is-known" : ""].filter(Boolean).join(" ");
  return (
    <button type="button" class={classes} aria-pressed={isCurrent} aria-label={cardName(position, actions, changes, holds)} onClick={onClick}>
      <span class="film-number">{position}</span>
      <span class="film-agents">
        {shown.map(({ agent, own, more }) => {
          const action = step.actions?.[agent] ?? "-";
          return (
            <span class="film-agent">
              <span class="film-who">{agent}{action !== "-" && <span class="film-action">{action}</span>}</span>
              {own.map((each) => <ValueShown name={each.variable} before={before ? each.before : undefined} value={each.after} />)}
              {more > 0 && <span class="v-quiet">and {more} more</span>}
            </span>
          );
        })}
        {told.length > shown.length && <span class="v-quiet">and {told.length - shown.length} more agents</span>}
        {!changes.length && <span class="v-quiet">nothing changes</span>}
      </span>
      {holds && holds.length > 0 && <span class="film-holds">{holds.slice(0, 6).map((name) => <span class="v-holds">{name}</span>)}{holds.length > 6 && <span class="v-quiet">+{holds.length - 6}</span>}</span>}
    </button>
  );
}

/** What fits on a card. */
function fitting(agents: readonly string[], changes: ReturnType<typeof changesOf>): { agent: string; own: ReturnType<typeof changesOf>; more: number }[] {
  let left = MOST_LINES;
  const found = [];
  for (const agent of agents) {
    const all = changes.filter((each) => each.agent === agent);
    if (left < Math.min(2, all.length + 1)) break;
    const own = all.slice(0, all.length <= left - 1 ? all.length : Math.max(1, left - 2));
    left -= own.length + 1 + (own.length < all.length ? 1 : 0);
    found.push({ agent, own, more: all.length - own.length });
  }
  return found;
}

function cardName(position: number, actions: readonly [string, string][], changes: ReturnType<typeof changesOf>, holds: readonly string[] | null): string {
  return [
    `State ${position}`,
    actions.length ? `after ${actions.map(([agent, action]) => `${agent} ${action}`).join(", ")}` : "",
    changes.slice(0, 20).map((each) => `${each.agent}.${each.variable} = ${each.after}`).join(", ") || "nothing changes",
    holds?.length ? `holds: ${holds.join(", ")}` : "",
  ].filter(Boolean).join("; ");
}

/** The line between two states: red where they look the same to somebody. */
function Joint({ hanging, column }: { hanging: Hanging; column: number }) {
  const isSame = hanging.because.relation === "knowledge";
  const words = isSame ? `looks the same to ${hanging.because.agents.join(", ")}` : hanging.because.relation === "norm" ? `as ${hanging.because.agents.join(", ")} ought to` : "from here on";
  return (
    <div class={`joint is-${hanging.because.relation}${column > 0 ? " is-left" : ""}`} style={{ [column > 0 ? "width" : "paddingLeft"]: `${column * (CARD + GAP) + CARD / 2 - 1}px` }}>
      <span class="joint-line" /><span class="joint-words">{isSame ? "≈ " : ""}{words}</span>
    </div>
  );
}

/** Where a run goes back to, for ever. */
function Arc({ from, to, below = false }: { from: number; to: number; below?: boolean }) {
  const middle = (from + to) / 2 * (CARD + GAP) + CARD / 2;
  const wide = Math.max((from - to) * (CARD + GAP), 56);
  const left = middle - wide / 2, high = 32;
  const path = below ? `M${wide + 8} 1 C${wide + 8} ${high + 3} 8 ${high + 3} 8 6` : `M${wide + 8} ${high} C${wide + 8} -3 8 -3 8 ${high - 5}`;
  const isNarrow = wide < 180;
  return (
    <div class={`arc${below ? " is-below" : ""}`}>
      <svg width={wide + 16} height={high} role="presentation" style={{ left: `${left - 8}px` }}>
        <path class="arc-line" d={path} /><path class="arc-head" d={below ? "M4 9 L8 1 L12 9 z" : `M4 ${high - 8} L8 ${high} L12 ${high - 8} z`} />
      </svg>
      <span class={`arc-words${isNarrow ? "" : " is-middle"}`} style={{ left: `${isNarrow ? left + wide + 12 : middle}px` }}>goes round for ever</span>
    </div>
  );
}
