// A word about a pane that is behind another.

import { isHeldToIt, items } from "../standing";
import { opened, player, type Pane } from "../state";

export function tabBadge(pane: Pane) {
  if (pane === "verdicts") {
    const odd = items.value.filter((each) => isHeldToIt(each) && ["no", "open", "failed"].includes(each.standing.tone)).length;
    return odd ? <span class="badge tone-no" title="not as expected">{odd}</span> : null;
  }
  if (pane === "text") {
    const errors = opened.value?.diagnostics.filter((each) => each.severity === "error").length ?? 0;
    return errors ? <span class="badge tone-no" title="mistakes">{errors}</span> : null;
  }
  return pane === "run" && player.value ? <span class="badge tone-yes" title="a run is shown">▸</span> : null;
}
