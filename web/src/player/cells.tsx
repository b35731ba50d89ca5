// How the numbers were cut into cells, as a picture that grows round by round.

import { useState } from "preact/hooks";
import { here, type Found } from "../state";
import { Note, Words } from "../walking/parts";
import { SaveMenu } from "../pictures/saving";
import { Plane } from "./plane";
import { cuttingOf, valueOf, type Cut } from "./rounds";
import type { State } from "../protocol";

export function Cells({ found }: { found: Found }) {
  const cutting = cuttingOf(found.predicates, found.account);
  const last = cutting.stages.length - 1;
  const [wish, setStage] = useState<number | null>(null);
  const stage = Math.min(wish ?? last, last);
  const now = cutting.stages[stage]!;
  const cuts = cutting.cuts.filter((cut) => cut.stage <= stage);
  const quantities = [...new Set(cutting.cuts.map((cut) => cut.quantity))];
  const state = here.value?.step.state ?? null;
  const cells = found.account.find((each) => each.name === "cells")?.text;
  return (
    <div class="cells">
      <div class="cells-steps">
        <button type="button" class="v-icon" aria-label="One round back" disabled={stage === 0} onClick={() => setStage(stage - 1)}>←</button>
        <input class="scrubber" type="range" min={0} max={last} value={stage} disabled={last === 0} aria-label="Round" aria-valuetext={`${now.title}: ${now.words}`} onInput={(event) => setStage(event.currentTarget.valueAsNumber)} />
        <button type="button" class="v-icon" aria-label="One round on" disabled={stage === last} onClick={() => setStage(stage + 1)}>→</button>
        <span class="v-quiet">{stage} / {last}</span>
        <SaveMenu exported={{ what: "rounds", params: { model: found.model, title: `${found.data.text}: cells`, rounds: cutting.stages.slice(0, stage + 1).map((each) => ({ title: each.title, words: each.words, cuts: each.added })) } }} />
      </div>
      <p class="cells-words" role="status"><b>{now.title}</b> <Words text={now.words} /> {now.added.length > 0 && <span class="v-quiet">{now.added.length} {now.added.length === 1 ? "cut" : "cuts"}{stage > 0 ? " more" : ""}</span>}</p>
      <Plane cuts={cuts} stage={stage} all={cutting.cuts} state={state} />
      <div class="cell-lines">
        {quantities.map((quantity) => <NumberLine quantity={quantity} all={cutting.cuts.filter((cut) => cut.quantity === quantity)} cuts={cuts.filter((cut) => cut.quantity === quantity)} stage={stage} state={state} />)}
      </div>
      {cutting.others.filter((each) => each.stage <= stage).map((each) => <p class={`cell-other${each.stage === stage && stage > 0 ? " is-new" : ""}`}><code>{each.text}</code> <span class="v-quiet">{each.origin}</span></p>)}
      {last === 0 && <Note>No refinement was needed: what the text itself tells apart is enough.</Note>}
      {cells && <p class="v-quiet">In the end: {cells} cells.</p>}
    </div>
  );
}

const WIDE = 460;

/** A quantity as a line, cut between whole numbers; what was cut just now stands out. */
function NumberLine({ quantity, all, cuts, stage, state }: { quantity: string; all: readonly Cut[]; cuts: readonly Cut[]; stage: number; state: State | null }) {
  const bounds = [...new Set(all.map((cut) => cut.bound))].sort((a, b) => a - b);
  // All cuts have a place from the beginning, so that nothing moves while it grows.
  const place = new Map(bounds.map((bound, index) => [bound, 40 + ((index + 1) * (WIDE - 80)) / (bounds.length + 1)]));
  const shown = bounds.filter((bound) => cuts.some((cut) => cut.bound === bound));
  const edges = [0, ...shown.map((bound) => place.get(bound)!), WIDE];
  const value = state ? valueOf(quantity, (name) => variable(state, name)) : null;
  const cell = value === null ? -1 : shown.filter((bound) => value > bound).length;
  return (
    <figure class="cell-line">
      <figcaption><code>{quantity}</code>{value !== null && <span class="v-quiet" title="In the state where the walk is"> = {value}</span>}</figcaption>
      <svg viewBox={`0 0 ${WIDE} 44`} role="img" aria-label={`${quantity} is cut into ${shown.length + 1} parts: ${partsOf(shown).join(", ")}`}>
        {edges.slice(1).map((edge, index) => (
          <g class={`cell-part${index === cell ? " is-here" : ""}`}>
            <rect x={edges[index]! + 1.5} y={10} width={Math.max(2, edge - edges[index]! - 3)} height={22} rx={5} />
            <text x={(edges[index]! + edge) / 2} y={25} text-anchor="middle">{edge - edges[index]! > 26 ? partsOf(shown)[index] : ""}</text>
          </g>
        ))}
        {shown.map((bound) => {
          const isNew = stage > 0 && cuts.some((cut) => cut.bound === bound && cut.stage === stage) && !cuts.some((cut) => cut.bound === bound && cut.stage < stage);
          return <g class={`cell-cut${isNew ? " is-new" : ""}`}><title>{`${quantity} <= ${bound}: ${cuts.find((cut) => cut.bound === bound)?.origin ?? ""}`}</title><path d={`M${place.get(bound)} 3 V39`} /></g>;
        })}
      </svg>
    </figure>
  );
}

/** What the parts of a line are: "≤ 0", "1", "2 … 4", "≥ 5". */
export function partsOf(bounds: readonly number[]): string[] {
  if (!bounds.length) return ["any"];
  const parts = [`≤ ${bounds[0]}`];
  bounds.slice(1).forEach((bound, index) => {
    const low = bounds[index]! + 1;
    parts.push(low === bound ? String(bound) : `${low} … ${bound}`);
  });
  return [...parts, `≥ ${bounds[bounds.length - 1]! + 1}`];
}

export function variable(state: State, name: string): unknown {
  for (const [agent, values] of Object.entries(state)) if (name.startsWith(`${agent}.`) && name.slice(agent.length + 1) in values) return values[name.slice(agent.length + 1)];
  return undefined;
}
