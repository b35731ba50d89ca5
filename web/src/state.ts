// What the page knows, as signals: every view reads them, and shows again what has changed.
//
// The page computes nothing about models. It keeps what was typed, what was answered, where somebody has walked, and
// what is selected; one selection links all views.

import { batch, computed, signal, type Signal } from "@preact/signals";
import type { AgentCard, EvidenceData, FormulaLine, Hello, Opened, Run, State, Step, VerdictData } from "./protocol";

// ---------------------------------------------------------------------------------------------- the text

/** What is being edited: a file of the folder (`path`), a model of the gallery, or a text without a file. */
export interface Document { name: string; path: string | null; gallery: string | null; version: string | null }

export const hello = signal<Hello | null>(null);
export const connection = signal<"connecting" | "open" | "lost">("connecting");
export const document_ = signal<Document>({ name: "untitled.ispl", path: null, gallery: null, version: null });
export const text = signal("");
/** The text as it is on disk, or was when it was opened. */
export const savedText = signal("");
export const isDirty = computed(() => text.value !== savedText.value);
/** Constants that were set here; the others have the values of the text. */
export const constants = signal<Record<string, number>>({});

/** What the server read last, with mistakes or without. */
export const opened = signal<Opened | null>(null);
/** The last text without mistakes: what the views beside the text show. */
export const usable = signal<Opened | null>(null);
/** The text that `usable` was read from: where `text` is another, lines may have moved. */
export const usableText = signal("");
/** Whether what is shown is of another text than the one that is there. */
/** The constants that were set when it was read. */
export const usableConstants = signal("{}");
export const isStale = computed(() => text.value !== usableText.value || JSON.stringify(constants.value) !== usableConstants.value);

// ---------------------------------------------------------------------------------------------- verdicts

export const READINGS = ["perfect", "uniform", "uniform-subjective", "uniform-model"] as const;
export const READING_WORDS: Readonly<Record<string, string>> = {
  perfect: "perfect information", uniform: "uniform", "uniform-subjective": "uniform, subjective", "uniform-model": "uniform, all agents",
};
export const strategies = signal<string>("perfect");
export const checksAsYouType = signal(true);

/** A verdict that was found, with what belongs to it. */
export interface Found {
  data: VerdictData;
  story: { title: string; text: string } | null;
  strategies: string;
  predicates: { text: string; origin: string }[];
  account: { name: string; text: string }[];
  states: number | string | null;
  fromStore: boolean;
  /** The text that was checked: lines of evidence are lines of it. */
  model: string;
}
/** By what a verdict depends on: see `verdictKey`. */
export const found = signal<ReadonlyMap<string, Found>>(new Map());
/** Keys of what is being checked, with the words about how far it is. */
export const running = signal<ReadonlyMap<string, string>>(new Map());
/** Verdicts that arrived before their check was over, by key. */
export const early = signal<ReadonlyMap<string, { verdict: string; seconds: number }>>(new Map());

/** Why a check came to nothing, by key. */
export const failures = signal<ReadonlyMap<string, string>>(new Map());
/** Formulae that were typed beside the text. */
export const ownFormulae = signal<readonly string[]>([]);
/** Questions about the model itself, which are asked where they are wanted. */
export const sanityWanted = signal<{ deadlock: boolean; overflow: boolean }>({ deadlock: false, overflow: false });

export function verdictKey(formula: FormulaLine, reading = strategies.value): string {
  return formula.has_coalition ? `${formula.key} ${reading}` : formula.key;
}

// ---------------------------------------------------------------------------------------------- walking

/** A state that was visited: the walk is a tree, and to step from an earlier state forks it. */
export interface Visit { id: number; parent: number | null; step: Step; bookmark: string | null }

/** What is walked through: `usable`, or a population of it. */
export const walkModel = signal<Opened | null>(null);
export const visits = signal<readonly Visit[]>([]);
export const at = signal(0);
export const here = computed<Visit | null>(() => visits.value[at.value] ?? null);

export function pathTo(id: number, all: readonly Visit[] = visits.value): Visit[] {
  const path: Visit[] = [];
  for (let visit = all[id]; visit; visit = visit.parent === null ? undefined : all[visit.parent]) path.unshift(visit);
  return path;
}

export function runTo(id: number): Run {
  return { steps: pathTo(id).map((visit) => visit.step), loop: null, back: null };
}

