// Keys, and what signs mean.

import { KEYS } from "../keys";
import { hello } from "../state";
import { Words } from "../walking/parts";
import { Modal } from "./modal";

const SIGNS: readonly (readonly [string, string, string])[] = [
  ["✓", "yes", "as expected: `true`, unless the text says `expect`; so `false` may be just right"],
  ["✗", "no", "decided, and otherwise than expected"],
  ["?", "open", "undefined or unknown; the reason is beside it"],
  ["…", "running", "being checked"],
  ["◌", "idle", "not checked, or checked for the text before"],
  ["!", "failed", "the check came to nothing"],
];

export function Help() {
  const groups = [...new Set(KEYS.map((each) => each.where))];
  return (
    <Modal title="Keys and signs" size="large" aside={hello.value && <span class="quiet">Gnomon {hello.value.gnomon}</span>}>
      <div class="help">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl class="keys">
              {KEYS.filter((each) => each.where === group).map((each) => <div key={each.keys}><dt>{each.keys.split(/(, | … | and )/).map((part, at) => at % 2 ? part : <kbd key={part}>{part}</kbd>)}</dt><dd>{each.words}</dd></div>)}
            </dl>
          </section>
        ))}
        <section>
          <h3>Signs</h3>
          <dl class="keys is-signs">{SIGNS.map(([sign, tone, words]) => <div key={sign}><dt><span class={`verdict-mark tone-${tone}`}>{sign}</span></dt><dd><Words text={words} /></dd></div>)}</dl>
        </section>
      </div>
    </Modal>
  );
}
