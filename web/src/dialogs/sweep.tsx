// A sweep: the same formulae for many values of the constants, as a table that grows, and as plots.

import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { wordsOf } from "../checking";
import type { SweepAnswer, SweepRow } from "../protocol";
import { ask, type Asked } from "../rpc";
import { constants, document_, strategies, usable, usableText } from "../state";
import { count, time } from "../standing";
import { Modal } from "./modal";
import { PlotFigure } from "./plot";

const ranges = signal<Record<string, string>>({});
const last = signal<{ model: string; rows: SweepRow[]; answer: SweepAnswer | null } | null>(null);

export function Sweep() {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const under = useRef<Asked<SweepAnswer> | null>(null);
  const model = usable.value;
  if (!model) return null;
  const valueOf = (name: string, value: number) => ranges.value[name] ?? String(constants.value[name] ?? value);
  const submit = async (event: Event) => {
    event.preventDefault();
    setFailure("");
    setBusy(true);
    last.value = { model: model.model, rows: [], answer: null };
    const wanted = Object.fromEntries(model.constants.map((each) => [each.name, valueOf(each.name, each.value)]));
    const asked = ask("model/sweep", { text: usableText.value, name: document_.value.name, constants: wanted, strategies: strategies.value }, (said) => {
      if (said.rows && under.current === asked && last.value) last.value = { ...last.value, rows: merged(last.value.rows, said.rows) };
    });
    under.current = asked;
    try {
      const answer = await asked.answer;
      last.value = { model: model.model, rows: answer.rows, answer };
    } catch (error) {
      if (under.current === asked) setFailure(wordsOf(error));
    } finally {
      if (under.current === asked) { under.current = null; setBusy(false); }
    }
  };
  const shown = last.value?.model === model.model ? last.value : null;
  return (
    <Modal title="Sweep" size="large">
      {model.constants.length === 0 ? <p class="empty">The text has no constants: a section <code>Constants</code> makes a family of it.</p> : (
        <form class="form" onSubmit={(event) => void submit(event)}>
          {model.constants.map((each, index) => (
            <label class="field" key={each.name}><span class="mono">{each.name}</span>
              <input class="mono" {...(index === 0 ? { "data-autofocus": true } : {})} placeholder="2..6 or 2,4,8" spellcheck={false} value={valueOf(each.name, each.value)} onInput={(event) => { ranges.value = { ...ranges.value, [each.name]: event.currentTarget.value }; }} />
            </label>
          ))}
          {isBusy ? <button type="button" class="button" onClick={() => under.current?.cancel()}>Stop</button> : <button type="submit" class="button is-primary">Sweep</button>}
        </form>
      )}
      {model.constants.length > 0 && <p class="quiet">A value, a range such as <code>2..6</code>, or a list such as <code>2,4,8</code> for each.</p>}
      {failure && <p class="failure" role="alert">{failure}</p>}
      {shown && (shown.rows.length > 0 || isBusy) && <Table rows={shown.rows} isBusy={isBusy} />}
      {shown?.answer && shown.answer.plots.length > 0 && (
        <div class="plots">
          {shown.answer.plots.map((plot) => <PlotFigure key={plot.title} title={plot.title} svg={plot.svg} tikz={plot.tikz} />)}
        </div>
      )}
    </Modal>
  );
}

function merged(rows: readonly SweepRow[], more: readonly SweepRow[]): SweepRow[] {
  const found = new Map(rows.map((row) => [JSON.stringify(row.constants), row]));
  for (const row of more) found.set(JSON.stringify(row.constants), row);
  return [...found.values()];
}

function Table({ rows, isBusy }: { rows: readonly SweepRow[]; isBusy: boolean }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.constants)))];
  const formulae = [...new Set(rows.flatMap((row) => Object.keys(row.verdicts)))];
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label="Table of the sweep">
      <table class="sweep">
        <thead><tr>{names.map((name) => <th key={name} class="mono number">{name}</th>)}<th class="number">states</th><th class="number">time</th>{formulae.map((name) => <th key={name}>{name}</th>)}</tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify(row.constants)}>
              {names.map((name) => <td key={name} class="mono number">{row.constants[name]}</td>)}
              <td class="number">{row.states === null ? "" : count(row.states)}</td><td class="number">{time(row.seconds)}</td>
              {row.reason && !Object.keys(row.verdicts).length ? <td colSpan={Math.max(1, formulae.length)}>{row.reason}</td> : formulae.map((name) => {
                const verdict = row.verdicts[name];
                return <td key={name} title={row.reason ?? ""}>{verdict && <span class={`verdict-chip tone-${toneOf(verdict)}`}>{verdict.verdict}</span>}</td>;
              })}
            </tr>
          ))}
          {isBusy && <tr><td colSpan={names.length + formulae.length + 2} class="quiet">…</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

function toneOf(verdict: { verdict: string; as_expected: boolean }): string {
  return verdict.as_expected ? "yes" : verdict.verdict === "true" || verdict.verdict === "false" ? "no" : "open";
}