/** Begin a new walk along a run, and stand at its position (its end, unless that is said). */
export function walkAlong(run: Run, position = run.steps.length - 1): void {
  batch(() => {
    visits.value = run.steps.map((step, id) => ({ id, parent: id === 0 ? null : id - 1, step, bookmark: null }));
    at.value = Math.min(Math.max(position, 0), run.steps.length - 1);
    player.value = null;
  });
}

/** Go along a run beside what was walked already, as far as that is the same, and stand at its end. */
export function walkBeside(run: Run): void {
  const all = [...visits.value];
  let parent: number | null = null;
  for (const step of run.steps) {
    const key = stepKey(step), before: number | null = parent;
    const known: Visit | undefined = all.find((visit) => visit.parent === before && stepKey(visit.step) === key);
    if (!known) all.push({ id: all.length, parent: before, step, bookmark: null });
    parent = known ? known.id : all.length - 1;
  }
  batch(() => {
    visits.value = all;
    at.value = parent ?? 0;
    player.value = null;
  });
}

/** Take a step from where we stand; the same step from the same state is the same visit. */
export function takeStep(step: Step): void {
  const parent = at.value;
  const key = stepKey(step);
  const known = visits.value.find((visit) => visit.parent === parent && stepKey(visit.step) === key);
  if (known) { at.value = known.id; return; }
  const id = visits.value.length;
  batch(() => {
    visits.value = [...visits.value, { id, parent, step, bookmark: null }];
    at.value = id;
  });
}

export function stateKey(state: State): string {
  return JSON.stringify(state);
}

function stepKey(step: Step): string {
  return `${JSON.stringify(step.actions)} ${stateKey(step.state)}`;
}

// ---------------------------------------------------------------------------------------------- playing

/** What the player shows: the evidence of a verdict, or of a formula that was evaluated in a state. */
export interface Played { title: string; formula: string; label: string; evidence: EvidenceData; story: string; found: Found | null }
export const player = signal<Played | null>(null);
/** Which part of the evidence is shown, as the positions of the branches that lead there, and where in its run we are. */
export const playerPath = signal<readonly number[]>([]);
export const playerAt = signal(0);

// ---------------------------------------------------------------------------------------------- selection

export interface Selection { line: number | null; agent: string | null; formula: string | null; state: State | null }
export const selection = signal<Selection>({ line: null, agent: null, formula: null, state: null });
/** Where the selection was made: that view does not scroll by itself. */
export const selectedIn = signal<"text" | "model" | "run" | "verdicts">("text");

export function select(where: "text" | "model" | "run" | "verdicts", part: Partial<Selection>): void {
  batch(() => {
    selectedIn.value = where;
    selection.value = { ...selection.value, ...part };
  });
}

/** A line of the text was chosen: select the formula and the agent that stand there. */
export function selectLine(line: number): void {
  const now = opened.value;
  const formula = now?.formulae.find((each) => each.line <= line && line <= each.end_line) ?? null;
  const agent = now?.agents.find((each: AgentCard) => each.line !== null && each.line <= line && line <= (each.end_line ?? each.line)) ?? null;
  select("text", { line, formula: formula?.label ?? null, agent: agent?.name ?? null });
}

// ---------------------------------------------------------------------------------------------- keeping

/** Signals whose values are kept in the permalink, by name: `const graph = keep("graph", signal(…))`. Values are plain data. */
export const kept = new Map<string, Signal<unknown>>();
export function keep<T>(name: string, value: Signal<T>): Signal<T> {
  kept.set(name, value as Signal<unknown>);
  return value;
}

// ---------------------------------------------------------------------------------------------- the page

/** The dialog that is open, with what it is about. */
export const dialog = signal<{ name: string; about?: unknown } | null>(null);

export type Pane = "text" | "model" | "run" | "verdicts";
export const PANES: readonly Pane[] = ["text", "model", "run", "verdicts"];
/** Panes that are shown where there is room, and the one that is shown where there is room for one. */
export const shownPanes = signal<ReadonlySet<Pane>>(new Set(PANES));
export const frontPane = signal<Pane>("text");
export const theme = signal<"light" | "dark" | "system">("system");
/** Said to those who listen to the page instead of looking at it. */
export const announcement = signal("");
/** Messages at the foot of the page, newest last. */
export const notices = signal<readonly { id: number; words: string; kind: "info" | "error" }[]>([]);

let lastNotice = 0;
export function notify(words: string, kind: "info" | "error" = "info"): void {
  const id = ++lastNotice;
  notices.value = [...notices.value.slice(-3), { id, words, kind }];
  announcement.value = words;
  setTimeout(() => { notices.value = notices.value.filter((each) => each.id !== id); }, kind === "error" ? 12_000 : 6_000);
}
