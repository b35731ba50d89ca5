// Which propositions hold in the states of a run: asked one by one, and remembered.

import { useEffect, useState } from "preact/hooks";
import type { ModelId, Run, State } from "../protocol";
import { stateKey, usable, walkModel } from "../state";
import { asked } from "../walking/asking";

export type Holding = (state: State) => readonly string[] | null;

const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 4_000;
/** Longer runs are not asked about beforehand, and a server that takes long is not asked any more. */
const MOST_STATES = 60;
const LONG = 400;

export function useHolding(runs: readonly (Run | null)[]): Holding {
  const [, setTurn] = useState(0);
  const model = modelFor(runs[0] ?? null);
  const states = runs.flatMap((run) => run?.steps.map((step) => step.state) ?? []).slice(0, MOST_STATES);
  const key = `${model ?? ""} ${states.map(stateKey).join()}`;
  useEffect(() => {
    if (model === null) return;
    let isOver = false;
    void (async () => {
      for (const state of states) {
        const name = `${model} ${stateKey(state)}`;
        if (isOver) return;
        if (known.has(name)) continue;
        const begun = performance.now();
        try {
          const answer = await asked("run/moves", { model, state, limit: 1 });
          if (known.size > MOST_KNOWN) known.clear();
          known.set(name, answer.propositions);
        } catch { return; }
        if (isOver) return;
        setTurn((turn) => turn + 1);
        if (performance.now() - begun > LONG) return;
      }
    })();
    return () => { isOver = true; };
  }, [key]);
  return (state) => (model === null ? null : known.get(`${model} ${stateKey(state)}`) ?? null);
}

/** The model that a run is one of, as far as can be told by its agents. */
function modelFor(run: Run | null): ModelId | null {
  const names = Object.keys(run?.steps[0]?.state ?? {});
  for (const model of [usable.value, walkModel.value]) {
    if (model?.can_walk && names.length > 0 && names.every((name) => model.agents.some((agent) => agent.name === name))) return model.model;
  }
  return null;
}
