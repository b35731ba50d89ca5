// The player: evidence as something to go through.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { SaveMenu } from "../pictures/saving";
import type { Run, TextAnswer } from "../protocol";
import { isExpected, rows, signWords } from "../standing";
import { keep, player, playerAt, type Found, type Played } from "../state";
import { asked } from "../walking/asking";
import { Drop } from "../walking/drop";
import { ErrorNote, Note, Segmented, Tabs, Ticks } from "../walking/parts";
import { StateTable } from "../walking/state_table";
import { walkWords } from "../walking/walk";
import { Because, Crumbs } from "./because";
import { Cells } from "./cells";
import { ClashView } from "./clashes";
import { hangingAt, onwards, seekTo, shown, playerRun, type Hanging } from "./evidence";
import { Film } from "./film";
import { useHolding } from "./holding";
import { Lanes } from "./lanes";
import { AnyNumber } from "./numbers";
import { DefenceView, StrategyView } from "./strategies";
import { Story } from "./story";
import { Transport } from "./transport";

type PlayerTab = "run" | "strategy" | "defence" | "clashes" | "cells" | "numbers" | "story";
export const playerTab = keep("playerTab", signal<PlayerTab>("run"));

export function Player({ played }: { played: Played }) {
  const { evidence, found } = played;
  const explanation = evidence.explanation;
  const plain = !evidence.strategies.length && !evidence.defences.length && !evidence.clashes.length;
  const tabs: { tab: PlayerTab; words: string }[] = [
    ...(evidence.strategies.length ? [{ tab: "strategy" as const, words: "Strategy" }] : []),
    ...(evidence.defences.length ? [{ tab: "defence" as const, words: "Why not" }] : []),
    ...(evidence.clashes.length ? [{ tab: "clashes" as const, words: "What looks the same" }] : []),
    ...(explanation && (plain || hasRun(evidence.explanation!.run) || explanation.branches.length) ? [{ tab: "run" as const, words: "Run" }] : []),
    ...(found?.data.agents ? [{ tab: "numbers" as const, words: "Any number" }] : []),
    ...(found?.predicates.length ? [{ tab: "cells" as const, words: "Cells" }] : []),
    ...(played.story ? [{ tab: "story" as const, words: "In words" }] : []),
  ];
  const tab = tabs.some((each) => each.tab === playerTab.value) ? playerTab.value : tabs[0]?.tab ?? "run";
  const verdict = found?.data.verdict ?? (explanation ? String(explanation.value) : "");
  const row = rows().find((each) => each.label === played.label);
  const isGood = found && row ? isExpected(row, verdict) : found ? found.data.as_expected : verdict === "true";
  const tone = verdict !== "true" && verdict !== "false" ? "open" : isGood ? "yes" : "no";
  return (
    <div class="player" onKeyDown={onKeyDown}>
      <div class="player-head">
        {found && <span class={`verdict-mark tone-${tone}`} title={signWords(tone)}>{{ yes: "✓", no: "✗", open: "?" }[tone]}</span>}
        <span class="player-title"><b>{played.label}</b>{verdict && <span class={`verdict-chip tone-${tone}`}>{verdict}{row?.declared && <span class="if-wide">{isGood ? ", as expected" : `, expected ${row.expected}`}</span>}</span>}<code title={played.formula}>{played.formula !== played.label && played.formula}</code></span>
        <button type="button" class="v-btn" onClick={() => { player.value = null; }} title="Back to your own walk (Escape)">Close</button>
      </div>
      {walkWords.value && <ErrorNote>{walkWords.value}</ErrorNote>}
      {tabs.length ? (
        <div class="player-body">
          <Tabs label="Parts of the evidence" tabs={tabs} value={tab} onChange={(next) => { playerTab.value = next; }}>
            {tab === "run" && <RunPart />}
            {tab === "strategy" && evidence.strategies.map((strategy, which) => <StrategyView key={which} strategy={strategy} which={which} found={found} />)}
            {tab === "defence" && evidence.defences.map((defence, which) => <DefenceView key={which} defence={defence} which={which} found={found} />)}
            {tab === "clashes" && evidence.clashes.map((clashes) => <ClashView clashes={clashes} />)}
            {tab === "numbers" && found && <AnyNumber found={found} />}
            {tab === "cells" && found && <Cells found={found} />}
            {tab === "story" && <Story text={played.story} />}
          </Tabs>
          {played.story && tab !== "story" && <aside class="player-story" aria-label="In words" tabindex={0}><Story text={played.story} /></aside>}
        </div>
      ) : <Note>There is no run that would show it.</Note>}
    </div>
  );
}

