// The formulae with their verdicts; one is selected, and tells more.

import { useRef, useState } from "preact/hooks";
import { isStale, sanityWanted, select, selection, usable } from "../state";
import { play } from "../playing";
import { isHeldToIt, items, type Row, type Standing } from "../standing";
import { InHead } from "../shell/head";
import { openExplain, openStory } from "./verdict_actions";
import { OwnFormula } from "./verdict_own";
import { VerdictRow } from "./verdict_row";
import { SanityRows } from "./verdict_sanity";

interface Item { row: Row; standing: Standing }

export function VerdictsPane() {
  const [filter, setFilter] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  if (!usable.value) return <div class="verdicts"><p class="empty">Formulae and their verdicts are here once there is a model.</p></div>;
  const all = items.value;
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((item) => words.every((word) => searched(item).includes(word)));
  const chosen = shown.find(({ row }) => row.label === selection.value.formula) ?? null;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    const place = chosen ? shown.indexOf(chosen) : -1;
    const goals: Record<string, number> = { ArrowDown: Math.min(place + 1, shown.length - 1), ArrowUp: Math.max(place - 1, 0), Home: 0, End: shown.length - 1 };
    const goal = goals[event.key];
    if (goal !== undefined && shown[goal]) {
      const { label } = shown[goal].row;
      select("verdicts", { formula: label, line: null });
      requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>(".verdict-main")[goal]?.focus());
    } else if (event.key === "/") search.current?.focus();
    else if (event.key === "Enter" && chosen && (event.target as HTMLElement).classList.contains("verdict-main")) play(chosen.row);
    else if (event.key.toLowerCase() === "s" && chosen) openStory(chosen.row);
    else if (event.key.toLowerCase() === "e" && chosen) openExplain(chosen.row);
    else return;
    event.preventDefault();
  };

  return (
    <div class={`verdicts${isStale.value ? " has-stale-verdicts" : ""}`}>
      <div class="verdicts-head">
        <Summary items={all} isStale={isStale.value} />
        <SanitySwitches />
        <InHead pane="verdicts"><input class="filter" type="search" ref={search} placeholder="Filter" aria-label="Filter the formulae" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} /></InHead>
      </div>
      <div class="verdicts-scroll">
        <SanityRows />
        <ul class="verdict-list" ref={list} aria-label="Formulae" onKeyDown={onKeyDown}>
          {shown.map(({ row, standing }, index) => (
            <VerdictRow key={row.own ? `own ${row.text}` : row.number} row={row} standing={standing} isChosen={chosen?.row === row} isEntry={chosen ? chosen.row === row : index === 0} />
          ))}
        </ul>
        {!all.length && <p class="empty">The text has no formulae. Type one below, or write a section <code>Formulae</code>.</p>}
        {all.length > 0 && !shown.length && <p class="empty">No formula has “{filter}” in it.</p>}
      </div>
      <OwnFormula />
    </div>
  );
}

function searched({ row, standing }: Item): string {
  return `${row.name} ${row.label} ${row.text} ${standing.word}${standing.remark}`.toLowerCase();
}

function Summary({ items: all, isStale }: { items: readonly Item[]; isStale: boolean }) {
  const items = all.filter(isHeldToIt);
  const amount = (tone: Standing["tone"]) => items.filter(({ standing }) => standing.tone === tone).length;
  const parts: [number, string, string, string][] = [
    [amount("yes"), "yes", "✓", "as expected"], [amount("no"), "no", "✗", "otherwise"], [amount("open"), "open", "?", "open"],
    [amount("running"), "running", "…", "running"], [amount("failed"), "failed", "!", "failed"], [amount("idle"), "idle", "◌", "not checked"],
  ];
  const isAll = amount("yes") === items.length && items.length > 0;
  return (
    <p class={`summary${isStale ? " is-old" : ""}`}>
      {isAll ? <span class="summary-part tone-yes"><span class="verdict-mark tone-yes" aria-hidden="true">✓</span>all {items.length} as expected</span>
        : parts.filter(([number]) => number > 0).map(([number, tone, sign, words]) => <span key={tone} class={`summary-part tone-${tone}`}><span class={`verdict-mark tone-${tone}`} aria-hidden="true">{sign}</span>{number} {words}</span>)}
      {isStale && <span class="summary-part tone-idle" title="The text has changed since">◌ of the text before</span>}
    </p>
  );
}

function SanitySwitches() {
  const { deadlock, overflow } = sanityWanted.value;
  return (
    <span class="sanity-switches" role="group" aria-label="Questions about the model itself">
      <label><input type="checkbox" checked={deadlock} onChange={(event) => { sanityWanted.value = { ...sanityWanted.value, deadlock: event.currentTarget.checked }; }} />deadlock</label>
      <label><input type="checkbox" checked={overflow} onChange={(event) => { sanityWanted.value = { ...sanityWanted.value, overflow: event.currentTarget.checked }; }} />overflow</label>
    </span>
  );
}
