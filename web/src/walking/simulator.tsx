// The simulator: where the walk is, what may happen next, and all that can be asked about this state.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { State } from "../protocol";
import { at, here, keep, opened, pathTo, select, stateKey, usable, visits, walkModel } from "../state";
import { Alike } from "./alike";
import { Cell } from "./cell";
import { Drop } from "./drop";
import { Formulae, watched } from "./formula";
import { listed, Moves, useMoves } from "./moves";
import { Busy, Note, Nothing, Tabs, ValueShown, variablesApart, Words } from "./parts";
import { PopulationBar, PopulationChooser } from "./population";
import { StateTable } from "./state_table";
import { Keeping, TheWay, Trail } from "./trail";
import { back, beginIn, forward, forwardFrom, initials, randomWalk, seed, step, stop, walkBusy, walkWords } from "./walk";

type RunTab = "moves" | "alike" | "formulae" | "way" | "cell";
export const runTab = keep("runTab", signal<RunTab>("moves"));

export function Simulator() {
  const model = walkModel.value, now = here.value;
  if (!usable.value) return <Nothing title={opened.value?.has_errors ? "The text has mistakes" : "Nothing to walk through yet"} />;
  if (!model || !usable.value.can_walk && !model.population) {
    return usable.value.templates.length
      ? <Nothing title="How many agents?"><p>This model is about any number of them. Choose a number of each, and walk.</p><PopulationChooser /></Nothing>
      : walkBusy.value ? <Busy words={walkBusy.value} /> : <Nothing title="Nothing to walk through">{walkWords.value && <p>{walkWords.value}</p>}</Nothing>;
  }
  if (!now) return walkBusy.value ? <Busy words={walkBusy.value} /> : <Nothing title="There is no state to begin in">{walkWords.value && <p>{walkWords.value}</p>}</Nothing>;
  return <Walking state={now.step.state} />;
}

function Walking({ state }: { state: State }) {
  const model = walkModel.value!, now = here.value!;
  const moves = useMoves(model, state);
  const before = now.parent === null ? null : visits.value[now.parent]?.step.state ?? null;
  const holds = moves.data?.propositions ?? [];
  const tabs: { tab: RunTab; words: string; badge?: string }[] = [
    { tab: "moves", words: "Moves", ...(moves.data ? { badge: moves.data.total.toLocaleString("en") } : {}) },
    { tab: "alike", words: "Who knows" },
    { tab: "formulae", words: "Formulae", ...(watched.value.length ? { badge: String(watched.value.length) } : {}) },
    { tab: "way", words: "The way" },
    ...(model.kind === "unbounded" ? [{ tab: "cell" as const, words: "Cell" }] : []),
  ];
  const tab = tabs.some((each) => each.tab === runTab.value) ? runTab.value : "moves";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const move = /^[1-9]$/.test(event.key) ? listed.value[Number(event.key) - 1] : undefined;
    if (move) step(move.step);
    else if (event.key === "Backspace") back();
    else if (event.key === "f") forward();
    else if (event.key === "r") void randomWalk(1, null);
    else return;
    event.preventDefault();
  };
  return (
    <div class="sim" onKeyDown={onKeyDown}>
      <div class="sim-bar">
        <button type="button" class="v-icon" disabled={now.parent === null} title="Back (Backspace)" aria-label="Back" onClick={back}>←</button>
        <button type="button" class="v-icon" disabled={forwardFrom(at.value) === null} title="Forward (F)" aria-label="Forward" onClick={forward}>→</button>
        <span class="sim-step" role="status">step {pathTo(at.value, visits.value).length - 1}</span>
        <Starts />
        <span class="v-gap" />
        <RandomWalk />
        <Keeping />
      </div>
      <PopulationBar />
      <Trail />
      {walkBusy.value && <Busy words={walkBusy.value} onStop={stop} />}
      {walkWords.value && <p class="sim-words" role="status"><span><Words text={walkWords.value} /></span><button type="button" class="v-icon" aria-label="Dismiss" onClick={() => { walkWords.value = ""; }}>×</button></p>}
      <div class="sim-body">
        <div class="sim-state">
          <StateTable state={state} before={before} label="The state" />
          <div class="holds">
            {holds.map((name) => <Holding name={name} />)}
            {moves.data && !holds.length && model.propositions.length > 0 && <span class="v-quiet">no proposition holds</span>}
          </div>
        </div>
        <div class="sim-ask">
          <Tabs label="About this state" tabs={tabs} value={tab} onChange={(next) => { runTab.value = next; }}>
            {tab === "moves" && <Moves answer={moves} />}
            {tab === "alike" && <Alike model={model} state={state} />}
            {tab === "formulae" && <Formulae model={model} state={state} />}
            {tab === "way" && <TheWay />}
            {tab === "cell" && <Cell model={model} state={state} />}
          </Tabs>
        </div>
      </div>
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, select, textarea") || target.isContentEditable);
}

