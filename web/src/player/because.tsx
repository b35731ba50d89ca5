// Why it is so at a state of the run: in words, and with further runs to open.

import type { ExplanationData, Opened, State } from "../protocol";
import { playerAt, usable } from "../state";
import { viewOf } from "../pictures/views";
import { templateOf } from "../walking/walk";
import { ValueShown } from "../walking/parts";
import { openPart, reached, seekTo, type Reached } from "./evidence";

export function Because({ from }: { from: Reached }) {
  const branches = from.because.branches.map((branch, index) => ({ ...branch, index }));
  const here = branches.filter((branch) => branch.position === playerAt.value || !from.because.run);
  const elsewhere = [...new Set(branches.filter((branch) => !here.includes(branch)).map((branch) => branch.position))].sort((a, b) => a - b);
  const state = from.because.run?.steps[playerAt.value]?.state ?? null;
  return (
    <div class="because">
      <p class="because-main"><Value because={from.because} /> {sentence(from.because.text)}</p>
      {here.map((branch) => <Reason because={branch.because} path={[...from.path, branch.index]} state={state} />)}
      {elsewhere.length > 0 && (
        <p class="v-quiet">More is said at {elsewhere.map((position, index) => <>{index > 0 && ", "}<button type="button" class="v-link" onClick={() => seekTo(position)}>state {position}</button></>)}.</p>
      )}
      {!branches.length && !from.because.run && <p class="v-quiet">There is no run to show for it.</p>}
    </div>
  );
}

/** A sentence begins with a capital, but a name or a formula stays as it is. */
function sentence(text: string): string {
  return /^(this|the|no|all|every|each|some|on|in|it|from|there|here|whatever|not) /.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
}

function Value({ because }: { because: ExplanationData }) {
  return <span class={`v-verdict is-${because.value ? "yes" : "no"}`}>{because.value ? "✓" : "✗"}</span>;
}

function Reason({ because, path, state }: { because: ExplanationData; path: readonly number[]; state: State | null }) {
  const run = because.run;
  const isKnowledge = because.relation === "knowledge";
  return (
    <div class={`reason is-${because.relation}`}>
      <p>
        <Value because={because} /> <span>{sentence(because.text)}</span>
        {run && <button type="button" class={`v-btn reason-open${isKnowledge ? " is-red" : ""}`} onClick={() => openPart(path, isKnowledge ? run.steps.length - 1 : 0)}>{isKnowledge ? "See that run" : "See this run"}</button>}
      </p>
      {isKnowledge && run && state && <SameView because={because} state={state} other={run.steps[run.steps.length - 1]!.state} />}
      {because.branches.map((branch, index) => (run ? null : <Reason because={branch.because} path={[...path, index]} state={state} />))}
    </div>
  );
}

/** What the agents see, which is the same in both states. */
function SameView({ because, state, other }: { because: ExplanationData; state: State; other: State }) {
  const model = usable.value;
  if (!model || because.agents.length !== 1) return null;
  const agent = because.agents[0]!;
  const seen = seenBy(agent, state, model).filter(([name, value]) => seenBy(agent, other, model).some(([same, also]) => same === name && also === value));
  return <p class="same-view"><span class="v-quiet">{agent} sees, in both:</span>{seen.length ? seen.map(([name, value]) => <ValueShown name={name} value={value as never} />) : <span class="v-quiet">nothing</span>}</p>;
}

function seenBy(agent: string, state: State, model: Opened): [string, unknown][] {
  if (model.agents.some((each) => each.name === agent)) return viewOf(state, agent, model);
  // An agent of a population sees what its template sees.
  const card = model.agents.find((each) => each.name === templateOf(agent, model));
  const seen = new Set(card?.sees ?? []);
  return Object.entries(state).flatMap(([owner, values]) => Object.entries(values).filter(([name]) => owner === agent || (owner === "Environment" && seen.has(name))).map(([name, value]): [string, unknown] => [`${owner}.${name}`, value]));
}

/** From the whole evidence to the part that is shown. */
export function Crumbs() {
  const way = reached.value.filter((each, index, all) => index === 0 || each.because.run || index === all.length - 1);
  if (way.length < 2) return null;
  return (
    <nav class="crumbs" aria-label="Part of the evidence">
      {way.map((each, index) => {
        const isLast = index === way.length - 1;
        const words = index === 0 ? "the whole evidence" : each.because.relation === "knowledge" ? `what looks the same to ${each.because.agents.join(", ")}` : each.because.formula;
        return <>{index > 0 && <span aria-hidden="true">›</span>}{isLast ? <span aria-current="step">{words}</span> : <button type="button" class="v-link" onClick={() => openPart(each.path, way[index + 1]!.position)}>{words}</button>}</>;
      })}
    </nav>
  );
}
