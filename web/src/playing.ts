// From a verdict to what is behind it.

import { batch } from "@preact/signals";
import { showPane } from "./layout";
import { standingOf, type Row } from "./standing";
import { dialog, notify, player, playerAt, playerPath, select } from "./state";

/** Open the player on the evidence of a verdict; where there is none, say what there is. */
export function play(row: Row): void {
  const standing = standingOf(row);
  const known = standing.found;
  if (!known) {
    notify(standing.tone === "failed" ? standing.words : `${row.label} is not decided yet`);
    return;
  }
  if (!known.data.evidence) {
    if (known.story) { dialog.value = { name: "story", about: row.label }; return; }
    notify(known.data.reason ?? `${row.label} is ${known.data.verdict}: there is no single run that shows it`);
    return;
  }
  const { evidence } = known.data;
  batch(() => {
    player.value = { title: row.own ? row.text : row.label, formula: known.data.text, label: row.label, evidence, story: known.story?.text ?? "", found: known };
    playerPath.value = [];
    playerAt.value = 0;
    select("verdicts", { formula: row.label, line: null });
    showPane("run");
  });
}
