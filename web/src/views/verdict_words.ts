// What belongs to a verdict, in words.

import { count, time } from "../standing";
import type { Found } from "../state";
import type { VerdictData } from "../protocol";

const ENGINES: Readonly<Record<string, string>> = {
  explicit: "state by state", bdd: "on sets of states", sat: "by satisfiability", abstraction: "by abstraction", parameterised: "for any number",
};

/** Small remarks beside a verdict: how long, how, over how many states. */
export function facts(found: Found): { words: string; title: string }[] {
  const { data } = found;
  const said = [{ words: time(data.seconds), title: "Time that it took" }];
  if (data.engine) said.push({ words: data.engine, title: `Engine: ${ENGINES[data.engine] ?? data.engine}` });
  const isAbstract = found.data.engine === "abstraction";
  if (found.states !== null) said.push({ words: `${count(found.states)} ${isAbstract ? "cells" : "states"}`, title: isAbstract ? "Reachable cells of states" : "Reachable states" });
  if (data.strategies && data.strategies !== "perfect") said.push({ words: data.strategies, title: "Strategies" });
  return said;
}

export function populationWords(data: VerdictData): string[] {
  const agents = data.agents;
  if (!agents) return [];
  const numbers = agents.smallest.map((each) => Object.entries(each).map(([name, amount]) => `${amount} ${name}`).join(" and ")).join(", or ");
  const said: string[] = [];
  if (agents.parameters) {
    const names = Object.keys(agents.parameters);
    const values = names.map((name) => `${name} = ${agents.parameters?.[name]}`).join(", ");
    return [agents.reached ? `It takes ${values}, with ${numbers || "no agent at all"}.` : `For all ${names.join(", ")} that are assumed.`];
  }
  if (agents.reached && numbers) said.push(agents.exact ? `It takes ${numbers}: so many are enough, and no fewer.` : `${numbers} are enough to show it.`);
  if (!agents.reached) said.push(typeof agents.cases === "number" ? `For any number of agents, by an invariant of ${agents.cases} ${agents.cases === 1 ? "case" : "cases"}.` : "For any number of agents.");
  if (agents.facts.length) said.push(`Relying on ${agents.facts.join(", ")}.`);
  return said;
}

/** What the buttons behind evidence are called. */
export function evidenceWord(data: VerdictData): string {
  switch (data.evidence?.kind) {
    case "witness": return "witness";
    case "counterexample": return "counterexample";
    case "strategy": return "strategy";
    default: return "evidence";
  }
}
