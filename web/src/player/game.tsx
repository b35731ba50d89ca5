// A game: against a strategy one is everybody else; where there is none, one is the coalition and sees what beats it.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Actions, Move, PlayBegin, PlayParams, State, Step, TurnAnswer } from "../protocol";
import { announcement, stateKey, type Found } from "../state";
import { DrawingView } from "../pictures/drawing";
import { asked, useAnswer, wordsOf } from "../walking/asking";
import { Busy, changesOf, ErrorNote, Note, ValueShown, Words } from "../walking/parts";
import { list } from "./strategies";

/** A state of the game, how it was reached, and what there is to choose. */
interface Round { state: State; step: Step | null; turn: TurnAnswer }

export function Game({ found, which, side, onEnd }: { found: Found; which: number; side: "strategy" | "defence"; onEnd: () => void }) {
  const params: PlayParams = { model: found.model, formula: found.data.text, strategies: found.strategies, which, side };
  const { data, error, busy } = useAnswer("play/begin", params);
  return (
    <div class="game">
      <div class="v-row"><button type="button" class="v-btn" onClick={onEnd}>← Back to the {side === "strategy" ? "strategy" : "answers"}</button></div>
      {error && <ErrorNote>{error}</ErrorNote>}
      {!data && busy && <Busy words="Setting up the game" />}
      {data && (data.goal ? <Table begin={data} params={params} /> : <Note tone="open">{data.reason}</Note>)}
    </div>
  );
}

