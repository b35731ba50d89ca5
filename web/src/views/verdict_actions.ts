// What can be done with a verdict.

import { dialog, notify, ownFormulae, select } from "../state";
import { standingOf, type Row } from "../standing";

export function openStory(row: Row): void {
  if (standingOf(row).found?.story) dialog.value = { name: "story", about: row.label };
  else notify(`There is no story about ${row.label}`);
}

export function openExplain(row: Row): void {
  dialog.value = { name: "explain", about: row.label };
}

/** Put a formula of one's own into the list, and select it. */
export function addOwn(formula: string): void {
  const words = formula.trim().replace(/;$/, "");
  if (!words) return;
  if (!ownFormulae.value.includes(words)) ownFormulae.value = [...ownFormulae.value, words];
  select("verdicts", { formula: words, line: null });
}

export function removeOwn(formula: string): void {
  ownFormulae.value = ownFormulae.value.filter((each) => each !== formula);
}
