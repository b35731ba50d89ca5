// Formulae in the state where we are: their values, why, and the way to where they are true.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { EvaluateAnswer, Opened, State } from "../protocol";
import { keep, player, playerAt, playerPath, strategies } from "../state";
import { useAnswer } from "./asking";
import { ErrorNote, Note } from "./parts";
import { seek, walkBusy } from "./walk";

/** Formulae whose values are shown wherever the walk leads. */
export const watched = keep("watched", signal<readonly string[]>([]));
const MOST = 8;

export function Formulae({ model, state }: { model: Opened; state: State }) {
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const watch = (formula: string) => {
    watched.value = [formula, ...watched.value.filter((each) => each !== formula)].slice(0, MOST);
  };
  return (
    <div class="formulae">
      <form class="v-row" onSubmit={(event) => { event.preventDefault(); if (text) { watch(text); setTyped(""); } }}>
        <input class="v-input mono is-wide" type="text" spellcheck={false} autocomplete="off" placeholder="A formula, such as K(Sender, received)" aria-label="Formula" value={typed} list="formulae-known"
          onInput={(event) => setTyped(event.currentTarget.value)} />
        <datalist id="formulae-known">
          {model.propositions.map((each) => <option value={each.name} />)}
          {model.formulae.map((each) => <option value={each.text} />)}
        </datalist>
        <button type="submit" class="v-btn is-accent" disabled={!text}>Is it true here?</button>
        <button type="button" class="v-btn" disabled={!text || walkBusy.value !== ""} onClick={() => void seek(text)}>Take me there</button>
      </form>
      {!watched.value.length && <Note>A formula stays here with its value, wherever you go. “Take me there” finds a way to a state where it is true.</Note>}
      <ul class="watched">{watched.value.map((formula) => <Watched key={formula} formula={formula} model={model} state={state} />)}</ul>
    </div>
  );
}

const SIGNS = { true: "✓", false: "✗", undefined: "–", unknown: "?" };
const TONES = { true: "yes", false: "no", undefined: "open", unknown: "open" };

function Watched({ formula, model, state }: { formula: string; model: Opened; state: State }) {
  const { data, error, busy } = useAnswer("run/evaluate", { model: model.model, state, formula, strategies: strategies.value });
  const tone = data ? TONES[data.value] : "open";
  return (
    <li class={`watched-row${busy ? " is-stale" : ""}`}>
      <span class={`v-verdict is-${tone}`} role="status" aria-label={data ? `${formula} is ${data.value}` : "evaluating"}>{data ? <>{SIGNS[data.value]} {data.value}</> : error ? "!" : "…"}</span>
      <span class="watched-words">
        <code>{data?.formula || formula}</code>
        {data?.remark && <span class="v-quiet">{data.remark}</span>}
        {data?.explanation && <span class="v-quiet">{data.explanation.text}</span>}
        {error && <ErrorNote>{error}</ErrorNote>}
      </span>
      {data?.explanation && <button type="button" class="v-link" onClick={() => why(data)}>Why?</button>}
      {data?.value === "false" && <button type="button" class="v-link" onClick={() => void seek(formula)}>Take me there</button>}
      <button type="button" class="v-icon" aria-label={`Forget ${formula}`} onClick={() => { watched.value = watched.value.filter((each) => each !== formula); }}>×</button>
    </li>
  );
}

function why(answer: EvaluateAnswer): void {
  playerPath.value = [];
  playerAt.value = 0;
  player.value = {
    title: answer.formula, formula: answer.formula, label: "here", story: answer.story, found: null,
    evidence: { kind: answer.value === "true" ? "witness" : "counterexample", explanation: answer.explanation, strategies: [], defences: [], clashes: [] },
  };
}
