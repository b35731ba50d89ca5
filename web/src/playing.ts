// From a verdict to what is behind it.

import { batch, effect } from "@preact/signals";
import { recheck } from "./checking";
import { showPane } from "./layout";
import { standingOf, type Row } from "./standing";
import type { EvidenceData } from "./protocol";
import { dialog, notify, player, playerAt, playerPath, running, select, verdictKey, type Found } from "./state";

/** What the player can show of a verdict without a run: how the numbers were cut, or what holds for any number of agents. */
export function hasPicture(known: Found): boolean {
  return known.predicates.length > 0 || known.data.agents !== undefined;
}

export function evidenceOf(known: Found): EvidenceData | null {
  const nothing: EvidenceData = { kind: known.data.verdict === "true" ? "witness" : "counterexample", explanation: null, strategies: [], defences: [], clashes: [] };
  return known.data.evidence ?? (hasPicture(known) ? nothing : null);
}

function isRunning(row: Row): boolean {
  return running.value.has(verdictKey(row));
}

let stopWaiting: () => void = () => {};

/** Play what is behind a formula once its check is over, unless something else is played before. */
function waitFor(row: Row): void {
  const stop = effect(() => {
    if (isRunning(row)) return;
    queueMicrotask(() => { stopWaiting(); if (standingOf(row).found) play(row); });
  });
  stopWaiting = () => { stop(); stopWaiting = () => {}; };
}

/** Open the player on the evidence of a verdict; where there is none, say what there is. */
export function play(row: Row): void {
  const standing = standingOf(row);
  const known = standing.found;
  stopWaiting();
  if (!known && isRunning(row)) {
    notify(`${row.label} is played as soon as its evidence is there`);
    waitFor(row);
    return;
  }
  if (!known && ["yes", "no", "open"].includes(standing.tone)) {
    notify(`The check of ${row.label} was stopped before its evidence was there: it is checked again`);
    recheck([row]);
    return;
  }
  if (!known) {
    notify(standing.tone === "failed" ? standing.words : `${row.label} is not decided yet`);
    return;
  }
  const evidence = evidenceOf(known);
  if (!evidence) {
    if (known.story) { dialog.value = { name: "story", about: row.label }; return; }
    notify(known.data.reason ?? `${row.label} is ${known.data.verdict}: there is no single run that shows it`);
    return;
  }
  batch(() => {
    player.value = { title: row.own ? row.text : row.label, formula: known.data.text, label: row.label, evidence, story: known.story?.text ?? "", found: known };
    playerPath.value = [];
    playerAt.value = 0;
    select("verdicts", { formula: row.label, line: null });
    showPane("run");
  });
}
