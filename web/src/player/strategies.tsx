// Strategies, and why there are none: rules in words, the table behind them, and a game against them.

import { useState } from "preact/hooks";
import type { AnswerData, DefenceData, RuleData, StrategyData } from "../protocol";
import { stateKey, type Found } from "../state";
import { changesOf, Section, ValueShown, variablesApart } from "../walking/parts";
import { Game } from "./game";

const READINGS: Record<string, string> = {
  "perfect": "by the whole state", "uniform": "each acts by what it sees", "uniform-subjective": "each acts by what it sees, and must succeed wherever it may be",
  "uniform-model": "some act by what they see", "cells": "by cells of numbers",
};
const MOST_ROWS = 60;

export function StrategyView({ strategy, which, found }: { strategy: StrategyData; which: number; found: Found | null }) {
  const [isPlaying, setPlaying] = useState(false);
  if (isPlaying && found) return <Game found={found} which={which} side="strategy" onEnd={() => setPlaying(false)} />;
  return (
    <div class="strategy">
      <p class="strategy-lead"><b>{list(strategy.members)}</b> can enforce <code>{goalOf(strategy.formula)}</code>{READINGS[strategy.reading] && <span class="v-quiet"> – {READINGS[strategy.reading]}</span>}</p>
      {found && <button type="button" class="v-btn is-accent" onClick={() => setPlaying(true)}>Play against it</button>}
      <Rules rules={strategy.rules} />
      {strategy.choices.length > 0 && <Choices strategy={strategy} />}
    </div>
  );
}

export function DefenceView({ defence, which, found }: { defence: DefenceData; which: number; found: Found | null }) {
  const [isPlaying, setPlaying] = useState(false);
  if (isPlaying && found) return <Game found={found} which={which} side="defence" onEnd={() => setPlaying(false)} />;
  return (
    <div class="strategy">
      <p class="strategy-lead"><b>{list(defence.members)}</b> cannot enforce <code>{goalOf(defence.formula)}</code>: there is an answer to whatever {defence.members.length === 1 ? "it does" : "they do"}.</p>
      {found && <button type="button" class="v-btn is-accent" onClick={() => setPlaying(true)}>Try it yourself</button>}
      <Rules rules={defence.rules} />
      <Answers answers={defence.answers} />
    </div>
  );
}

/** What a coalition wants: the formula without its members. */
export function goalOf(formula: string): string {
  return formula.replace(/^<[^<>]*>\s*/, "");
}

export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

function Rules({ rules }: { rules: readonly RuleData[] }) {
  if (!rules.length) return null;
  const agents = [...new Set(rules.map((rule) => rule.agent))];
  return (
    <Section title="In words">
      <div class="rules">
        {agents.map((agent) => {
          const own = rules.filter((rule) => rule.agent === agent);
          return (
            <div class="rule-agent">
              <b>{agent}</b>
              <ol class={own.length === 1 ? "is-one" : ""}>
                {own.map((rule, index) => (
                  <li>
                    <span class="v-action">{rule.do}</span>{" "}
                    {rule.when.length ? <>when <code>{rule.when.join(" and ")}</code></> : <span class="v-quiet">{own.length === 1 ? "always" : index === own.length - 1 ? "otherwise" : ""}</span>}
                  </li>
                ))}
              </ol>
            </div>
          );
        })}
      </div>
    </Section>
  );
}

/** What is done where; what is the same everywhere is said once. */
function Choices({ strategy }: { strategy: StrategyData }) {
  const [all, setAll] = useState(false);
  const names = [...new Set(strategy.choices.flatMap((choice) => Object.keys(choice.where)))];
  const isVarying = (name: string) => new Set(strategy.choices.map((choice) => choice.where[name])).size > 1;
  const columns = names.filter(isVarying);
  const fixed = names.filter((name) => !isVarying(name));
  const rows = all ? strategy.choices : strategy.choices.slice(0, MOST_ROWS);
  return (
    <Section title={`State by state (${strategy.choices.length})`}>
      {fixed.length > 0 && strategy.choices.length > 1 && <p class="v-quiet">Everywhere: {fixed.map((name) => `${name} = ${strategy.choices[0]!.where[name]}`).join(", ")}</p>}
      <div class="v-scroll" tabindex={0} role="region" aria-label="What the strategy does, state by state">
        <table class="v-table">
          <thead><tr>{strategy.members.map((name) => <th scope="col" class="is-do">{name} does</th>)}{(columns.length ? columns : fixed).map((name) => <th scope="col">{name}</th>)}</tr></thead>
          <tbody>{rows.map((choice) => <tr>{strategy.members.map((name) => <td class="is-do"><span class="v-action">{choice.actions[name] ?? ""}</span></td>)}{(columns.length ? columns : fixed).map((name) => <td>{choice.where[name] ?? ""}</td>)}</tr>)}</tbody>
        </table>
      </div>
      {rows.length < strategy.choices.length && <button type="button" class="v-link" onClick={() => setAll(true)}>Show all {strategy.choices.length}</button>}
    </Section>
  );
}

/** Each choice of the coalition, and the answer that beats it. */
function Answers({ answers }: { answers: readonly AnswerData[] }) {
  const [all, setAll] = useState(false);
  const rows = all ? answers : answers.slice(0, 30);
  if (!answers.length) return null;
  const apart = variablesApart(answers.map((answer) => answer.state));
  return (
    <Section title={`Answers (${answers.length})`}>
      <ul class="answers">
        {rows.map((answer, index) => {
          const isNew = index === 0 || stateKey(rows[index - 1]!.state) !== stateKey(answer.state);
          const changes = changesOf(answer.state, answer.result);
          const others = Object.entries(answer.actions).filter(([agent, action]) => !(agent in answer.choice) && action !== "-");
          return (
            <>
            {isNew && apart.length > 0 && <li class="answer-where"><span class="v-quiet">where</span>{apart.map(({ agent, variable }) => <ValueShown name={`${agent}.${variable}`} value={answer.state[agent]?.[variable] ?? ""} />)}</li>}
            <li>
              <span class="answer-choice">{Object.entries(answer.choice).map(([agent, action]) => <span><span class="v-name">{agent}</span> <span class="v-action">{action}</span></span>)}</span>
              <span class="answer-arrow" aria-hidden="true">→</span>
              <span class="answer-others">{others.map(([agent, action]) => <span><span class="v-name">{agent}</span> <span class="v-action is-theirs">{action}</span></span>)}</span>
              <span class="answer-result">{changes.length ? changes.map((each) => <ValueShown name={`${each.agent}.${each.variable}`} before={each.before} value={each.after} />) : <span class="v-quiet">nothing changes</span>}</span>
            </li>
            </>
          );
        })}
      </ul>
      {rows.length < answers.length && <button type="button" class="v-link" onClick={() => setAll(true)}>Show all {answers.length}</button>}
    </Section>
  );
}
