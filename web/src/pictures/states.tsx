// The reachable states as a picture: all of them where they are few, folded where they are many.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Box, GraphParams, Opened, State } from "../protocol";
import { at, here, pathTo, select, selection, stateKey, visits, walkModel } from "../state";
import { showPane } from "../layout";
import { playerRun } from "../player/evidence";
import { asked, useAnswer } from "../walking/asking";
import { Busy, changesOf, ErrorNote, Note, Nothing, ValueShown } from "../walking/parts";
import { PopulationChooser } from "../walking/population";
import { formulaOf, goTo, seek } from "../walking/walk";
import { DrawingView } from "./drawing";
import { Folding } from "./folding";
import { drawnModel, graph, graphParams, setGraph } from "./settings";

/** More are not marked: a walk of thousands of steps covers the picture anyway. */
const MOST_MARKED = 2_000;
const NO_BOXES: readonly Box[] = [];

export function StatesPicture() {
  const model = drawnModel.value;
  const params = graphParams.value;
  const { data, error, busy } = useAnswer("model/graph", params, 60);
  const seen = useBoxes(data?.drawing.boxes ?? NO_BOXES, params);
  if (!model) return null;
  if (!model.can_walk) return <div class="states-view"><Nothing title="How many agents?"><p>The states of a population can be drawn.</p><PopulationChooser /></Nothing></div>;
  const isWalked = here.value !== null && walkModel.value?.model === model.model;
  const current = isWalked ? seen(here.value!.step.state) : null;
  const marked = new Set(statesToMark().map(seen).filter((each) => each !== null));
  const isChosen = graph.value.fold !== "auto";
  const tooMany = !isChosen && data !== null && data.drawing.cut;
  return (
    <div class="states-view">
      <Folding model={model} />
      {tooMany && <Suggestion model={model} states={data.states} complete={data.complete} />}
      {error && <ErrorNote>{error}</ErrorNote>}
      {!params && <Note>{graph.value.fold === "distance" ? "Walk somewhere first: the picture shows what is near." : "Choose at least one."}</Note>}
      {!data && busy && <Busy words="Drawing" />}
      {data && (
        <div class={`states-picture${busy ? " is-stale" : ""}`}>
          <DrawingView drawing={data.drawing} label="States" current={current} selected={selection.value.state ? seen(selection.value.state) : null} marked={marked}
            onBox={(box) => select("model", { state: box.state })} exported={params ? { what: "graph", params } : undefined}
            toolbar={<span class="v-quiet states-count">{statesWords(data.states, data.complete, data.drawing.boxes.length)}</span>} />
        </div>
      )}
      {selection.value.state && <SelectedState state={selection.value.state} />}
    </div>
  );
}

function statesWords(states: number, complete: boolean, boxes: number): string {
  const many = `${states.toLocaleString("en")} ${states === 1 ? "state" : "states"}`;
  if (!complete) return boxes === states ? `the first ${many}` : `${many} or more, ${boxes.toLocaleString("en")} boxes`;
  return boxes === states ? many : `${many}, ${boxes.toLocaleString("en")} ${boxes === 1 ? "box" : "boxes"}`;
}

function Suggestion({ model, states, complete }: { model: Opened; states: number; complete: boolean }) {
  const some = model.agents.filter((agent) => agent.variables.length > 0).slice(0, 2).map((agent) => agent.name);
  return (
    <div class="v-hint">
      <p>There are {complete ? states.toLocaleString("en") : `more than ${states.toLocaleString("en")}`} states: only the first are drawn. Folded, the picture may show all of them.</p>
      <div class="v-row">
        {model.propositions.length > 0 && <button type="button" class="v-btn is-accent" onClick={() => setGraph({ fold: "propositions", propositions: model.propositions.slice(0, 6).map((each) => each.name) })}>By propositions</button>}
        {some.length > 0 && <button type="button" class="v-btn" onClick={() => setGraph({ fold: "agents", agents: some.slice(0, 1) })}>By {some[0]}</button>}
        <button type="button" class="v-btn" onClick={() => setGraph({ fold: "distance" })}>What is near</button>
        <button type="button" class="v-btn" onClick={() => setGraph({ fold: "none", limit: 400 })}>Draw 400</button>
      </div>
    </div>
  );
}

/** What is selected, by what is different there from where we are, and how to get there. */
function SelectedState({ state }: { state: State }) {
  const now = here.value?.step.state ?? null;
  const visited = visits.value.find((visit) => stateKey(visit.step.state) === stateKey(state));
  const changes = now ? changesOf(now, state) : [];
  const isHere = now !== null && stateKey(now) === stateKey(state);
  const go = () => {
    if (visited) goTo(visited.id);
    else void seek(formulaOf(state));
    showPane("run");
  };
  return (
    <div class="states-selected" role="status">
      <div class="states-changes" tabindex={0} role="group" aria-label="What is different there">
        {isHere ? <span class="v-quiet">This is where the walk is.</span> : now === null ? <span class="v-quiet">A state is selected.</span> : (
          <>
            <span class="v-quiet">From here:</span>
            {changes.slice(0, 12).map((each) => <ValueShown name={`${each.agent}.${each.variable}`} before={each.before} value={each.after} />)}
            {changes.length > 12 && <span class="v-quiet">and {changes.length - 12} more</span>}
          </>
        )}
      </div>
      {!isHere && <button type="button" class="v-btn is-accent" onClick={go}>{visited ? "Go there" : "Find a way there"}</button>}
      <button type="button" class="v-icon" aria-label="Select nothing" onClick={() => select("model", { state: null })}>×</button>
    </div>
  );
}

/** The states that are to be marked in the picture, each once. */
function statesToMark(): State[] {
  const walked = walkModel.value?.model === drawnModel.value?.model ? pathTo(at.value, visits.value).map((visit) => visit.step.state) : [];
  const played = (playerRun.value?.steps ?? []).map((step) => step.state);
  const all = [...walked, ...played, ...(selection.value.state ? [selection.value.state] : [])];
  return [...new Map(all.map((state) => [stateKey(state), state])).values()].slice(-MOST_MARKED);
}

/** In which box a state is: a box that is one state says so, of others the server knows. */
function useBoxes(boxes: readonly Box[], params: GraphParams | null): (state: State) => number | null {
  const isFolded = params !== null && params.fold !== "none" && params.fold !== "distance";
  const states = isFolded && boxes.length ? statesToMark() : [];
  const [placed, setPlaced] = useState<ReadonlyMap<string, number | null>>(new Map());
  const key = JSON.stringify([params, states]);
  useEffect(() => {
    if (!states.length) return;
    const timer = setTimeout(() => {
      asked("model/boxes", { ...params!, states }).then(
        (answer) => setPlaced(new Map(states.map((state, index) => [stateKey(state), answer.boxes[index] ?? null]))),
        () => setPlaced(new Map()),  // the picture itself says what is wrong
      );
    }, 60);
    return () => clearTimeout(timer);
  }, [key, boxes]);
  const alone = useMemo(() => new Map(boxes.filter((box) => box.state).map((box) => [stateKey(box.state!), box.number])), [boxes]);
  return (state) => (isFolded ? placed.get(stateKey(state)) ?? null : alone.get(stateKey(state)) ?? null);
}
