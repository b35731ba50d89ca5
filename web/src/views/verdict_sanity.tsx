// Questions about the model itself: can it get stuck, can a number leave its range.

import { batch } from "@preact/signals";
import { sanityBusy, sanityFailure, sanityFound } from "../checking";
import { showPane } from "../layout";
import type { SanityData } from "../protocol";
import { Icon } from "../shell/icons";
import { player, playerAt, playerPath, sanityWanted, usable } from "../state";
import { time } from "../standing";
import { VerdictSign } from "./verdict_row";

export function SanityRows() {
  const wanted = sanityWanted.value;
  const found = sanityFound.value?.model === usable.value?.model ? sanityFound.value : null;
  if (!wanted.deadlock && !wanted.overflow) return null;
  return (
    <ul class="verdict-list is-sanity" aria-label="The model itself">
      {wanted.deadlock && <SanityRow name="deadlock" data={found?.deadlock ?? null} />}
      {wanted.overflow && <SanityRow name="overflow" data={found?.overflow ?? null} />}
    </ul>
  );
}

function SanityRow({ name, data }: { name: string; data: SanityData | null }) {
  const tone = data ? data.as_expected ? "yes" : data.found ? "no" : "open" : sanityBusy.value ? "running" : sanityFailure.value ? "failed" : "idle";
  const sign = { yes: "✓", no: "✗", open: "?", running: "…", failed: "!", idle: "◌" }[tone];
  const word = data ? data.found ? "found" : data.as_expected ? "none" : "unknown" : sanityBusy.value ? "running" : "not checked";
  const show = () => batch(() => {
    player.value = { title: name, formula: "", label: name, evidence: data!.evidence!, story: "", found: null };
    playerPath.value = [];
    playerAt.value = 0;
    showPane("run");
  });
  return (
    <li class={`verdict tone-${tone}`}>
      <div class="verdict-main is-still">
        <VerdictSign standing={{ sign, tone }} />
        <span class="verdict-body">
          <span class="verdict-line"><span class="verdict-name">{name}</span><span class={`verdict-chip tone-${tone}`}>{word}</span><span class="grow" />{data && <span class="verdict-time">{time(data.seconds)}</span>}</span>
          <span class="verdict-words quiet">{data ? data.reason ?? data.claim : sanityFailure.value}</span>
        </span>
        {data?.evidence && <button type="button" class="button is-small" onClick={show}><Icon name="play" />Play</button>}
      </div>
    </li>
  );
}
