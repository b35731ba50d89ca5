// From typing to verdicts: a moment after the last key the text is opened, and what is not known yet is checked.

import { batch, effect, signal } from "@preact/signals";
import { edition } from "./documents";
import type { CheckAnswer, CheckParams, CheckProgress, Diagnostic, SanityData } from "./protocol";
import { RequestError, ask, whenForgotten, whenOpen, type Asked } from "./rpc";
import { rowsOf, spoken, standingOf, type Row } from "./standing";
import {
  announcement, checksAsYouType, connection, constants, document_, early, failures, found, hello, isStale, opened, ownFormulae, running, sanityWanted, strategies,
  text, usable, usableConstants, usableText, verdictKey, type Found,
} from "./state";

/** Milliseconds after the last key. */
const PAUSE = 200;
/** Seconds for what is checked while somebody types; who asks for more gets all the time that there is. */
const WHILE_TYPING = 20;
/** So many verdicts are kept: typing makes new ones all the time. */
const MOST_FOUND = 400;

/** Why the text could not even be read; "" where it could. */
export const readFailure = signal("");
export const isReading = signal(false);
/** Deadlock and overflow, by model. */
export const sanityFound = signal<{ model: string; deadlock: SanityData | null; overflow: SanityData | null } | null>(null);
/** How far the checks are that are going on. */
export const progress = signal<{ decided: number; of: number; words: string } | null>(null);

interface Check { asked: Asked<CheckAnswer>; rows: Row[]; reading: string; said: Partial<CheckProgress> }
const checks = new Set<Check>();

// ---------------------------------------------------------------------------------------------- reading

interface Source { text: string; name: string; constants: Record<string, number> }
/** What the models were opened from, so that they can be opened again. */
const sources = new Map<string, Source>();
let reading: Asked<unknown> | null = null;
let soon: ReturnType<typeof setTimeout> | undefined;
let turn = 0;
/** The edition that `usable` belongs to: what was open before is of no use. */
let usableOf = 0;

export function startChecking(): void {
  let seen = edition.peek();
  effect(() => {
    void text.value; void constants.value; void document_.value.name;
    const isNew = seen !== edition.value;
    seen = edition.value;
    clearTimeout(soon);
    soon = setTimeout(() => void read(), isNew ? 0 : PAUSE);
  });
  whenOpen(() => { clearTimeout(soon); soon = setTimeout(() => void read(), 0); });
  whenForgotten(async (model) => {
    const source = sources.get(model);
    return source ? (await ask("model/open", source).answer).model === model : false;
  });
  effect(() => {
    void strategies.value; void ownFormulae.value; void sanityWanted.value;
    if (checksAsYouType.value && usable.value && text.peek() === usableText.peek()) queueMicrotask(checkMissing);
  });
}

async function read(): Promise<void> {
  if (connection.value !== "open" || edition.value === 0) return;
  const mine = ++turn;
  const source: Source = { text: text.value, name: document_.value.name, constants: constants.value };
  reading?.cancel();
  const asked = ask("model/open", source);
  reading = asked;
  isReading.value = true;
  try {
    const answer = await asked.answer;
    if (mine !== turn) return;
    sources.set(answer.model, source);
    if (sources.size > 50) sources.delete(sources.keys().next().value!);
    batch(() => {
      readFailure.value = "";
      opened.value = answer;
      if (answer.has_errors && usableOf === edition.value) return;
      usableOf = edition.value;
      usable.value = answer.has_errors ? null : answer;
      usableText.value = answer.has_errors ? "" : source.text;
      usableConstants.value = JSON.stringify(source.constants);
      // What came to nothing with another text may come to something with this one.
      failures.value = new Map();
    });
    if (!answer.has_errors) dropOldChecks();
    if (!answer.has_errors && checksAsYouType.value) checkMissing();
  } catch (error) {
    if (mine === turn) readFailed(error);
  } finally {
    if (mine === turn) isReading.value = false;
  }
}

function readFailed(error: unknown): void {
  if (!(error instanceof RequestError) || error.failure.kind === "cancelled") return;
  // A constant that the text has no longer cannot be set.
  const names = new Set(opened.value?.constants.map((each) => each.name));
  const left = Object.fromEntries(Object.entries(constants.value).filter(([name]) => names.has(name)));
  if (Object.keys(left).length < Object.keys(constants.value).length) constants.value = left;
  readFailure.value = wordsOf(error);
}

export function wordsOf(error: unknown): string {
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error);
  return diagnosed(error.failure.diagnostics ?? []) || error.message;
}

