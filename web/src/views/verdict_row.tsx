// One formula: how it stands, what it says; selected, all that is known of it.

import { memo } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { hasPicture, play } from "../playing";
import { Icon } from "../shell/icons";
import { hello, select } from "../state";
import { signWords, spoken, time, type Row, type Standing } from "../standing";
import { openExplain, openStory, removeOwn } from "./verdict_actions";
import { evidenceWord, facts, populationWords } from "./verdict_words";
import { recheck } from "../checking";

/** Words in which pieces of models stand between backquotes. */
function Quoting({ words }: { words: string }) {
  return <>{words.split("`").map((part, at) => at % 2 ? <code key={at}>{part}</code> : part)}</>;
}

/** How it stands to what was expected, apart from the verdict itself: "false" may be just right. */
export function VerdictSign({ standing, isOwn = false }: { standing: Pick<Standing, "sign" | "tone">; isOwn?: boolean }) {
  return <span class={`verdict-mark tone-${standing.tone}`} title={signWords(standing.tone, isOwn)} aria-hidden="true">{standing.sign}</span>;
}

interface Props { row: Row; standing: Standing; isChosen: boolean; isEntry: boolean }

/** Where there are thousands of formulae, only those that have changed are drawn again. */
export const VerdictRow = memo(function VerdictRow({ row, standing, isChosen, isEntry }: Props) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => { if (isChosen) place.current?.scrollIntoView({ block: "nearest" }); }, [isChosen, standing.found === null]);
  const seconds = standing.seconds;
  const title = row.own ? "your own" : row.label === row.text ? "" : row.label;
  return (
    <li ref={place} class={`verdict tone-${standing.tone}${isChosen ? " is-chosen" : ""}`}>
      <button type="button" class="verdict-main" tabIndex={isEntry ? 0 : -1} aria-expanded={isChosen} aria-label={`${spoken(row, standing)}. ${row.text}`}
        onClick={() => select("verdicts", { formula: isChosen ? null : row.label, line: null })} onDblClick={() => play(row)}>
        <VerdictSign standing={standing} isOwn={row.own} />
        <span class="verdict-body">
          <span class="verdict-line">
            {title && <span class={`verdict-name${row.own ? " is-own" : ""}`}>{title}</span>}
            <span class={`verdict-chip tone-${standing.tone}`}>{standing.word}{standing.remark}</span>
            {standing.found?.data.vacuous && <span class="verdict-chip tone-open" title={standing.found.data.vacuous}>says nothing</span>}
            <span class="grow" />
            {standing.found?.fromStore && <span class="verdict-store" role="img" aria-label="from the store" title="From the store: it was answered before"><Icon name="store" /></span>}
            {seconds !== null && <span class="verdict-time">{time(seconds)}</span>}
          </span>
          <span class="verdict-text mono">{row.text}</span>
          {standing.words && <span class={`verdict-words${standing.tone === "failed" ? " tone-failed" : ""}`}><Quoting words={standing.words} /></span>}
        </span>
      </button>
      {isChosen && <Details row={row} standing={standing} />}
    </li>
  );
}, (before, after) => before.isChosen === after.isChosen && before.isEntry === after.isEntry && isSame(before.row, after.row) && isSame(before.standing, after.standing));

function isSame<T extends object>(one: T, other: T): boolean {
  return one === other || Object.keys(one).every((key) => one[key as keyof T] === other[key as keyof T]);
}

function Details({ row, standing }: { row: Row; standing: Standing }) {
  const found = standing.found;
  const data = found?.data;
  return (
    <div class="verdict-details">
      {row.reading && <p class="verdict-reading"><Quoting words={row.reading} /></p>}
      {data?.reason && <p class="verdict-reason"><Quoting words={data.reason} /></p>}
      {data?.vacuous && <p class="verdict-reason"><b>It says nothing:</b> <Quoting words={data.vacuous} /></p>}
      {data && populationWords(data).map((words) => <p key={words}>{words}</p>)}
      {data?.agents?.invariant?.length ? (
        <details class="verdict-more"><summary>The invariant</summary><ul>{data.agents.invariant.map((each) => <li key={each}>{each}</li>)}</ul></details>
      ) : null}
      {found?.account.length ? (
        <details class="verdict-more"><summary>How it was found</summary><dl>{found.account.map((each) => <div key={each.name}><dt>{each.name}</dt><dd>{each.text}</dd></div>)}</dl></details>
      ) : null}
      {found && <p class="verdict-facts">{facts(found).map((each) => <span key={each.words} title={each.title}>{each.words}</span>)}{found.fromStore && <span>from the store</span>}</p>}
      <div class="verdict-buttons">
        {data?.evidence && <button type="button" class="button is-small is-primary" onClick={() => play(row)}><Icon name="play" />Play the {evidenceWord(data)}</button>}
        {found && !data?.evidence && hasPicture(found) && <button type="button" class="button is-small" onClick={() => play(row)}><Icon name="model" />See how</button>}
        {found?.story && <button type="button" class="button is-small" onClick={() => openStory(row)}><Icon name="story" />Story</button>}
        {data && <button type="button" class="button is-small" onClick={() => openExplain(row)}><Icon name="export" />Explain as …</button>}
        {data?.verdict === "unknown" && <button type="button" class="button is-small" title={`Alone, for up to ${hello.value?.limits.seconds ?? 60} s; gnomon studio --timeout gives more`} onClick={() => recheck([row])}><Icon name="again" />Check again with more time</button>}
        {standing.tone === "failed" && <button type="button" class="button is-small" onClick={() => recheck([row])}><Icon name="again" />Check again</button>}
        {row.own && <button type="button" class="button is-small" onClick={() => removeOwn(row.text)}><Icon name="close" />Remove</button>}
      </div>
    </div>
  );
}
