// Where the panes are: three columns where there is room, two where there is less, one where there is little.

import { batch, computed, effect, signal } from "@preact/signals";
import { PANES, frontPane, keep, shownPanes, type Pane } from "./state";

export type Arrangement = "wide" | "two" | "one";
export const TITLES: Readonly<Record<Pane, string>> = { text: "Text", verdicts: "Verdicts", run: "Run", model: "Model" };
/** Panes in the order of their keys. */
export const ORDER: readonly Pane[] = ["text", "verdicts", "run", "model"];

/** Columns of groups of panes; of a group, one pane is in front. */
const ARRANGEMENTS: Readonly<Record<Arrangement, readonly (readonly (readonly Pane[])[])[]>> = {
  wide: [[["text"]], [["verdicts"], ["run"]], [["model"]]],
  two: [[["text"], ["verdicts"]], [["run", "model"]]],
  one: [[["text", "verdicts", "run", "model"]]],
};

export const width = signal(window.innerWidth);
window.addEventListener("resize", () => { width.value = window.innerWidth; });
export const arrangement = computed<Arrangement>(() => width.value >= 1200 ? "wide" : width.value >= 800 ? "two" : "one");
export const maximised = keep("maximised", signal<Pane | null>(null));
keep("front", frontPane);

/** Panes by how lately they were in front, the latest first. */
const lately = signal<readonly Pane[]>(["text", "run", "verdicts", "model"]);
effect(() => {
  const front = frontPane.value;
  const before = lately.peek();
  if (before[0] !== front) lately.value = [front, ...before.filter((each) => each !== front)];
});

export interface Group { panes: Pane[]; front: Pane }
/** What is shown now. */
export const columns = computed<Group[][]>(() => {
  const alone = maximised.value;
  if (alone) return [[{ panes: [alone], front: alone }]];
  const isShown = (pane: Pane) => arrangement.value === "one" || shownPanes.value.has(pane);
  return ARRANGEMENTS[arrangement.value]
    .map((column) => column
      .map((group) => group.filter(isShown))
      .filter((group) => group.length > 0)
      .map((group) => ({ panes: group, front: lately.value.find((pane) => group.includes(pane)) ?? group[0]! })))
    .filter((column) => column.length > 0);
});

export function isVisible(pane: Pane): boolean {
  return columns.value.some((column) => column.some((group) => group.front === pane));
}

/** Bring a pane to the front, wherever it is. */
export function showPane(pane: Pane): void {
  batch(() => {
    if (!shownPanes.value.has(pane)) shownPanes.value = new Set([...shownPanes.value, pane]);
    if (maximised.value && maximised.value !== pane) maximised.value = null;
    frontPane.value = pane;
  });
}

export function hidePane(pane: Pane): void {
  batch(() => {
    const left = PANES.filter((each) => each !== pane && shownPanes.value.has(each));
    if (maximised.value === pane) maximised.value = null;
    else if (left.length) shownPanes.value = new Set(left);
  });
}

export function togglePane(pane: Pane): void {
  if (shownPanes.value.has(pane) && (arrangement.value === "one" || isVisible(pane))) hidePane(pane);
  else showPane(pane);
}

/** Go to a pane by the keyboard. */
export function focusPane(pane: Pane): void {
  showPane(pane);
  requestAnimationFrame(() => {
    const place = document.getElementById(`pane-${pane}`);
    // What is hidden or cannot be used does not take the focus: the next one may.
    const inside = place?.querySelectorAll<HTMLElement>(".pane-body :is([tabindex='0'], button, input, select):not([role=tab])") ?? [];
    const first = place?.querySelector<HTMLElement>(".cm-content, .verdict-main[tabindex='0']");
    for (const each of [first, ...inside, place]) {
      each?.focus();
      if (each === document.activeElement) return;
    }
  });
}

// ---------------------------------------------------------------------------------------------- sizes

/** By splitter: the part that what stands before it has. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "wide-3-0": 0.36, "wide-3-1": 0.48, "wide-2-0": 0.5, "two-2-0": 0.54, "wide-over": 0.46, "two-over": 0.62,
};
const KEY = "gnomon-sizes";
const sizes = signal<Record<string, number>>(readSizes());

function readSizes(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch { return {}; }
}

export function sizeOf(splitter: string): number {
  const size = sizes.value[splitter] ?? WEIGHTS[splitter] ?? 0.5;
  return typeof size === "number" ? Math.min(0.85, Math.max(0.15, size)) : 0.5;
}

/** Give what stands before a splitter this part of the room; nothing: as it was at first. */
export function resize(splitter: string, part: number | null): void {
  const { [splitter]: _, ...others } = sizes.value;
  sizes.value = part === null ? others : { ...others, [splitter]: Math.min(0.85, Math.max(0.15, part)) };
  try { localStorage.setItem(KEY, JSON.stringify(sizes.value)); } catch { /* private windows keep nothing */ }
}