/** The evidence of a verdict as a picture with lanes, which the server draws. */
function explained(found: Found, format: string): Promise<TextAnswer> {
  return asked("model/explain", { model: found.model, formula: found.data.text, strategies: found.strategies, format });
}

function hasRun(run: Run | null): boolean {
  return run !== null && (run.steps.length > 1 || run.loop !== null);
}

function onKeyDown(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea, .pic-frame, .pic-frame *, [role=tab]")) return;
  const last = (playerRun.value?.steps.length ?? 1) - 1;
  if (event.key === "ArrowRight") onwards();
  else if (event.key === "ArrowLeft") seekTo(playerAt.value - 1);
  else if (event.key === "Home") seekTo(0);
  else if (event.key === "End") seekTo(last);
  else if (event.key === "Escape") player.value = null;
  else if (event.key === " " && !target.matches("button, summary")) (event.currentTarget as HTMLElement).querySelector<HTMLButtonElement>("[data-play]")?.click();
  else return;
  event.preventDefault();
}

type Below = "because" | "lanes" | "state";
const below = keep("playerBelow", signal<Below>("because"));
/** Agents that are projected out. */
const hiddenAgents = keep("playerHidden", signal<readonly string[]>([]));
const isCompressed = keep("playerCompressed", signal(true));
const timeAcross = keep("playerAcross", signal<boolean | null>(null));

function RunPart() {
  const part = shown.value;
  const run = part?.because.run ?? null;
  const hanging = part ? hangingAt(part) : [];
  const beside = besideOf(hanging);
  const holding = useHolding([run, beside?.run ?? null]);
  const [isOpen, setOpen] = useState(true);
  if (!part) return <Note>There is no run that would show it.</Note>;
  if (!run) return <><Crumbs /><Because from={part} /></>;
  const agents = Object.keys(run.steps[0]!.state);
  const hidden = new Set(hiddenAgents.value.filter((name) => agents.includes(name)));
  const now = run.steps[playerAt.value] ?? run.steps[0]!;
  const before = playerAt.value > 0 ? run.steps[playerAt.value - 1]?.state ?? null : null;
  const isAcross = timeAcross.value ?? agents.length - hidden.size > 7;
  return (
    <div class="run-part">
      <Crumbs />
      <Transport run={run} />
      <Film run={run} hanging={hanging} shown={isOpen ? beside : null} holding={holding} hidden={hidden} />
      <div class="run-tools">
        <Segmented label="Below the run" value={below.value} onChange={(next) => { below.value = next; }}
          options={[{ value: "because", words: "Why" }, { value: "lanes", words: "Lanes" }, { value: "state", words: "State" }]} />
        <span class="v-gap" />
        {beside && <label class="v-check" title="Show the run that belongs to this one"><input type="checkbox" checked={isOpen} onChange={() => setOpen(!isOpen)} />other run</label>}
        {below.value === "lanes" && (
          <>
            <label class="v-check" title="Leave out steps in which nothing is seen of these agents"><input type="checkbox" checked={isCompressed.value} onChange={() => { isCompressed.value = !isCompressed.value; }} />compress</label>
            <label class="v-check"><input type="checkbox" checked={isAcross} onChange={() => { timeAcross.value = !isAcross; }} />time across</label>
          </>
        )}
        <Drop isOn={hidden.size > 0} summary={<>Agents{hidden.size > 0 && <span class="v-badge">{agents.length - hidden.size} of {agents.length}</span>}</>}>
          {() => (
            <>
              <p class="v-quiet">Only these agents are shown:</p>
              <Ticks label="Agents that are shown" names={agents} chosen={agents.filter((name) => !hidden.has(name))} onChange={(some) => { hiddenAgents.value = agents.filter((name) => !some.includes(name)); }} />
            </>
          )}
        </Drop>
        {player.value?.found && <SaveMenu make={(format) => explained(player.value!.found!, format)} />}
      </div>
      {below.value === "because" && <Because from={part} />}
      {below.value === "lanes" && <Lanes run={run} style={{ hidden, isCompressed: isCompressed.value, isAcross }} />}
      {below.value === "state" && <StateTable state={now.state} before={before} label={`State ${playerAt.value}`} />}
    </div>
  );
}

/** The run that is shown beside this one: what hangs where we are, else what looks the same elsewhere, else anything. */
function besideOf(hanging: readonly Hanging[]): Hanging | null {
  return hanging.find((each) => each.position === playerAt.value) ?? hanging.find((each) => each.because.relation === "knowledge") ?? hanging[0] ?? null;
}