function diagnosed(some: readonly Diagnostic[]): string {
  return some.filter((each) => each.severity === "error").map((each) => [each.message, ...each.notes, each.help].filter(Boolean).join("; ")).join("\n");
}

// ---------------------------------------------------------------------------------------------- checking

/** Checks of an older text are of no use, unless all they decide is still wanted. */
function dropOldChecks(): void {
  const wanted = new Set(rowsOf(usable.value).map((row) => verdictKey(row)));
  for (const check of [...checks]) {
    if (!check.rows.every((row) => wanted.has(verdictKey(row, check.reading)))) drop(check);
  }
}

function drop(check: Check): void {
  checks.delete(check);
  check.asked.cancel();
  forget(check);
}

export function checkMissing(): void {
  const model = usable.value;
  if (!model || connection.value !== "open") return;
  const missing = rowsOf(model).filter((row) => isMissing(verdictKey(row)));
  const ofText = missing.filter((row) => !row.own);
  const timeout = Math.min(WHILE_TYPING, hello.value?.limits.seconds ?? WHILE_TYPING);
  if (ofText.length) begin(ofText, { model: model.model, numbers: ofText.map((row) => row.number), timeout });
  // Each by itself: a mistake in one is no mistake of the others.
  for (const row of missing.filter((each) => each.own)) begin([row], { model: model.model, formulae: [row.text], timeout });
  checkSanity();
}

function isMissing(key: string): boolean {
  return !found.value.has(key) && !running.value.has(key) && !failures.value.has(key);
}

/** Check all that is not decided; where all is, check it again. */
export function checkAll(): void {
  if (isStale.value) { clearTimeout(soon); void read().then(() => { if (!checksAsYouType.value) checkMissing(); }); return; }
  const all = rowsOf(usable.value);
  const open = all.filter((row) => { const key = verdictKey(row); return !running.value.has(key) && (found.value.get(key)?.data.verdict ?? "unknown") === "unknown"; });
  recheck(open.length ? open : all.filter((row) => !running.value.has(verdictKey(row))));
  checkSanity();
}

/** Check these again, whatever is known of them. */
export function recheck(some: readonly Row[]): void {
  const model = usable.value;
  if (!model) return;
  const ofText = some.filter((row) => !row.own);
  if (ofText.length) begin(ofText, { model: model.model, numbers: ofText.map((row) => row.number) });
  for (const row of some.filter((each) => each.own)) begin([row], { model: model.model, formulae: [row.text] });
}

export function stopAll(): void {
  stopSanity();
  for (const check of [...checks]) {
    const known = new Map(check.rows.map((row) => [verdictKey(row, check.reading), early.value.get(verdictKey(row, check.reading))]));
    batch(() => {
      drop(check);
      // What was decided by then stays, without evidence.
      for (const [key, verdict] of known) {
        if (verdict) early.value = new Map(early.value).set(key, verdict);
        else put(failures, key, "it was stopped");
      }
    });
  }
}

function begin(rows: Row[], params: CheckParams): void {
  const read = strategies.value;
  const check: Check = { rows, reading: read, said: {}, asked: ask("model/check", { ...params, strategies: read, evidence: true }, (said) => hear(check, said)) };
  checks.add(check);
  batch(() => {
    const now = new Map(running.value), failed = new Map(failures.value);
    for (const row of rows) { now.set(verdictKey(row, read), ""); failed.delete(verdictKey(row, read)); }
    running.value = now;
    failures.value = failed;
    tellProgress();
  });
  check.asked.answer.then((answer) => take(check, answer, params.model), (error: unknown) => failed(check, error));
}

function hear(check: Check, said: Partial<CheckProgress>): void {
  if (!checks.has(check)) return;
  check.said = { ...check.said, ...said };
  batch(() => {
    const now = new Map(running.value), soonKnown = new Map(early.value);
    const news: Row[] = [];
    for (const row of check.rows) {
      const key = verdictKey(row, check.reading);
      const verdict = said.found?.[String(row.own ? 1 : row.number)];
      if (verdict && !soonKnown.has(key)) { soonKnown.set(key, verdict); news.push(row); }
      else if (!soonKnown.has(key) && said.words) now.set(key, said.words);
    }
    running.value = now;
    early.value = soonKnown;
    announce(news);
    tellProgress();
  });
}

