// What was found out for any number of agents: the smallest populations that do it, or why no number does.

import type { Found } from "../state";
import { Crowd } from "../walking/population";
import { populate, walkBusy } from "../walking/walk";
import { player } from "../state";
import { Note, Section, Words } from "../walking/parts";

export function AnyNumber({ found }: { found: Found }) {
  const agents = found.data.agents!;
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
          <Note>{agents.exact ? "With fewer it cannot happen; with more it can." : "Fewer may do as well: this is what was found."}</Note>
        </Section>
      )}
      {agents.facts.length > 0 && <Section title="Where"><ul class="facts">{agents.facts.map((fact) => <li><code>{fact}</code></li>)}</ul></Section>}
      {!agents.reached && !agents.invariant?.length && <Note tone="yes">However many agents there are, it stays so.</Note>}
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
