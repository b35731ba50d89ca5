// What may happen next: choose actions for some agents, and the moves that are left are listed.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Actions, Move, MovesAnswer, Opened, State } from "../protocol";
import { selection } from "../state";
import { useAnswer, type Answered } from "./asking";
import { AgentName, Busy, ErrorNote, Lines, Note, ValueShown } from "./parts";
import { count, step } from "./walk";

/** What was chosen for some agents, in the state where we are. */
export const chosen = signal<Actions>({});
export const filter = signal("");
/** The moves that are listed, for those who choose by keys. */
export const listed = signal<readonly Move[]>([]);
const PAGE = 40;

export function useMoves(model: Opened, state: State): Answered<MovesAnswer> & { more: () => void } {
  const [limit, setLimit] = useState(PAGE);
  const key = JSON.stringify(state);
  useEffect(() => { setLimit(PAGE); chosen.value = {}; }, [key]);
  const params = { model: model.model, state, limit, ...(Object.keys(chosen.value).length ? { chosen: chosen.value } : {}), ...(filter.value.trim() ? { filter: filter.value.trim() } : {}) };
  const answer = useAnswer("run/moves", params, filter.value ? 120 : 0);
  useEffect(() => { listed.value = answer.data?.moves ?? []; }, [answer.data]);
  return { ...answer, more: () => setLimit(limit + 4 * PAGE) };
}

export function Moves({ answer }: { answer: ReturnType<typeof useMoves> }) {
  const { data, error, busy } = answer;
  if (error) return <ErrorNote>{error}</ErrorNote>;
  if (!data) return <Busy words="Looking for moves" />;
  return (
    <div class={`moves${busy ? " is-stale" : ""}`}>
      <Words data={data} />
      <Choices data={data} />
      <div class="v-row moves-tools">
        <input class="v-input" type="search" placeholder="Filter moves: actions, values …" aria-label="Filter moves" value={filter.value} onInput={(event) => { filter.value = event.currentTarget.value; }} />
        <span class="v-quiet" role="status">{count(data.total, "move")}{data.cut ? " or more" : ""}</span>
      </div>
      <ol class="move-list">
        {data.moves.map((move, index) => <MoveRow key={index} move={move} number={index + 1} data={data} />)}
      </ol>
      {data.moves.length < data.total && <button type="button" class="v-btn" onClick={answer.more}>Show more of {data.total.toLocaleString("en")}</button>}
    </div>
  );
}

/** What is special about this state, in words. */
function Words({ data }: { data: MovesAnswer }) {
  return (
    <>
      {data.deadlock === true && <Note tone={data.may_end ? "quiet" : "no"}>{data.may_end ? "Nothing can happen any more, and it may end here." : "Deadlock: nothing can happen here."}</Note>}
      {data.deadlock === null && <Note tone="open">Whether anything can happen here was not found out.</Note>}
      {data.overflows > 0 && <Note tone="open">{data.overflows === 1 ? "One more move" : `${data.overflows.toLocaleString("en")} more moves`} would take a value out of its range, and cannot happen.</Note>}
      {data.cut && <Note tone="open">There may be more moves: {data.cut}.</Note>}
    </>
  );
}

/** By agent, what it may do here; what is chosen narrows the list. */
function Choices({ data }: { data: MovesAnswer }) {
  const withChoice = data.agents.filter((agent) => agent.actions.length > 1);
  const isAny = Object.keys(chosen.value).length > 0;
  if (!withChoice.length) return null;
  const toggle = (agent: string, action: string) => {
    const { [agent]: before, ...others } = chosen.value;
    chosen.value = before === action ? others : { ...others, [agent]: action };
  };
  return (
    <div class="choices" role="group" aria-label="Actions by agent">
      {withChoice.map(({ agent, actions }) => (
        <div class={`choice${selection.value.agent === agent ? " is-selected" : ""}`}>
          <AgentName name={agent} from="run" />
          <span class="choice-actions">
            {actions.map(({ name, lines }) => (
              <span class="choice-action">
                <button type="button" class="v-chip" aria-pressed={chosen.value[agent] === name} onClick={() => toggle(agent, name)}>{name}</button>
                {chosen.value[agent] === name && <Lines lines={lines} from="run" />}
              </span>
            ))}
          </span>
        </div>
      ))}
      {isAny && <button type="button" class="v-link choices-clear" onClick={() => { chosen.value = {}; }}>Choose nothing</button>}
    </div>
  );
}

/** So many changes are on a card; the rest is counted, and told by its title. */
const MOST_CHANGES = 12;

function MoveRow({ move, number, data }: { move: Move; number: number; data: MovesAnswer }) {
  const free = new Set(data.agents.filter((agent) => agent.actions.length > 1).map((agent) => agent.agent));
  const actions = Object.entries(move.step.actions ?? {}).filter(([, action]) => action !== "-");
  const told = actions.length > 5 ? actions.filter(([agent]) => free.has(agent) || move.changes.some((each) => each.agent === agent)) : actions;
  const shown = (told.length ? told : actions).slice(0, 12);
  const lines = [...new Set(Object.values(move.step.lines).flat())].sort((a, b) => a - b);
  return (
    <li class="move">
      <button type="button" class="move-take" aria-keyshortcuts={number <= 9 ? String(number) : undefined} onClick={() => step(move.step)}>
        <kbd aria-hidden="true">{number <= 9 ? number : ""}</kbd>
        <span class="move-words">
          <span class="move-actions">
            {shown.map(([agent, action]) => <span class={free.has(agent) ? "is-free" : ""}><span class="v-name">{agent}</span> {action}</span>)}
            {actions.length > shown.length && <span class="v-quiet" title={actions.map(([agent, action]) => `${agent}: ${action}`).join("\n")}>+{actions.length - shown.length}</span>}
            {!actions.length && <span class="v-quiet">a step</span>}
          </span>
          <span class="move-changes">
            {move.changes.slice(0, MOST_CHANGES).map((each) => <ValueShown name={`${each.agent}.${each.variable}`} before={each.before} value={each.after} />)}
            {move.changes.length > MOST_CHANGES && <span class="v-quiet" title={move.changes.map((each) => `${each.agent}.${each.variable} = ${each.after}`).join("\n")}>+{move.changes.length - MOST_CHANGES}</span>}
            {!move.changes.length && <span class="v-quiet">changes nothing</span>}
          </span>
        </span>
      </button>
      <Lines lines={lines.slice(0, 6)} from="run" />
    </li>
  );
}
