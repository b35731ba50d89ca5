// The four views on one model, and the bars between them.

import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { ORDER, TITLES, arrangement, columns, focusPane, hidePane, maximised, resize, sizeOf, showPane, type Group } from "../layout";
import type { Pane } from "../state";
import { TextPane } from "../text/pane";
import { ModelPane } from "../views/model";
import { RunPane } from "../views/run";
import { VerdictsPane } from "../views/verdicts";
import { Icon } from "./icons";
import { tabBadge } from "./badge";

const VIEWS: Readonly<Record<Pane, ComponentType>> = { text: TextPane, verdicts: VerdictsPane, run: RunPane, model: ModelPane };

/** Where a pane stands in the grid; all panes stay in the page, so that nothing in them is lost. */
interface Place { column: number; row: string; group: Group }

export function Panes() {
  const frame = useRef<HTMLElement>(null);
  const now = columns.value;
  const kind = arrangement.value;
  const places = new Map<Pane, Place>();
  const isSplit = now.some((column) => column.length > 1);
  for (const [index, column] of now.entries()) {
    for (const [place, group] of column.entries()) {
      places.set(group.front, { column: 2 * index + 1, row: column.length > 1 ? String(2 * place + 1) : isSplit ? "1 / -1" : "1", group });
    }
  }
  const splitters = now.slice(1).map((_, index) => `${kind}-${now.length}-${index}`);
  const over = `${kind}-over`;
  return (
    <main class="panes" ref={frame} data-arrangement={kind} style={{ gridTemplateColumns: tracks(splitters), gridTemplateRows: isSplit ? tracks([over]) : "minmax(0, 1fr)" }}>
      {ORDER.map((pane) => <PaneFrame key={pane} pane={pane} place={places.get(pane) ?? null} />)}
      {splitters.map((name, index) => <Splitter key={name} name={name} across frame={frame} before={splitters.slice(0, index)} column={2 * index + 2} row={isSplit ? "1 / -1" : "1"} />)}
      {isSplit && <Splitter key={over} name={over} across={false} frame={frame} before={[]} column={2 * now.findIndex((column) => column.length > 1) + 1} row="2" />}
    </main>
  );
}

/** Each splitter gives what stands before it a part of the room that is left. */
function tracks(splitters: readonly string[]): string {
  let left = 1;
  const parts = splitters.map((name) => {
    const part = left * sizeOf(name);
    left -= part;
    return part;
  });
  return [...parts, left].map((part) => `minmax(0, ${part.toFixed(4)}fr)`).join(" var(--gap) ");
}

function PaneFrame({ pane, place }: { pane: Pane; place: Place | null }) {
  const View = VIEWS[pane];
  const isAlone = maximised.value === pane;
  const tabs = place && place.group.panes.length > 1 ? place.group.panes : null;
  return (
    <section class={`pane pane-${pane}`} id={`pane-${pane}`} tabIndex={-1} aria-label={TITLES[pane]} hidden={!place}
      style={place ? { gridColumn: String(place.column), gridRow: place.row } : { gridColumn: "", gridRow: "" }}>
      <header class="pane-head">
        {tabs ? <Tabs panes={tabs} front={pane} /> : <h2 class="pane-title">{TITLES[pane]}</h2>}
        <span class="pane-slot" id={`pane-head-${pane}`} />
        {arrangement.value !== "one" && (
          <button type="button" class="icon-button pane-tool" aria-label={isAlone ? `Show ${TITLES[pane]} beside the others` : `Show ${TITLES[pane]} alone`}
            title={isAlone ? "Beside the others (Alt+M)" : "Alone (Alt+M)"} onClick={() => { maximised.value = isAlone ? null : pane; }}>
            <Icon name={isAlone ? "smaller" : "larger"} />
          </button>
        )}
        {arrangement.value !== "one" && !isAlone && (
          <button type="button" class="icon-button pane-tool" aria-label={`Hide ${TITLES[pane]}`} title="Hide" onClick={() => hidePane(pane)}><Icon name="close" /></button>
        )}
      </header>
      <div class="pane-body"><View /></div>
    </section>
  );
}

function Tabs({ panes, front }: { panes: readonly Pane[]; front: Pane }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const next = panes[(panes.indexOf(front) + step + panes.length) % panes.length]!;
    showPane(next);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#pane-${next} [role=tab][aria-selected=true]`)?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label="Panes" onKeyDown={onKeyDown}>
      {panes.map((pane) => (
        <button type="button" role="tab" key={pane} class="tab" aria-selected={pane === front} aria-controls={`pane-${pane}`} tabIndex={pane === front ? 0 : -1} onClick={() => { showPane(pane); }}
          onDblClick={() => focusPane(pane)}>
          {TITLES[pane]}{tabBadge(pane)}
        </button>
      ))}
    </div>
  );
}

interface SplitterProps { name: string; across: boolean; frame: { current: HTMLElement | null }; before: readonly string[]; column: number; row: string }

function Splitter({ name, across, frame, before, column, row }: SplitterProps) {
  const size = sizeOf(name);
  const taken = before.reduce((left, each) => left * (1 - sizeOf(each)), 1);
  const move = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    const place = across ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    resize(name, (place - (1 - taken)) / taken);
  };
  const onPointerDown = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = move;
    bar.onpointerup = bar.onpointercancel = () => { bar.onpointermove = bar.onpointerup = bar.onpointercancel = null; };
    event.preventDefault();
    bar.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = across ? { ArrowLeft: -0.02, ArrowRight: 0.02 } : { ArrowUp: -0.02, ArrowDown: 0.02 };
    const step = steps[event.key];
    if (step !== undefined) resize(name, size + (event.shiftKey ? 4 * step : step));
    else if (event.key === "Home") resize(name, 0.15);
    else if (event.key === "End") resize(name, 0.85);
    else if (event.key === "Enter") resize(name, null);
    else return;
    event.preventDefault();
  };
  return (
    <div class={`splitter ${across ? "is-across" : "is-over"}`} role="separator" tabIndex={0} aria-orientation={across ? "vertical" : "horizontal"}
      aria-label={across ? "Width of the panes before" : "Height of the pane above"} aria-valuenow={Math.round(size * 100)} aria-valuemin={15} aria-valuemax={85}
      style={{ gridColumn: String(column), gridRow: row }} onPointerDown={onPointerDown} onKeyDown={onKeyDown} onDblClick={() => resize(name, null)} />
  );
}
