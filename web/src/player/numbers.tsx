// What was found out for any number of agents: the smallest populations that do it, or why no number does.

import type { Found } from "../state";
import { Crowd } from "../walking/population";
import { populate, walkBusy } from "../walking/walk";
import { player } from "../state";
import { Note, Section, Words } from "../walking/parts";

export function AnyNumber({ found }: { found: Found }) {
  const agents = found.data.agents!;
  const isDecided = found.data.verdict === "true" || found.data.verdict === "false";
  const walk = (numbers: Record<string, number>) => { player.value = null; void populate(numbers); };
  return (
    <div class="any-number">
      {agents.smallest.length > 0 && (
        <Section title={agents.smallest.length === 1 ? "The smallest population that can" : "The smallest populations that can"}>
          <div class="crowds">
            {agents.smallest.map((numbers) => (
              <div class="crowd-card">
                {Object.entries(numbers).map(([name, number], index) => <div class="crowd-row"><Crowd name={name} number={number} tone={index} /><span><b>{number}</b> {name}</span></div>)}
                <button type="button" class="v-btn" disabled={walkBusy.value !== ""} onClick={() => walk(numbers)}>Walk with them</button>
              </div>
            ))}
          </div>
          <Note>{agents.exact ? "So many are enough, and no fewer." : "So many are enough; fewer may be, too."}</Note>
        </Section>
      )}
      {agents.facts.length > 0 && <Section title="Where"><ul class="facts">{agents.facts.map((fact) => <li><code>{fact}</code></li>)}</ul></Section>}
      {!agents.reached && !agents.invariant?.length && isDecided && <Note>It is the same however many agents there are.</Note>}
      {agents.invariant && agents.invariant.length > 0 && (
        <Section title="However many there are">
          <p class="v-quiet">These hold at first, every step keeps them, and the verdict follows:</p>
          <ul class="invariant">{agents.invariant.map((sentence) => <li><Words text={sentence} /></li>)}</ul>
        </Section>
      )}
      {typeof agents.cases === "number" && <p class="v-quiet">{agents.cases} {agents.cases === 1 ? "case was" : "cases were"} looked at.</p>}
    </div>
  );
}
