// Why acting by what one sees is not enough: states that look the same, in which different actions would be needed.

import type { AnswerData, ClashesData } from "../protocol";
import { stateKey } from "../state";
import { changesOf, show, ValueShown, variablesApart } from "../walking/parts";
import { goalOf, list } from "./strategies";

export function ClashView({ clashes }: { clashes: ClashesData }) {
  return (
    <div class="clashes">
      <p class="strategy-lead"><b>{list(clashes.members)}</b> cannot enforce <code>{goalOf(clashes.formula)}</code> by what {clashes.members.length === 1 ? "it sees" : "they see"}: no one action does for all states that look the same.</p>
      {clashes.views.map((view) => <View view={view} />)}
    </div>
  );
}

function View({ view }: { view: ClashesData["views"][number] }) {
  const apart = variablesApart(view.states);
  return (
    <section class="clash" aria-label={`What ${view.agent} sees`}>
      <p class="clash-sees"><b>{view.agent}</b> sees {Object.entries(view.where).map(([name, value]) => <ValueShown name={name} value={value} />)}</p>
      {!view.failures.length && <p class="v-quiet">Among others these states look so, and no one action does for all of them.</p>}
      <div class="clash-states">
        {view.states.map((state, index) => {
          const failures = view.failures.filter((failure) => stateKey(failure.state) === stateKey(state));
          return (
            <>
              {index > 0 && <span class="clash-same" title={`looks the same to ${view.agent}`}><span aria-hidden="true">≈</span><span class="v-hidden">looks the same as</span></span>}
              <div class="clash-state">
                <div class="clash-values">{apart.map(({ agent, variable }) => <span class="v-value"><span class="v-name">{agent}.{variable}</span><span class="v-now">{show(state[agent]?.[variable] ?? "")}</span></span>)}</div>
                {failures.length > 0 && <ul>
                  {failures.map((failure) => (
                    <li><span class="v-action">{choiceOf(failure)}</span> <span class="v-verdict is-no">✗ fails</span>
                      <span class="clash-result">{changesOf(failure.state, failure.result).map((each) => <ValueShown name={`${each.agent}.${each.variable}`} before={each.before} value={each.after} />)}</span></li>
                  ))}
                </ul>}
              </div>
            </>
          );
        })}
      </div>
    </section>
  );
}

function choiceOf(failure: AnswerData): string {
  const values = Object.entries(failure.choice);
  return values.length === 1 ? values[0]![1] : values.map(([agent, action]) => `${agent}: ${action}`).join(", ");
}
