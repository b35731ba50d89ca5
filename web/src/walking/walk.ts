// The walk: where it begins, where it leads, and what becomes of it when the text changes.

import { batch, effect, signal } from "@preact/signals";
import type { InitialAnswer, Methods, Opened, Run, State, Step } from "../protocol";
import { announcement, at, connection, here, notify, pathTo, player, runTo, stateKey, takeStep, usable, visits, walkAlong, walkBeside, walkModel, type Visit } from "../state";
import { RequestError } from "../rpc";
import { asking, populated, wordsOf } from "./asking";

/** One sentence about what became of the walk; "" where there is nothing to say. */
export const walkWords = signal("");
export const walkBusy = signal("");
export const initials = signal<InitialAnswer | null>(null);
/** How many agents of each template are wanted, before they are there. */
export const wanted = signal<Record<string, number>>({});
/** The seed of the last random walk, so that it can be had again. */
export const seed = signal<number | null>(null);

/** From each visit, the one that was seen last after it: that is where forward leads. */
const lastAfter = new Map<number, number>();
effect(() => { for (const visit of pathTo(at.value, visits.value)) if (visit.parent !== null) lastAfter.set(visit.parent, visit.id); });

export function forwardFrom(id: number): number | null {
  const known = lastAfter.get(id);
  if (known !== undefined && visits.value[known]?.parent === id) return known;
  return visits.value.findLast((visit) => visit.parent === id)?.id ?? null;
}

export function goTo(id: number): void {
  if (visits.value[id]) at.value = id;
}
export function back(): void {
  const parent = here.value?.parent;
  if (parent !== null && parent !== undefined) at.value = parent;
}
export function forward(): void {
  const next = forwardFrom(at.value);
  if (next !== null) at.value = next;
}
export function step(next: Step): void {
  walkWords.value = "";
  takeStep(next);
  announcement.value = `Step ${pathTo(at.value).length - 1}`;
}

/** Begin anew in a state, which is initial. */
export function beginIn(state: State): void {
  lastAfter.clear();
  walkWords.value = "";
  walkAlong({ steps: [{ state, actions: null, lines: {} }], loop: null, back: null });
}

export function bookmark(id: number, name: string | null): void {
  visits.value = visits.value.map((visit) => (visit.id === id ? { ...visit, bookmark: name } : visit));
}

let turn = 0;
let under: { cancel: () => void } | null = null;

/** Ask as a part of what is being done: it can be stopped. */
function asked<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
  const mine = asking(method, params);
  under = mine;
  return mine.answer.finally(() => { if (under === mine) under = null; });
}

/** Do something that takes time; where something else was begun meanwhile, what comes of it is dropped. */
async function during(words: string, work: (isStill: () => boolean) => Promise<void>): Promise<void> {
  under?.cancel();
  const mine = ++turn;
  walkBusy.value = words;
  try {
    await work(() => mine === turn);
  } catch (error) {
    if (mine === turn) walkWords.value = wordsOf(error);
  } finally {
    if (mine === turn) walkBusy.value = "";
  }
}

export function stop(): void {
  turn += 1;
  under?.cancel();
  walkBusy.value = "";
}

export function randomWalk(steps: number, wish: number | null): Promise<void> {
  return during("walking at random", async (isStill) => {
    const model = walkModel.value, from = here.value;
    if (!model || !from) return;
    const used = wish ?? Math.floor(Math.random() * 1_000_000);
    const answer = await asked("run/random", { model: model.model, state: from.step.state, steps, seed: used });
    if (!isStill() || here.value !== from) return;
    batch(() => { for (const each of answer.steps) takeStep(each); });
    seed.value = used;
    walkWords.value = answer.stopped ? `After ${count(answer.steps.length, "step")}: ${answer.stopped}` : "";
  });
}

/** Go to a state where a formula is true: on from here, or from the start. */
export function seek(formula: string): Promise<void> {
  return during("looking for a way", async (isStill) => {
    const model = walkModel.value;
    if (!model) return;
    const from = here.value;
    const answer = await asked("run/seek", { model: model.model, state: from?.step.state ?? null, formula });
    if (!isStill()) return;
    if (!answer.run) { walkWords.value = answer.reason || "There is no such state."; return; }
    arrive(answer.run, answer.from);
    const way = answer.run.steps.length - 1;
    walkWords.value = way === 0 ? "It is so here already." : `${count(way, "step")} from ${answer.from === "here" ? "where you were" : "the start"}.`;
  });
}

