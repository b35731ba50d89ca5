// A run as a chart of lanes: an agent is a lane, a step is a line across all of them.

import { useEffect, useRef } from "preact/hooks";
import type { Run, Step } from "../protocol";
import { playerAt, selection } from "../state";
import { AgentName, changesOf, Lines, ValueShown } from "../walking/parts";
import { seekTo } from "./evidence";

export interface LaneStyle { hidden: ReadonlySet<string>; isCompressed: boolean; isAcross: boolean }

interface Row { position: number; step: Step; before: Step | null; skipped: number }

export function Lanes({ run, style }: { run: Run; style: LaneStyle }) {
  const agents = Object.keys(run.steps[0]?.state ?? {}).filter((agent) => !style.hidden.has(agent));
  const rows = rowsOf(run, agents, style.isCompressed);
  const place = useRef<HTMLTableElement>(null);
  // The chart itself moves, and not what it stands in.
  useEffect(() => {
    const frame = place.current?.parentElement, now = place.current?.querySelector<HTMLElement>(".is-current");
    if (!frame || !now) return;
    const box = frame.getBoundingClientRect(), mine = now.getBoundingClientRect();
    if (mine.top < box.top + 30 || mine.bottom > box.bottom) frame.scrollTop += mine.top - box.top - box.height / 2;
    if (mine.left < box.left + 90 || mine.right > box.right) frame.scrollLeft += style.isAcross ? mine.left - box.left - box.width / 2 : 0;
  }, [playerAt.value]);
  return (
    <div class="lanes" tabindex={0} role="region" aria-label="Lanes by agent">
      {style.isAcross ? <AcrossTable run={run} rows={rows} agents={agents} place={place} /> : <DownTable run={run} rows={rows} agents={agents} place={place} />}
    </div>
  );
}

interface TableProps { run: Run; rows: readonly Row[]; agents: readonly string[]; place: { current: HTMLTableElement | null } }

function DownTable({ run, rows, agents, place }: TableProps) {
  return (
    <table class="lane-table" ref={place}>
      <thead><tr><th scope="col">Step</th>{agents.map((agent) => <th scope="col" class={selected(agent)}><AgentName name={agent} from="run" /></th>)}<th scope="col">Lines</th></tr></thead>
      <tbody>
        {rows.map((row) => (
          <>
            {row.skipped > 0 && <tr class="lane-skipped"><td colSpan={agents.length + 2}>{row.skipped} {row.skipped === 1 ? "step" : "steps"} in which nothing is seen of these agents</td></tr>}
            <tr class={`${row.position === playerAt.value ? "is-current" : ""}${row.position === run.loop ? " is-loop" : ""}`}>
              <th scope="row"><Position run={run} position={row.position} /></th>
              {agents.map((agent) => <td class={selected(agent)}><LaneCell row={row} agent={agent} /></td>)}
              <td><Lines lines={linesOf(row.step)} from="run" /></td>
            </tr>
          </>
        ))}
        {run.loop !== null && run.back && (
          <tr class="lane-back"><th scope="row"><span class="lane-turn" aria-hidden="true">↺</span></th><td colSpan={agents.length + 1}>{backWords(run, agents)}</td></tr>
        )}
      </tbody>
    </table>
  );
}

function AcrossTable({ run, rows, agents, place }: TableProps) {
  return (
    <table class="lane-table is-across" ref={place}>
      <thead><tr><th scope="col">Agent</th>{rows.map((row) => <th scope="col" class={`${row.position === playerAt.value ? "is-current" : ""}${row.position === run.loop ? " is-loop" : ""}`}><Position run={run} position={row.position} /></th>)}</tr></thead>
      <tbody>
        {agents.map((agent) => (
          <tr class={selected(agent)}>
            <th scope="row"><AgentName name={agent} from="run" /></th>
            {rows.map((row) => <td class={row.position === playerAt.value ? "is-current" : ""}><LaneCell row={row} agent={agent} /></td>)}
          </tr>
        ))}
      </tbody>
      {run.loop !== null && run.back && <caption>↺ {backWords(run, agents)}</caption>}
    </table>
  );
}

function selected(agent: string): string {
  return selection.value.agent === agent ? "is-selected" : "";
}

function Position({ run, position }: { run: Run; position: number }) {
  return <button type="button" class="lane-position" aria-label={`Go to state ${position}`} title={position === run.loop ? "The run comes back here, for ever" : undefined} onClick={() => seekTo(position)}>{position === run.loop ? "↻ " : ""}{position}</button>;
}

function LaneCell({ row, agent }: { row: Row; agent: string }) {
  const action = row.step.actions?.[agent];
  const before = row.before?.state ?? null;
  const changes = changesOf(before, { [agent]: row.step.state[agent] ?? {} });
  return (
    <div class="lane-cell">
      {action !== undefined && (action === "-" ? <span class="lane-idle" aria-label="nothing">·</span> : <span class="v-action">{action}</span>)}
      {changes.map((each) => <ValueShown name={each.variable} before={before ? each.before : undefined} value={each.after} />)}
    </div>
  );
}

function rowsOf(run: Run, agents: readonly string[], isCompressed: boolean): Row[] {
  const rows: Row[] = [];
  let skipped = 0;
  run.steps.forEach((step, position) => {
    const before = position ? run.steps[position - 1]! : null;
    const last = position === run.steps.length - 1;
    const isQuiet = before !== null && !agents.some((agent) => (step.actions?.[agent] ?? "-") !== "-" || changesOf(before.state, { [agent]: step.state[agent] ?? {} }).length);
    if (isCompressed && isQuiet && !last && position !== run.loop && position !== playerAt.value) { skipped += 1; return; }
    rows.push({ position, step, before, skipped });
    skipped = 0;
  });
  return rows;
}

function linesOf(step: Step): number[] {
  return [...new Set(Object.values(step.lines).flat())].sort((a, b) => a - b).slice(0, 8);
}

function backWords(run: Run, agents: readonly string[]): string {
  const actions = Object.entries(run.back?.actions ?? {}).filter(([agent, action]) => action !== "-" && agents.includes(agent)).map(([agent, action]) => `${agent}: ${action}`).join(", ");
  return `${actions ? `${actions}, and ` : ""}back to ${run.loop}: it goes round for ever`;
}
