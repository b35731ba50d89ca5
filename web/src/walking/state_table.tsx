// A state as a table of agents, what changed in it marked; with many agents a dense grid.

import { useState } from "preact/hooks";
import type { State } from "../protocol";
import { selection } from "../state";
import { AgentName, ValueShown } from "./parts";

const MANY = 10;

export function StateTable({ state, before, label }: { state: State; before: State | null; label: string }) {
  const [filter, setFilter] = useState("");
  const [onlyChanged, setOnlyChanged] = useState(false);
  const agents = Object.entries(state);
  const isMany = agents.length > MANY;
  const words = filter.toLowerCase();
  const changed = (agent: string, name: string) => before !== null && before[agent]?.[name] !== state[agent]?.[name];
  const shown = agents
    .map(([agent, values]) => ({ agent, values: Object.entries(values).filter(([name, value]) => (!onlyChanged || changed(agent, name)) && (!words || `${agent}.${name} = ${value}`.toLowerCase().includes(words))) }))
    .filter(({ values }) => values.length || !words && !onlyChanged);
  return (
    <div class="state">
      {isMany && (
        <div class="v-row state-tools">
          <input class="v-input" type="search" placeholder="Filter values" aria-label="Filter values" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
          {before && <label class="v-check"><input type="checkbox" checked={onlyChanged} onChange={() => setOnlyChanged(!onlyChanged)} />changed</label>}
          <span class="v-quiet">{shown.length} of {agents.length} agents</span>
        </div>
      )}
      <div class={`state-rows${isMany ? " is-many" : ""}`} role="table" aria-label={label}>
        {shown.map(({ agent, values }) => (
          <div class={`state-row${selection.value.agent === agent ? " is-selected" : ""}`} role="row">
            <span class="state-agent" role="rowheader"><AgentName name={agent} from="run" /></span>
            <span class="state-values" role="cell">
              {values.map(([name, value]) => <ValueShown name={name} before={before ? before[agent]?.[name] : undefined} value={value} />)}
              {!values.length && <span class="v-quiet">–</span>}
            </span>
          </div>
        ))}
        {!shown.length && <div class="v-quiet" role="row"><span role="cell">{onlyChanged ? "Nothing changed." : "No value is like that."}</span></div>}
      </div>
    </div>
  );
}
