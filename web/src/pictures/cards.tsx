// Agents as cards: what they remember, what they see, what they do, and where that stands in the text.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentCard, Opened } from "../protocol";
import { select, selectedIn, selection } from "../state";
import { AgentName, Lines, Note } from "../walking/parts";

export function Cards({ model }: { model: Opened }) {
  const [filter, setFilter] = useState("");
  const words = filter.toLowerCase();
  const agents = model.agents.filter((agent) => agent.name.toLowerCase().includes(words));
  return (
    <div class="cards-view">
      <Summary model={model} />
      {model.agents.length > 8 && <input class="v-input" type="search" placeholder="Filter agents" aria-label="Filter agents" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />}
      <div class="agent-cards">{familiesOf(agents).map((family) => (family.length > 1 ? <Family key={family[0]!.name} agents={family} /> : <Card key={family[0]!.name} agent={family[0]!} isOne={agents.length <= 16} />))}</div>
      {!agents.length && <Note>No agent is called that.</Note>}
      {model.propositions.length > 0 && <Propositions model={model} />}
    </div>
  );
}

function Summary({ model }: { model: Opened }) {
  const kinds = { finite: "finite", unbounded: "numbers without bounds", parameterised: "any number of agents" };
  const parts = [
    `${model.agents.length} ${model.agents.length === 1 ? "agent" : "agents"}`,
    kinds[model.kind],
    ...(model.interleaved ? ["one moves at a time"] : []),
  ];
  return (
    <div class="cards-summary">
      <span>{parts.join(" · ")}</span>
      {model.constants.map((each) => <span class="v-tag mono">{each.name} = {each.value}</span>)}
      {Object.entries(model.groups).map(([name, members]) => <span class="v-tag" title={members.join(", ")}><b>{name}</b> {members.length > 4 ? `${members.slice(0, 4).join(", ")} …` : members.join(", ")}</span>)}
    </div>
  );
}

/** Agents that stand at one line of the text are one family, where there are many. */
function familiesOf(agents: readonly AgentCard[]): AgentCard[][] {
  if (agents.length <= 8) return agents.map((agent) => [agent]);
  const families = new Map<string, AgentCard[]>();
  for (const agent of agents) {
    const key = agent.line === null ? agent.name : String(agent.line);
    families.set(key, [...(families.get(key) ?? []), agent]);
  }
  return [...families.values()].flatMap((family) => (family.length > 2 ? [family] : family.map((agent) => [agent])));
}

/** One card for many agents that are written once: the one that is selected is shown. */
function Family({ agents }: { agents: readonly AgentCard[] }) {
  const [last, setLast] = useState(0);
  const selected = agents.findIndex((agent) => agent.name === selection.value.agent);
  useEffect(() => { if (selected >= 0) setLast(selected); }, [selected]);
  const place = selected >= 0 ? selected : last;
  const agent = agents[place] ?? agents[0]!;
  return (
    <div class="family">
      <Card key={agent.name} agent={agent} isOne
        aside={<span class="family-choice"><span class="v-badge">1 of {agents.length}</span>
          <select class="v-select" aria-label="Which of them" value={agent.name} onChange={(event) => select("model", { agent: event.currentTarget.value })}>{agents.map((each) => <option value={each.name}>{each.name}</option>)}</select></span>} />
    </div>
  );
}

function Card({ agent, isOne, aside }: { agent: AgentCard; isOne: boolean; aside?: ComponentChildren }) {
  const place = useRef<HTMLElement>(null);
  const isSelected = selection.value.agent === agent.name;
  const [isOpen, setOpen] = useState(isOne);
  useEffect(() => { if (isSelected && selectedIn.value !== "model") place.current?.scrollIntoView({ block: "nearest" }); }, [isSelected]);
  const seen = seenTogether(agent);
  return (
    <article ref={place} class={`agent-card${isSelected ? " is-selected" : ""}${agent.template ? " is-template" : ""}`} aria-label={agent.name}>
      <header>
        <AgentName name={agent.name} from="model" />
        {agent.template && <span class="v-badge" title="There may be any number of these">× any number</span>}
        {aside}
        <span class="v-gap" />
        {agent.line !== null && <Lines lines={[agent.line]} from="model" />}
        <button type="button" class="v-icon" aria-expanded={isOpen} aria-label={`${isOpen ? "Fold" : "Unfold"} ${agent.name}`} onClick={() => setOpen(!isOpen)}>{isOpen ? "▾" : "▸"}</button>
      </header>
      {!agent.variables.length && <p class="card-none v-quiet">no variables of its own</p>}
      {agent.variables.length > 0 && <dl class="card-vars">
        {agent.variables.map((variable) => (
          <div class="card-var">
            <dt>{variable.name}</dt>
            <dd><span class="mono">{variable.domain}</span>{variable.line !== null && <Lines lines={[variable.line]} from="model" />}</dd>
          </div>
        ))}
      </dl>}
      {(agent.sees.length > 0 || seen.length > 0) && (
        <p class="card-eyes">
          {agent.sees.length > 0 && <span title="Variables of the environment that it sees"><i class="v-eye" aria-hidden="true" /> sees <b>{agent.sees.join(", ")}</b></span>}
          {seen.map(({ names, by }) => <span><b>{names.join(", ")}</b> {names.length === 1 ? "is" : "are"} seen by {by.length > 6 ? `${by.slice(0, 5).join(", ")} and ${by.length - 5} more` : by.join(", ")}</span>)}
        </p>
      )}
      {isOpen && <CardRules agent={agent} />}
    </article>
  );
}

