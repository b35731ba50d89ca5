// How the states are folded: which of them become one box.

import type { Opened } from "../protocol";
import { Drop } from "../walking/drop";
import { Ticks } from "../walking/parts";
import { graph, setGraph, type Fold } from "./settings";

const FOLDS: readonly { value: Fold | "auto"; words: string; hint: string }[] = [
  { value: "auto", words: "as it suits", hint: "All states where they are few" },
  { value: "none", words: "all states", hint: "Every state is a box" },
  { value: "agents", words: "some agents", hint: "States that agree on these agents are one box" },
  { value: "propositions", words: "propositions", hint: "States in which the same of these hold are one box" },
  { value: "view", words: "what one sees", hint: "States that an agent cannot tell apart are one box" },
  { value: "bisimulation", words: "equivalence", hint: "States that no formula over these propositions tells apart are one box" },
  { value: "distance", words: "what is near", hint: "States at most so many steps from where the walk is" },
];

export function Folding({ model }: { model: Opened }) {
  const settings = graph.value;
  const agents = model.agents.map((agent) => agent.name);
  const propositions = model.propositions.map((each) => each.name);
  const now = FOLDS.find((each) => each.value === settings.fold);
  return (
    <div class="folding">
      <div class="v-row">
        <label class="v-field"><span>Show</span>
          <select class="v-select" aria-label="How the states are folded" value={settings.fold} onChange={(event) => choose(event.currentTarget.value as Fold | "auto", model)}>
            {FOLDS.map((fold) => <option value={fold.value} disabled={fold.value === "propositions" && !propositions.length}>{fold.words}</option>)}
          </select>
        </label>
        {settings.fold === "view" && (
          <label class="v-field"><span>of</span>
            <select class="v-select" aria-label="Whose view" value={settings.agent} onChange={(event) => setGraph({ agent: event.currentTarget.value })}>
              {agents.map((name) => <option value={name}>{name}</option>)}
            </select>
          </label>
        )}
        {settings.fold === "distance" && (
          <label class="v-field"><span>steps</span>
            <input class="v-input is-number" type="number" min={1} max={12} value={settings.radius} onChange={(event) => setGraph({ radius: clamp(event.currentTarget.valueAsNumber, 1, 12) })} />
          </label>
        )}
        <label class="v-field"><span>at most</span>
          <select class="v-select" aria-label="The most boxes" value={String(settings.limit)} onChange={(event) => setGraph({ limit: Number(event.currentTarget.value) })}>
            {[60, 150, 400, 1000].map((limit) => <option value={String(limit)}>{limit} boxes</option>)}
          </select>
        </label>
        <Drop isOn={settings.watching.length > 0} summary={<><span class="v-red" aria-hidden="true">┄</span> Look-alikes{settings.watching.length > 0 && <span class="v-badge">{settings.watching.length}</span>}</>}>
          {() => (
            <>
              <p class="v-quiet">States that look the same to these agents are linked in red:</p>
              <Ticks label="Agents whose look-alikes are linked" names={agents} chosen={settings.watching} onChange={(watching) => setGraph({ watching })} />
            </>
          )}
        </Drop>
      </div>
      {settings.fold === "agents" && <Ticks label="Agents that are shown" names={agents} chosen={settings.agents} onChange={(chosen) => setGraph({ agents: chosen })} />}
      {(settings.fold === "propositions" || settings.fold === "bisimulation") && <Ticks label="Propositions that count" names={propositions} chosen={settings.propositions} onChange={(chosen) => setGraph({ propositions: chosen })} />}
      {now && settings.fold !== "auto" && <p class="folding-hint v-quiet">{now.hint}.</p>}
    </div>
  );
}

function choose(fold: Fold | "auto", model: Opened): void {
  const settings = graph.value;
  const agents = model.agents.map((agent) => agent.name);
  const known = settings.agents.filter((name) => agents.includes(name));
  const propositions = model.propositions.map((each) => each.name);
  const counted = settings.propositions.filter((name) => propositions.includes(name));
  setGraph({
    fold,
    agents: known.length ? known : agents.slice(0, 1),
    propositions: counted.length ? counted : propositions.slice(0, 6),
    agent: agents.includes(settings.agent) ? settings.agent : agents.find((name) => name !== "Environment") ?? agents[0] ?? "",
  });
}

function clamp(number: number, low: number, high: number): number {
  return Number.isFinite(number) ? Math.min(high, Math.max(low, Math.round(number))) : low;
}
