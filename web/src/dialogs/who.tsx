// Who can? Which coalitions can enforce a goal, or which groups know something, as a lattice to click on.

import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { wordsOf } from "../checking";
import { DrawingView } from "../pictures/drawing";
import type { Box, WhoAnswer, WhoParams } from "../protocol";
import { ask, type Asked } from "../rpc";
import { READINGS, READING_WORDS, document_, strategies, usable } from "../state";
import { addOwn } from "../views/verdict_actions";
import { Modal } from "./modal";

interface Wish { goal: string; knows: boolean; when: NonNullable<WhoParams["when"]>; among: string[]; environment: boolean; atMost: string; strategies: string }
/** What was asked last, so that the dialog can be closed and opened again. */
const wish = signal<Wish>({ goal: "", knows: false, when: "ever", among: [], environment: false, atMost: "", strategies: "" });
const last = signal<{ params: WhoParams; answer: WhoAnswer } | null>(null);

export function Who() {
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState("");
  const under = useRef<Asked<WhoAnswer> | null>(null);
  const model = usable.value;
  if (!model) return null;
  const now = wish.value;
  const set = (part: Partial<Wish>) => { wish.value = { ...now, ...part }; };
  const agents = model.agents.filter((each) => each.name !== "Environment").map((each) => each.name);
  const reading = now.strategies || strategies.value;
  const submit = async (event: Event) => {
    event.preventDefault();
    under.current?.cancel();
    setFailure("");
    setBusy("asking");
    const params: WhoParams = {
      model: model.model, goal: now.goal, environment: now.environment, strategies: reading,
      ...(now.knows ? { knows: true, when: now.when } : {}),
      ...(now.among.length ? { among: now.among } : {}), ...(Number(now.atMost) >= 1 ? { at_most: Number(now.atMost) } : {}),
    };
    const asked = ask("model/who", params, (said) => setBusy(said.words ?? "asking"));
    under.current = asked;
    try {
      const answer = await asked.answer;
      last.value = { params, answer };
    } catch (error) {
      if (under.current === asked) setFailure(wordsOf(error));
    } finally {
      if (under.current === asked) { under.current = null; setBusy(""); }
    }
  };
  const shown = last.value?.params.model === model.model ? last.value : null;
  return (
    <Modal title="Who can?" size="large">
      <form class="form who-form" onSubmit={(event) => void submit(event)}>
        <div class="segments" role="group" aria-label="What is asked">
          <button type="button" class="segment" aria-pressed={!now.knows} onClick={() => set({ knows: false })}>can enforce</button>
          <button type="button" class="segment" aria-pressed={now.knows} onClick={() => set({ knows: true })}>know</button>
        </div>
        <label class="field grow"><span>{now.knows ? "Formula" : "Goal"}</span>
          <input class="mono" data-autofocus required spellcheck={false} autocomplete="off" list="who-goals" placeholder={now.knows ? "secret" : "F done"} value={now.goal} onInput={(event) => set({ goal: event.currentTarget.value })} />
        </label>
        <datalist id="who-goals">{model.propositions.slice(0, 40).map((each) => <option key={each.name} value={now.knows ? each.name : `F ${each.name}`} />)}</datalist>
        {now.knows ? (
          <label class="field"><span>When</span><select value={now.when} onChange={(event) => set({ when: event.currentTarget.value as Wish["when"] })}><option value="ever">in some state</option><option value="always">wherever it holds</option><option value="initially">initially</option></select></label>
        ) : (
          <label class="field"><span>Strategies</span><select value={reading} onChange={(event) => set({ strategies: event.currentTarget.value })}>{READINGS.map((each) => <option key={each} value={each}>{READING_WORDS[each]}</option>)}</select></label>
        )}
        <label class="field is-number"><span>At most</span><input type="number" min={1} placeholder="any" value={now.atMost} onInput={(event) => set({ atMost: event.currentTarget.value })} /></label>
        {busy ? <button type="button" class="button" onClick={() => under.current?.cancel()}>Stop</button> : <button type="submit" class="button is-primary" disabled={!now.goal.trim()}>Ask</button>}
        <fieldset class="among">
          <legend>Among {now.among.length ? "" : "all agents"}</legend>
          {agents.slice(0, 60).map((name) => (
            <label key={name} class="tick"><input type="checkbox" checked={now.among.includes(name)} onChange={(event) => set({ among: event.currentTarget.checked ? [...now.among, name] : now.among.filter((each) => each !== name) })} />{name}</label>
          ))}
          <label class="tick"><input type="checkbox" checked={now.environment} onChange={(event) => set({ environment: event.currentTarget.checked })} />the environment, too</label>
        </fieldset>
      </form>
      {busy && <p class="empty" role="status">{busy} …</p>}
      {failure && <p class="failure" role="alert">{failure}</p>}
      {shown && !busy && shown.answer.surveys.map((survey) => <Survey key={survey.kind + survey.title} survey={survey} asked={shown.params} />)}
      {!shown && !busy && !failure && <p class="empty">The smallest groups that can, the largest that cannot, and all between them; a click on a group puts its formula into the list of verdicts.</p>}
    </Modal>
  );
}

function Survey({ survey, asked }: { survey: WhoAnswer["surveys"][number]; asked: WhoParams }) {
  const [chosen, setChosen] = useState<{ number: number; formula: string; words: string } | null>(null);
  const name = `${document_.value.name}: `;
  const title = survey.title.startsWith(name) ? survey.title.slice(name.length) : survey.title;
  const onBox = (box: Box) => {
    const group = survey.groups[box.name] ?? survey.groups[String(box.number)];
    if (!group) return;
    const can = group.standing === null ? "is open" : group.standing ? asked.knows ? "know it" : "can" : asked.knows ? "do not know it" : "cannot";
    setChosen({ number: box.number, formula: group.formula, words: `${group.members.length ? group.members.join(", ") : "nobody"}: ${can}` });
    addOwn(group.formula);
  };
  return (
    <section class="survey">
      <h3>{title}</h3>
      <div class="survey-picture"><DrawingView drawing={survey.drawing} label={title} selected={chosen?.number ?? null} onBox={onBox} exported={{ what: "who", params: { ...asked, survey: survey.kind } }} /></div>
      <p class="survey-chosen" role="status">{chosen ? <><b>{chosen.words}</b> <code>{chosen.formula}</code> is in the list of verdicts now.</> : " "}</p>
    </section>
  );
}