/** Go along a run: on from here, or from where it begins, which may be another start than the first. */
function arrive(run: Run, from: "here" | "start" | null): void {
  const first = run.steps[0];
  if (!first) return;
  batch(() => {
    player.value = null;
    if (from !== "here" || !here.value) {
      const root = visits.value.find((visit) => visit.parent === null && stateKey(visit.step.state) === stateKey(first.state));
      const id = root?.id ?? visits.value.length;
      if (!root) visits.value = [...visits.value, { id, parent: null, step: first, bookmark: null }];
      at.value = id;
    }
    for (const each of run.steps.slice(1)) takeStep(each);
  });
}

/** A state in the words of a formula. */
export function formulaOf(state: State): string {
  return Object.entries(state).flatMap(([agent, values]) => Object.entries(values).map(([name, value]) => `${agent}.${name} = ${value}`)).join(" and ");
}

/** Walk along a run of evidence, up to a position: with its agents, where their number was free. */
export function forkInto(run: Run, position: number): Promise<void> {
  // What was evaluated in a state of the walk goes on from there.
  const visit = player.value?.found ? undefined : [here.value, ...visits.value].find((each) => each && stateKey(each.step.state) === stateKey(run.steps[0]!.state));
  if (visit) {
    batch(() => {
      player.value = null;
      at.value = visit.id;
      for (const each of run.steps.slice(1, position + 1)) takeStep(each);
    });
    return Promise.resolve();
  }
  return during("taking the run over", async (isStill) => {
    const model = await modelFor(run);
    if (!model || !isStill()) return;
    const part: Run = { steps: run.steps.slice(0, position + 1), loop: null, back: null };
    const answer = await asked("run/replay", { model: model.model, run: part });
    if (!isStill()) return;
    batch(() => {
      // What was walked before stays, unless it was a walk of other agents.
      const isSame = walkModel.value?.model === model.model;
      walkModel.value = model;
      if (isSame) walkBeside(answer.run);
      else walkAlong(answer.run);
      walkWords.value = answer.broken === null ? "" : brokenWords(answer.broken, answer.reason);
    });
  });
}

async function modelFor(run: Run): Promise<Opened | null> {
  const now = usable.value;
  if (!now || now.can_walk) return now;
  return populated(now.model, agentsOf(run, now));
}

function agentsOf(run: Run, model: Opened): Record<string, number> {
  const names = Object.keys(run.steps[0]?.state ?? {});
  return Object.fromEntries(model.templates.map((each) => [each.name, names.filter((name) => templateOf(name, model) === each.name).length]));
}

/** The template of an agent of a population, by its name. */
export function templateOf(name: string, model: Opened): string {
  return model.templates.map((each) => each.name).filter((each) => name.startsWith(each) && /^\d+$/.test(name.slice(each.length))).sort((a, b) => b.length - a.length)[0] ?? name;
}

function brokenWords(position: number, reason: string): string {
  return position <= 0 ? `The walk begins anew: ${reason}` : `The walk goes as far as step ${position - 1}: ${reason}`;
}

// ---------------------------------------------------------------------------------------------- the text changes

let followed: string | null = null;
effect(() => {
  const now = usable.value;
  if (!now || connection.value !== "open" || (followed === now.model && walkModel.peek())) return;
  followed = now.model;
  setTimeout(() => void during("reading", (isStill) => follow(now, isStill).catch((error: unknown) => {
    // A connection that is lost comes back, and then the model is followed again.
    if (connection.peek() !== "open") followed = null;
    throw error;
  })), 0);
});

/** Take the walk over into another model: what still goes stays. */
async function follow(now: Opened, isStill: () => boolean): Promise<void> {
  const before = walkModel.value;
  const model = now.can_walk ? now : await again(now, before);
  if (!isStill()) return;
  if (!model) {
    batch(() => { walkModel.value = null; visits.value = []; at.value = 0; initials.value = null; });
    return;
  }
  const old = { visits: visits.value, at: at.value };
  const start = await asked("run/initial", { model: model.model, limit: 200 });
  if (!isStill()) return;
  const replayed = old.visits.length ? await takeAllAgain(takenIn(model), old.visits, old.at) : null;
  if (!isStill()) return;
  // Somebody has gone on meanwhile: that is to be taken over, too.
  if (visits.value !== old.visits || at.value !== old.at) return follow(now, isStill);
  batch(() => {
    initials.value = start;
    walkModel.value = model;
    if (replayed && replayed.visits.length) {
      visits.value = replayed.visits;
      at.value = replayed.at;
      walkWords.value = replayed.words;
    } else beginAgain(start, replayed?.words ?? "");
  });
}

