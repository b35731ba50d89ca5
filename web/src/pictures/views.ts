// What agents see of states, by what their cards say.

import type { Opened, State } from "../protocol";

/** What an agent sees of a state. */
export function viewOf(state: State, agent: string, model: Opened): [string, unknown][] {
  const card = model.agents.find((each) => each.name === agent);
  const seen = new Set(card?.sees ?? []);
  return Object.entries(state).flatMap(([owner, values]) => Object.entries(values)
    .filter(([name]) => owner === agent || seen.has(name) && owner === "Environment"
      || (model.agents.find((each) => each.name === owner)?.variables.find((each) => each.name === name)?.seen_by.includes(agent) ?? false))
    .map(([name, value]): [string, unknown] => [`${owner}.${name}`, value]));
}