function Table({ begin, params }: { begin: PlayBegin; params: PlayParams }) {
  const [rounds, setRounds] = useState<readonly Round[]>([]);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(true);
  const now = rounds[rounds.length - 1] ?? null;
  const boxes = useMemo(() => new Map((begin.drawing?.boxes ?? []).filter((box) => box.state).map((box) => [stateKey(box.state!), box.number])), [begin]);

  const enter = async (before: readonly Round[], state: State, step: Step | null) => {
    setBusy(true);
    setError("");
    try {
      const turn = await asked("play/turn", { ...params, state, step: before.length });
      setRounds([...before, { state, step, turn }]);
      announcement.value = turn.words;
    } catch (failure) {
      setError(wordsOf(failure));
    } finally {
      setBusy(false);
    }
  };
  const choose = async (choice: Actions) => {
    if (!now) return;
    setBusy(true);
    setError("");
    try {
      const turn = await asked("play/turn", { ...params, state: now.state, step: rounds.length - 1, choice });
      if (turn.result) await enter([...rounds.slice(0, -1), { ...now, turn: { ...turn, yours: now.turn.yours } }], turn.result.state, turn.result);
      else setRounds([...rounds.slice(0, -1), { ...now, turn }]);
    } catch (failure) {
      setError(wordsOf(failure));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => { void enter([], begin.start, null); }, [begin]);

  const way = new Set(rounds.map((round) => boxes.get(stateKey(round.state))).filter((number) => number !== undefined));
  const earlier = now ? rounds.findIndex((round) => round !== now && stateKey(round.state) === stateKey(now.state)) : -1;
  const you = begin.side === "strategy" ? begin.others : begin.members;
  return (
    <div class="game-table">
      <p class="game-lead">
        {begin.side === "strategy"
          ? <>You are <b>{list(you) || "chance"}</b>. <b>{list(begin.members)}</b> will enforce <code>{begin.goal || begin.formula}</code>, whatever you do.</>
          : <>You are <b>{list(you)}</b>. Try to enforce <code>{begin.goal || begin.formula}</code>: the others have an answer to everything.</>}
        {begin.reason && <span class="v-quiet"> {begin.reason}</span>}
      </p>
      {error && <ErrorNote>{error}</ErrorNote>}
      {now && <Standing turn={now.turn} />}
      {now && earlier >= 0 && <Note>It is as it was in round {earlier + 1}: this can go on for ever.</Note>}
      <div class="game-sides">
        <div class={`game-now${busy ? " is-stale" : ""}`}>
          {now && (
            <>
              <p class="game-round">Round {rounds.length}</p>
              <div class="game-state" tabindex={0} role="group" aria-label="The state">{Object.entries(now.state).flatMap(([agent, values]) => Object.entries(values).map(([name, value]) => <ValueShown name={`${agent}.${name}`} before={now.step ? rounds[rounds.length - 2]?.state[agent]?.[name] : undefined} value={value} />))}</div>
              {begin.side === "strategy" && now.turn.theirs && <p class="game-theirs"><span class="v-quiet">The strategy does</span> {Object.entries(now.turn.theirs).map(([agent, action]) => <span><span class="v-name">{agent}</span> <span class="v-action is-theirs">{action}</span></span>)}</p>}
              <Yours round={now} busy={busy} side={begin.side} onMove={(move) => void enter(rounds, move.step.state, move.step)} onChoice={(choice) => void choose(choice)} />
            </>
          )}
          {!now && busy && <Busy words="Looking at the table" />}
          <div class="v-row game-buttons">
            <button type="button" class="v-btn" disabled={rounds.length < 2 || busy} onClick={() => setRounds(rounds.slice(0, -1))}>Take back</button>
            <button type="button" class="v-btn" disabled={rounds.length < 2 || busy} onClick={() => void enter([], begin.start, null)}>Again</button>
          </div>
          <History rounds={rounds} side={begin.side} onGo={(index) => setRounds(rounds.slice(0, index + 1))} />
        </div>
        {begin.drawing && (
          <div class="game-picture"><DrawingView drawing={begin.drawing} label="The game" current={now ? boxes.get(stateKey(now.state)) : null} marked={way} exported={{ what: "play", params }} /></div>
        )}
      </div>
    </div>
  );
}

const STANDINGS = { open: "open", won: "yes", lost: "no", done: "yes", stuck: "open" } as const;
const SIGNS = { open: "…", won: "✓", lost: "✗", done: "✓", stuck: "■" } as const;

function Standing({ turn }: { turn: TurnAnswer }) {
  return <p class={`game-standing is-${STANDINGS[turn.standing]}`} role="status"><span aria-hidden="true">{SIGNS[turn.standing]}</span> <Words text={turn.words} /></p>;
}

function Yours({ round, busy, side, onMove, onChoice }: { round: Round; busy: boolean; side: "strategy" | "defence"; onMove: (move: Move) => void; onChoice: (choice: Actions) => void }) {
  const yours = round.turn.yours;
  if (!yours.length) return null;
  return (
    <div class="game-yours" role="group" aria-label="Your moves">
      <p class="v-quiet">{side === "strategy" ? "Your move:" : "Your choice:"}</p>
      {yours.map((each) => {
        const isMove = "step" in each;
        const theirs = round.turn.theirs ?? {};
        const actions = Object.entries(isMove ? each.step.actions ?? {} : each.choice).filter(([agent, action]) => action !== "-" && !(isMove && agent in theirs));
        return (
          <button type="button" class="game-move" disabled={busy} onClick={() => (isMove ? onMove(each) : onChoice(each.choice))}>
            <span class="move-actions">{actions.map(([agent, action]) => <span><span class="v-name">{agent}</span> {action}</span>)}{!actions.length && <span>let it happen</span>}</span>
            {isMove && <span class="move-changes">{each.changes.map((change) => <ValueShown name={`${change.agent}.${change.variable}`} before={change.before} value={change.after} />)}</span>}
          </button>
        );
      })}
    </div>
  );
}

function History({ rounds, side, onGo }: { rounds: readonly Round[]; side: "strategy" | "defence"; onGo: (index: number) => void }) {
  if (rounds.length < 2) return null;
  return (
    <ol class="game-history">
      {rounds.slice(1).map((round, index) => {
        const before = rounds[index]!;
        const answer = side === "defence" ? before.turn.theirs : null;
        const changes = changesOf(before.state, round.state);
        return (
          <li>
            <button type="button" class="way-number" aria-label={`Back to round ${index + 1}`} onClick={() => onGo(index)}>{index + 1}</button>
            <span class="way-words">
              <span class="way-actions">{Object.entries(round.step?.actions ?? {}).filter(([, action]) => action !== "-").map(([agent, action]) => <span class={answer && agent in answer ? "is-theirs" : ""}>{agent}: {action} </span>)}</span>
              {changes.map((each) => <ValueShown name={`${each.agent}.${each.variable}`} before={each.before} value={each.after} />)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