function take(check: Check, answer: CheckAnswer, model: string): void {
  if (!checks.delete(check)) return;
  batch(() => {
    const now = new Map(found.value);
    const news: Row[] = [];
    const byNumber = new Map(answer.result.formulae.map((each) => [each.index, each]));
    for (const [place, row] of check.rows.entries()) {
      const data = row.own ? answer.result.formulae[0] : byNumber.get(row.number) ?? answer.result.formulae[place];
      const key = verdictKey(row, check.reading);
      if (!data) { put(failures, key, diagnosed(answer.result.diagnostics) || "the answer says nothing of it"); continue; }
      const item: Found = {
        data, story: answer.stories[String(data.index)] ?? null, strategies: check.reading, predicates: answer.result.predicates ?? [],
        account: answer.result.account ?? [], states: answer.result.states, fromStore: answer.from_store, model,
      };
      now.delete(key);
      now.set(key, item);
      if (!early.value.has(key)) news.push(row);
    }
    while (now.size > MOST_FOUND) now.delete(now.keys().next().value!);
    found.value = now;
    forget(check);
    announce(news);
  });
}

function failed(check: Check, error: unknown): void {
  if (!checks.delete(check)) return;
  batch(() => {
    forget(check);
    // A connection that was lost comes back, and the check with it.
    if (error instanceof RequestError && error.failure.kind === "cancelled") return;
    for (const row of check.rows) put(failures, verdictKey(row, check.reading), wordsOf(error));
  });
}

/** Nothing of this check is going on any more. */
function forget(check: Check): void {
  batch(() => {
    const now = new Map(running.value), soonKnown = new Map(early.value);
    for (const row of check.rows) { now.delete(verdictKey(row, check.reading)); soonKnown.delete(verdictKey(row, check.reading)); }
    running.value = now;
    early.value = soonKnown;
    tellProgress();
  });
}

function put(map: typeof failures, key: string, words: string): void {
  map.value = new Map(map.value).set(key, words);
}

function tellProgress(): void {
  if (!checks.size) { progress.value = sanityBusy.peek() ? { decided: 0, of: 1, words: "the model itself" } : null; return; }
  const all = [...checks];
  const decided = all.reduce((sum, each) => sum + each.rows.filter((row) => early.value.has(verdictKey(row, each.reading))).length, 0);
  progress.value = { decided, of: all.reduce((sum, each) => sum + each.rows.length, 0), words: all.map((each) => each.said.words ?? "").find(Boolean) ?? "" };
}

/** Tell those who listen what has been decided. */
function announce(news: readonly Row[]): void {
  if (!news.length) return;
  const all = news.map((row) => ({ row, standing: standingOf(row) }));
  if (all.length <= 12) { announcement.value = all.map(({ row, standing }) => spoken(row, standing)).join(". "); return; }
  const odd = all.filter(({ standing }) => standing.tone !== "yes");
  announcement.value = `${all.length} formulae are decided; ${odd.length ? `not as expected: ${odd.slice(0, 8).map(({ row, standing }) => spoken(row, standing)).join(". ")}` : "all as expected"}`;
}

// ---------------------------------------------------------------------------------------------- the model itself

let sanityAsked: Asked<CheckAnswer> | null = null;
let sanityKey = "";
export const sanityBusy = signal(false);
export const sanityFailure = signal("");

function checkSanity(): void {
  const model = usable.value;
  const { deadlock, overflow } = sanityWanted.value;
  if (!model || (!deadlock && !overflow)) { sanityKey = ""; return; }
  const key = `${model.model} ${deadlock} ${overflow}`;
  if (key === sanityKey) return;
  sanityKey = key;
  sanityAsked?.cancel();
  sanityBusy.value = true;
  sanityFailure.value = "";
  tellProgress();
  // A formula that costs nothing: no list at all would be all formulae.
  const asked = ask("model/check", { model: model.model, formulae: ["true"], check_deadlock: deadlock, check_overflow: overflow, evidence: true });
  sanityAsked = asked;
  asked.answer.then(
    ({ result }) => { if (sanityAsked === asked) { sanityFound.value = { model: model.model, ...result.checks }; } },
    (error: unknown) => { if (sanityAsked === asked) { sanityFailure.value = wordsOf(error); sanityKey = ""; } },
  ).finally(() => { if (sanityAsked === asked) { sanityBusy.value = false; tellProgress(); } });
}

function stopSanity(): void {
  if (!sanityBusy.value) return;
  sanityAsked?.cancel();
  sanityAsked = null;
  sanityBusy.value = false;
  sanityKey = "";
  sanityFailure.value = "it was stopped";
  tellProgress();
}
