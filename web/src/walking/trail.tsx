// The way: every state that was visited is a dot, and a fork is a line of its own.

import { computed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at, here, pathTo, visits, type Visit } from "../state";
import { Drop } from "./drop";
import { changesOf, show, ValueShown } from "./parts";
import { back, bookmark, forward, goTo } from "./walk";

const APART = 19;

interface Placed { visit: Visit; column: number; row: number }

/** Visits by how far they are from the start, forks below what they left. */
const placed = computed<{ dots: Placed[]; columns: number; rows: number }>(() => {
  const all = visits.value;
  const children = new Map<number, Visit[]>();
  for (const visit of all) if (visit.parent !== null) children.set(visit.parent, [...(children.get(visit.parent) ?? []), visit]);
  const dots: Placed[] = [];
  let rows = 0, columns = 0;
  const waiting: { visit: Visit; column: number; row: number | null }[] = all.filter((visit) => visit.parent === null).reverse().map((visit) => ({ visit, column: 0, row: null }));
  while (waiting.length) {
    const { visit, column, row } = waiting.pop()!;
    const own = row ?? rows++;
    dots.push({ visit, column, row: own });
    columns = Math.max(columns, column + 1);
    const next = children.get(visit.id) ?? [];
    for (const child of next.slice(1).reverse()) waiting.push({ visit: child, column: column + 1, row: null });
    if (next[0]) waiting.push({ visit: next[0], column: column + 1, row: own });
  }
  return { dots, columns, rows };
});

export function Trail() {
  const { dots, columns, rows } = placed.value;
  const scroller = useRef<HTMLDivElement>(null);
  const way = new Set(pathTo(at.value, visits.value).map((visit) => visit.id));
  const places = new Map(dots.map((dot) => [dot.visit.id, dot]));
  const now = places.get(at.value);
  useEffect(() => {
    if (!now || !scroller.current) return;
    const box = scroller.current;
    const x = now.column * APART, y = now.row * APART;
    if (x < box.scrollLeft + 30 || x > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = x - box.clientWidth / 2;
    if (y < box.scrollTop || y > box.scrollTop + box.clientHeight - 24) box.scrollTop = y - box.clientHeight / 2;
  }, [at.value, dots]);
  const onKeyDown = (event: KeyboardEvent) => {
    const rowStep = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "ArrowLeft") back();
    else if (event.key === "ArrowRight") forward();
    else if (event.key === "Home") goTo(0);
    else if (rowStep !== undefined && now) {
      const same = dots.filter((dot) => dot.row === now.row + rowStep);
      const next = same.reduce<Placed | null>((best, dot) => (!best || Math.abs(dot.column - now.column) < Math.abs(best.column - now.column) ? dot : best), null);
      if (next) goTo(next.visit.id);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={scroller} class={`trail${visits.value.length === 1 ? " is-single" : ""}`} tabindex={0} role="group" onKeyDown={onKeyDown}
      aria-label={`The way: step ${now?.column ?? 0}, ${visits.value.length} states visited. Left and right go back and forward, up and down to forks.`}>
      <svg width={columns * APART + 10} height={rows * APART + 4} role="presentation">
        {dots.map(({ visit, column, row }) => {
          const parent = visit.parent === null ? undefined : places.get(visit.parent);
          if (!parent) return null;
          const x = column * APART + 12, y = row * APART + 11, px = parent.column * APART + 12, py = parent.row * APART + 11;
          return <path class={`trail-line${way.has(visit.id) ? " is-way" : ""}`} d={py === y ? `M${px} ${py} L${x} ${y}` : `M${px} ${py} C${px + 4} ${y} ${px + 2} ${y} ${x} ${y}`} />;
        })}
        {dots.map(({ visit, column, row }) => (
          <g class={`trail-dot${visit.id === at.value ? " is-here" : ""}${way.has(visit.id) ? " is-way" : ""}${visit.bookmark !== null ? " is-kept" : ""}`}
            transform={`translate(${column * APART + 12} ${row * APART + 11})`} onClick={() => goTo(visit.id)}>
            <title>{titleOf(visit, column)}</title>
            <rect class="trail-touch" x={-9} y={-9} width={18} height={18} />
            {visit.bookmark !== null ? <path d="M0 -6.5 L1.9 -2 L6.6 -1.8 L2.9 1.2 L4.2 5.9 L0 3.2 L-4.2 5.9 L-2.9 1.2 L-6.6 -1.8 L-1.9 -2 z" /> : <circle r={visit.id === at.value ? 5.5 : 3.6} />}
          </g>
        ))}
      </svg>
    </div>
  );
}

function titleOf(visit: Visit, column: number): string {
  const before = visit.parent === null ? null : visits.value[visit.parent]?.step.state ?? null;
  const changes = before ? changesOf(before, visit.step.state).map((each) => `${each.agent}.${each.variable} = ${show(each.after)}`) : ["start"];
  return [`${visit.bookmark ? `★ ${visit.bookmark}, ` : ""}step ${column}`, actionsWords(visit), changes.join(", ") || "no change"].filter(Boolean).join("\n");
}

export function actionsWords(visit: Visit): string {
  return Object.entries(visit.step.actions ?? {}).filter(([, action]) => action !== "-").map(([agent, action]) => `${agent}: ${action}`).join(", ");
}

/** The same way as a list, newest last, for those who want to read it. */
export function TheWay() {
  const path = pathTo(at.value, visits.value);
  const marks = visits.value.filter((visit) => visit.bookmark !== null);
  return (
    <div class="the-way">
      {marks.length > 0 && (
        <div class="v-row marks">
          {marks.map((visit) => (
            <span class="mark"><button type="button" class="v-link" onClick={() => goTo(visit.id)}>★ {visit.bookmark}</button>
              <button type="button" class="v-icon" aria-label={`Forget ${visit.bookmark}`} onClick={() => bookmark(visit.id, null)}>×</button></span>
          ))}
        </div>
      )}
      <ol start={0}>
        {path.map((visit, index) => (
          <li class={visit.id === at.value ? "is-here" : ""}>
            <button type="button" class="way-number" aria-label={`Go to step ${index}`} onClick={() => goTo(visit.id)}>{index}</button>
            <span class="way-words">
              {visit.step.actions && <span class="way-actions">{actionsWords(visit) || "nothing"}</span>}
              {index > 0 ? changesOf(path[index - 1]!.step.state, visit.step.state).map((each) => <ValueShown name={`${each.agent}.${each.variable}`} before={each.before} value={each.after} />) : <span class="v-quiet">start</span>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Keep the state where we are under a name. */
export function Keeping() {
  const now = here.value;
  const field = useRef<HTMLInputElement>(null);
  if (!now) return null;
  const save = (close: () => void) => {
    bookmark(now.id, field.current?.value.trim() || `step ${pathTo(now.id).length - 1}`);
    close();
    // Keys of the simulator go on from there.
    requestAnimationFrame(() => document.querySelector<HTMLElement>("#pane-run .trail")?.focus());
  };
  if (now.bookmark !== null) return <button type="button" class="v-btn is-on" title="Forget this bookmark" onClick={() => bookmark(now.id, null)}>★ {now.bookmark}</button>;
  return (
    <Drop summary="☆" label="Bookmark this state" asForm={save}>
      {() => (
        <span class="v-row">
          <input ref={field} class="v-input" type="text" maxLength={60} placeholder="Name of this state" aria-label="Name of the bookmark" />
          <button type="submit" class="v-btn is-accent">Keep</button>
        </span>
      )}
    </Drop>
  );
}
