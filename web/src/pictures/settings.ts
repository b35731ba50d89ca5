// How the model is looked at; kept in the permalink.

import { computed, signal } from "@preact/signals";
import type { GraphParams, Opened } from "../protocol";
import { here, keep, usable, walkModel } from "../state";

export type ModelTab = "cards" | "reads" | "states";
export const MODEL_TABS: readonly { tab: ModelTab; words: string }[] = [
  { tab: "cards", words: "Agents" }, { tab: "reads", words: "Who reads whom" }, { tab: "states", words: "States" },
];
export const modelTab = keep("modelTab", signal<ModelTab>("cards"));

export type Fold = GraphParams["fold"];
/** `auto` is what suits the size of the model, until somebody chooses. */
export interface GraphSettings {
  fold: Fold | "auto"; agents: string[]; propositions: string[]; agent: string; radius: number; watching: string[]; limit: number;
}
export const graph = keep("graph", signal<GraphSettings>({ fold: "auto", agents: [], propositions: [], agent: "", radius: 2, watching: [], limit: 150 }));

export function setGraph(part: Partial<GraphSettings>): void {
  graph.value = { ...graph.value, ...part };
}

/** The model whose states are drawn: a population where one is walked through. */
export const drawnModel = computed<Opened | null>(() => {
  const now = usable.value;
  if (!now || now.can_walk) return now;
  return walkModel.value?.can_walk ? walkModel.value : now;
});

/** What is asked of the server; null where something is still to be chosen. */
export const graphParams = computed<GraphParams | null>(() => {
  const model = drawnModel.value, settings = graph.value;
  if (!model?.can_walk) return null;
  const names = new Set(model.agents.map((each) => each.name));
  const known = (some: readonly string[]) => some.filter((name) => names.has(name));
  const fold: Fold = settings.fold === "auto" ? "none" : settings.fold;
  const common: GraphParams = { model: model.model, fold, watching: known(settings.watching), limit: settings.fold === "auto" ? Math.min(60, settings.limit) : settings.limit };
  switch (fold) {
    case "agents": {
      const agents = known(settings.agents);
      return agents.length ? { ...common, agents } : null;
    }
    case "propositions":
    case "bisimulation": {
      const propositions = model.propositions.map((each) => each.name).filter((name) => settings.propositions.includes(name));
      return fold === "bisimulation" || propositions.length ? { ...common, propositions } : null;
    }
    case "view": {
      const agent = names.has(settings.agent) ? settings.agent : model.agents.find((each) => each.name !== "Environment")?.name ?? model.agents[0]?.name;
      return agent ? { ...common, agent } : null;
    }
    case "distance": {
      const state = here.value?.step.state;
      return state ? { ...common, state, radius: settings.radius } : null;
    }
    default: return common;
  }
});