/** The same population of a model with templates, where there was one. */
async function again(now: Opened, before: Opened | null): Promise<Opened | null> {
  const numbers = before?.population ?? (visits.value.length ? agentsOf(runTo(at.value), now) : null);
  if (!numbers || !now.templates.length || !now.templates.every((each) => each.name in numbers)) return null;
  try {
    return await populated(now.model, Object.fromEntries(now.templates.map((each) => [each.name, numbers[each.name]!])));
  } catch {
    return null;
  }
}

/** Populate the model, and begin. */
export function populate(numbers: Record<string, number>): Promise<void> {
  return during("making the population", async (isStill) => {
    const base = usable.value;
    if (!base) return;
    const model = await populated(base.model, numbers);
    const start = await asked("run/initial", { model: model.model, limit: 200 });
    if (!isStill()) return;
    batch(() => {
      walkModel.value = model;
      initials.value = start;
      beginAgain(start, "");
    });
  });
}

/** Let another agent of a template in, and go the same way with it. */
export function join(template: string): Promise<void> {
  return during("letting it in", async (isStill) => {
    const model = walkModel.value;
    if (!model || !here.value) return;
    let larger: Opened | null = null;
    const again: TakeAgain = async (run) => {
      const answer = await asked("run/join", { model: model.model, template, run });
      larger ??= answer.opened;
      return { steps: answer.run.steps, words: answer.reason };
    };
    const walk = await takeAllAgain(again, visits.value, at.value);
    const opened = larger as Opened | null;
    if (!isStill() || !opened || !walk.visits.length) { walkWords.value = walk.words; return; }
    if (opened.population && usable.value) await populated(usable.value.model, opened.population);
    batch(() => {
      walkModel.value = opened;
      visits.value = walk.visits;
      at.value = walk.at;
      walkWords.value = walk.words;
    });
    initials.value = await asked("run/initial", { model: opened.model, limit: 200 });
  });
}

function beginAgain(start: InitialAnswer, words: string): void {
  const first = start.states[0];
  if (first) {
    const open = player.value;
    beginIn(first);
    player.value = open;
  } else { visits.value = []; at.value = 0; }
  walkWords.value = [words, first ? "" : start.reason || "There is no initial state."].filter(Boolean).join(" ");
}

/** So many branches of a walk are taken over; the one where we are comes first. */
const MOST_BRANCHES = 24;

/** Takes a run again, in another model: as far as it goes, with a word where it breaks. */
type TakeAgain = (run: Run) => Promise<{ steps: readonly Step[]; words: string }>;

function takenIn(model: Opened): TakeAgain {
  return async (run) => {
    const answer = await asked("run/replay", { model: model.model, run });
    return { steps: answer.broken === 0 ? [] : answer.run.steps, words: answer.broken === null ? "" : brokenWords(answer.broken, answer.reason) };
  };
}

/** Take all branches of a walk again, with their bookmarks. */
async function takeAllAgain(again: TakeAgain, old: readonly Visit[], oldAt: number): Promise<{ visits: Visit[]; at: number; words: string }> {
  const parents = new Set(old.map((visit) => visit.parent));
  const leaves = old.filter((visit) => !parents.has(visit.id) && visit.id !== oldAt).map((visit) => visit.id).reverse();
  const made: Visit[] = [];
  const moved = new Map<number, number>();
  let words = "";
  for (const [index, leaf] of [oldAt, ...leaves].slice(0, MOST_BRANCHES).entries()) {
    const path = pathTo(leaf, old);
    let steps: readonly Step[] = [];
    try {
      const answer = await again({ steps: path.map((visit) => visit.step), loop: null, back: null });
      steps = answer.steps;
      if (index === 0) words = answer.words;
    } catch (error) {
      if (!(error instanceof RequestError) || error.failure.kind === "cancelled") throw error;
      if (index === 0) words = `The walk begins anew: ${wordsOf(error)}`;
    }
    if (index === 0 && !steps.length) return { visits: [], at: 0, words };
    let parent: number | null = null;
    for (const [position, each] of steps.entries()) {
      const visit: Visit = path[position]!;
      let id: number | undefined = moved.get(visit.id);
      if (id === undefined) {
        id = made.length;
        made.push({ id, parent, step: each, bookmark: visit.bookmark });
        moved.set(visit.id, id);
      }
      parent = id;
    }
    if (index === 0 && parent !== null) moved.set(oldAt, moved.get(oldAt) ?? parent);
  }
  lastAfter.clear();
  return { visits: made, at: Math.min(moved.get(oldAt) ?? 0, made.length - 1), words };
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

export function complain(error: unknown): void {
  notify(wordsOf(error), "error");
}