function Holding({ name }: { name: string }) {
  const about = walkModel.value?.propositions.find((each) => each.name === name);
  return <button type="button" class="v-holds" title={about?.text ?? name} disabled={about?.line == null} onClick={() => select("run", { line: about?.line ?? null })}>{name}</button>;
}

/** Where the walk may begin, told by what is different there. */
function Starts() {
  const answer = initials.value;
  const first = pathTo(at.value, visits.value)[0]?.step.state;
  if (!answer || !first) return null;
  const states = answer.states;
  const mine = states.findIndex((each) => stateKey(each) === stateKey(first));
  if (states.length <= 1) return <button type="button" class="v-btn" disabled={visits.value.length <= 1} title="Forget the walk, and begin anew" onClick={() => beginIn(states[0] ?? first)}>Begin anew</button>;
  const varying = variablesApart(states);
  return (
    <Drop summary={<>Start {mine >= 0 ? `${mine + 1} of ` : ""}{states.length}{answer.more ? "+" : ""}</>}>
      {(close) => (
        <>
          <p class="v-quiet">Begin anew in one of the initial states:</p>
          <div class="starts">
            {states.map((state, index) => (
              <button type="button" class={`start${index === mine ? " is-here" : ""}`} onClick={() => { beginIn(state); close(); }}>
                <span class="v-quiet">{index + 1}</span>
                <span class="start-values">
                  {[...new Set(varying.map((each) => each.agent))].map((agent) => (
                    <span class="start-agent"><b>{agent}</b>{varying.filter((each) => each.agent === agent).map(({ variable }) => <ValueShown name={variable} value={state[agent]?.[variable] ?? ""} />)}</span>
                  ))}
                </span>
              </button>
            ))}
          </div>
          {answer.more && <Note>There are more: {answer.reason || "these are the first"}.</Note>}
        </>
      )}
    </Drop>
  );
}

function RandomWalk() {
  const [steps, setSteps] = useState(10);
  const [wish, setWish] = useState("");
  const go = () => void randomWalk(Math.min(1000, Math.max(1, steps || 1)), /^\d+$/.test(wish.trim()) ? Number(wish.trim()) : null);
  return (
    <span class="v-joined">
      <button type="button" class="v-btn" disabled={walkBusy.value !== ""} title="Go on at random (R: one step)" onClick={go}>Random ×{steps || 1}</button>
      <Drop summary="" label="How to go on at random" asForm={(close) => { go(); close(); }}>
        {() => (
          <>
            <label class="v-field"><span>Steps</span><input class="v-input is-number" type="number" min={1} max={1000} value={steps} onInput={(event) => setSteps(event.currentTarget.valueAsNumber)} /></label>
            <label class="v-field"><span>Seed</span><input class="v-input is-number" type="text" inputMode="numeric" value={wish} placeholder={seed.value === null ? "any" : String(seed.value)} onInput={(event) => setWish(event.currentTarget.value)} /></label>
            {seed.value !== null && <p class="v-quiet">The last walk had seed {seed.value}: from the same state the same seed gives the same walk.</p>}
            <button type="submit" class="v-btn is-accent">Walk</button>
          </>
        )}
      </Drop>
    </span>
  );
}