/** Its variables that others see, those together that the same agents see. */
function seenTogether(agent: AgentCard): { names: string[]; by: string[] }[] {
  const groups = new Map<string, { names: string[]; by: string[] }>();
  for (const variable of agent.variables) {
    const by = variable.seen_by.filter((name) => name !== agent.name);
    const group = groups.get(by.join()) ?? { names: [], by };
    group.names.push(variable.name);
    if (by.length) groups.set(by.join(), group);
  }
  return [...groups.values()];
}

function CardRules({ agent }: { agent: AgentCard }) {
  const used = new Set(agent.protocol.flatMap((rule) => rule.actions));
  const idle = agent.actions.filter((action) => !used.has(action));
  return (
    <>
      {agent.protocol.length > 0 && (
        <div class="card-part">
          <h3>May do</h3>
          <ul>
            {agent.protocol.map((rule) => (
              <li class={isHere(rule.line)}>
                <span class="card-actions">{rule.actions.map((action) => <span class="v-action">{action}</span>)}</span>
                {rule.condition && rule.condition !== "true" && (rule.condition === "Other" ? <span class="card-when">otherwise</span> : <code class="card-when">{rule.condition}</code>)}
                {rule.line !== null && <Lines lines={[rule.line]} from="model" />}
              </li>
            ))}
          </ul>
        </div>
      )}
      {idle.length > 0 && <p class="card-idle v-quiet">{agent.protocol.length ? "Never enabled: " : "Actions: "}{idle.join(", ")}</p>}
      {agent.evolution.length > 0 && (
        <div class="card-part">
          <h3>Changes</h3>
          <ul>
            {agent.evolution.map((rule) => <li class={isHere(rule.line)}><Rule text={rule.text} />{rule.line !== null && <Lines lines={[rule.line]} from="model" />}</li>)}
          </ul>
        </div>
      )}
      {agent.red && <div class="card-part"><h3>Red states</h3><code>{agent.red}</code></div>}
    </>
  );
}

function isHere(line: number | null): string {
  return line !== null && selection.value.line === line ? "is-selected" : "";
}

/** More than this is not read better in bold. */
const LONG = 90;

/** "x = 1 if …": what changes, then when. */
function Rule({ text }: { text: string }) {
  const place = text.indexOf(" if ");
  if (place < 0) return <code class="card-rule">{text}</code>;
  return <code class="card-rule"><b class={place > LONG ? "is-long" : ""}>{text.slice(0, place)}</b><span class="card-if"> if </span><span class="card-when">{text.slice(place + 4)}</span></code>;
}

const MOST_PROPOSITIONS = 16;

function Propositions({ model }: { model: Opened }) {
  const [all, setAll] = useState(false);
  const some = all || model.propositions.length <= MOST_PROPOSITIONS + 4 ? model.propositions : model.propositions.slice(0, MOST_PROPOSITIONS);
  return (
    <div class="agent-card props-card">
      <header><h3>Propositions</h3></header>
      <dl class="card-vars">
        {some.map((each) => (
          <div class={`card-var ${isHere(each.line)}`}>
            <dt>{each.line === null ? each.name : <button type="button" class="v-link" onClick={() => select("model", { line: each.line })}>{each.name}</button>}</dt>
            <dd><code class="card-when">{each.text}</code>{each.line !== null && <Lines lines={[each.line]} from="model" />}</dd>
          </div>
        ))}
      </dl>
      {some.length < model.propositions.length && <button type="button" class="v-link" onClick={() => setAll(true)}>All {model.propositions.length}</button>}
    </div>
  );
}
