// How a formula stands, in signs and words: the text, the list of verdicts and those who listen are told the same.

import { computed } from "@preact/signals";
import type { FormulaLine, Opened } from "./protocol";
import { early, failures, found, ownFormulae, running, strategies, usable, verdictKey, type Found } from "./state";

/** A formula that is shown: one of the text, or one that was typed beside it. */
export interface Row extends FormulaLine { own: boolean }

export interface Standing {
  sign: string;
  word: string;
  /** yes: as expected; no: otherwise; open: neither true nor false; the rest is not decided. */
  tone: "yes" | "no" | "open" | "running" | "idle" | "failed";
  /** ", as expected", ", expected false", or nothing where nobody said what to expect. */
  remark: string;
  seconds: number | null;
  found: Found | null;
  /** What is being done. */
  words: string;
}

/** As everywhere in Gnomon: as expected, otherwise, neither true nor false. */
const SIGNS = { yes: "✓", no: "✗", open: "?" } as const;

export function rowsOf(model: Opened | null): Row[] {
  if (!model) return [];
  const own = ownFormulae.value.map((text, index): Row => ({
    own: true, number: -1 - index, name: "", label: text, text, line: 0, end_line: 0, expected: "true", declared: false,
    has_coalition: true, reading: "", key: `own ${model.model} ${text}`,
  }));
  return [...model.formulae.map((each) => ({ ...each, own: false })), ...own];
}

const allRows = computed(() => rowsOf(usable.value));
export function rows(): Row[] {
  return allRows.value;
}

/** All of them, with how they stand. */
export const items = computed(() => allRows.value.map((row) => ({ row, standing: standingOf(row) })));

export function standingOf(row: Row): Standing {
  const key = verdictKey(row, strategies.value);
  const known = found.value.get(key) ?? null;
  const words = running.value.get(key);
  const soon = early.value.get(key);
  const nothing = { remark: "", seconds: null, found: known, words: "" };
  if (words !== undefined && !soon) return { ...nothing, sign: "…", word: "running", tone: "running", words };
  // What one formula is expected to be is its own: the same formula may stand elsewhere in the text with another wish.
  if (known) return decided(row, known.data.verdict, isExpected(row, known.data.verdict), known.data.seconds, known);
  if (soon) return decided(row, soon.verdict, isExpected(row, soon.verdict), soon.seconds, null);
  const failure = failures.value.get(key);
  if (failure !== undefined) return { ...nothing, sign: "!", word: "not checked", tone: "failed", words: failure };
  return { ...nothing, sign: "◌", word: "not checked", tone: "idle" };
}

export function isExpected(row: Pick<Row, "expected">, verdict: string): boolean {
  return verdict === (row.expected || "true");
}

function decided(row: Row, verdict: string, asExpected: boolean, seconds: number, known: Found | null): Standing {
  const isOpen = verdict !== "true" && verdict !== "false";
  const tone = asExpected ? "yes" : isOpen ? "open" : "no";
  const remark = !row.declared ? "" : asExpected ? ", as expected" : `, expected ${row.expected}`;
  return { sign: SIGNS[tone], word: verdict, tone, remark, seconds: verdict === "unknown" ? null : seconds, found: known, words: "" };
}

/** What the signs mean, wherever they stand. */
const MEANINGS: Readonly<Record<Standing["tone"], string>> = {
  yes: "As expected: true, unless the text says otherwise", no: "Not as expected", open: "Neither true nor false was found", running: "Being checked", failed: "The check came to nothing", idle: "Not checked",
};
export function signWords(tone: Standing["tone"], isOwn = false): string {
  return isOwn && tone === "yes" ? "True" : isOwn && tone === "no" ? "False" : MEANINGS[tone];
}

/** Those of which something is expected; a formula of one's own that is decided is an answer. */
export function isHeldToIt({ row, standing }: { row: Row; standing: Standing }): boolean {
  return !row.own || (standing.tone !== "yes" && standing.tone !== "no");
}

/** In one line, for those who listen. */
export function spoken(row: Row, standing: Standing): string {
  return `${row.own ? row.text : row.label}: ${standing.word}${standing.remark}`;
}

export function time(seconds: number): string {
  if (seconds < 0.0095) return `${Math.max(1, Math.round(seconds * 1_000))} ms`;
  if (seconds < 0.95) return `${Math.round(seconds * 1_000)} ms`;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export function count(amount: number | string): string {
  return String(amount).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}
