// What each agent considers possible here: the states that look the same to it.

import { useState } from "preact/hooks";
import type { AlikeAnswer, Opened, State } from "../protocol";
import { modelTab, setGraph } from "../pictures/settings";
import { showPane } from "../layout";
import { select, selection } from "../state";
import { useAnswer } from "./asking";
import { AgentName, Busy, changesOf, ErrorNote, Ticks, ValueShown } from "./parts";
import { formulaOf, seek } from "./walk";

const MOST = 6;

export function Alike({ model, state }: { model: Opened; state: State }) {
  const names = model.agents.map((agent) => agent.name);
  const [some, setSome] = useState<string[] | null>(null);
  const first = selection.value.agent && names.includes(selection.value.agent) ? [selection.value.agent] : names.filter((name) => name !== "Environment").slice(0, MOST);
  const agents = (some ?? first).filter((name) => names.includes(name));
  const [limit, setLimit] = useState(8);
  const { data, error, busy } = useAnswer("run/alike", agents.length ? { model: model.model, state, agents, limit } : null);
  return (
    <div class={`alike${busy ? " is-stale" : ""}`}>
      <Ticks label="Agents" names={names} chosen={agents} onChange={setSome} />
      {error && <ErrorNote>{error}</ErrorNote>}
      {!data && busy && <Busy words="Looking for what looks the same" />}
      {data?.agents.map((each) => <AgentAlike key={each.agent} found={each} state={state} onMore={() => setLimit(limit * 4)} />)}
    </div>
  );
}

function AgentAlike({ found, state, onMore }: { found: AlikeAnswer["agents"][number]; state: State; onMore: () => void }) {
  const here = JSON.stringify(state);
  const others = found.states.filter((each) => JSON.stringify(each) !== here);
  const inPicture = () => {
    modelTab.value = "states";
    setGraph({ watching: [found.agent] });
    select("run", { state, agent: found.agent });
    showPane("model");
  };
  return (
    <section class={`alike-agent${selection.value.agent === found.agent ? " is-selected" : ""}`} aria-label={found.agent}>
      <header>
        <AgentName name={found.agent} from="run" />
        <span class="alike-count">{totalWords(found)}</span>
        <span class="v-gap" />
        <button type="button" class="v-link is-red" onClick={inPicture}>in the picture</button>
      </header>
      <p class="alike-sees"><span class="v-quiet">sees</span>{found.sees.length ? found.sees.map((each) => <ValueShown name={`${each.agent === found.agent ? "" : `${each.agent}.`}${each.variable}`} value={each.value} />) : <span class="v-quiet">nothing</span>}</p>
      {found.reason && <p class="v-quiet">{found.reason}</p>}
      <ul>
        {others.map((each) => (
          <li>
            <span class="alike-differs">{changesOf(state, each).map((change) => <ValueShown name={`${change.agent}.${change.variable}`} value={change.after} />)}</span>
            <button type="button" class="v-link" onClick={() => void seek(formulaOf(each))}>go there</button>
          </li>
        ))}
      </ul>
      {found.more && <button type="button" class="v-link" onClick={onMore}>more of them</button>}
    </section>
  );
}

function totalWords(found: AlikeAnswer["agents"][number]): string {
  const total = typeof found.total === "number" ? found.total.toLocaleString("en") : found.total;
  if (!found.states.length && found.reason) return "";
  return found.total === 1 ? "knows exactly where it is" : `considers ${total}${found.more && found.reason ? " or more" : ""} states possible`;
}
