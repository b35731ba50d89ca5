// The cell of a state of a model with numbers without bounds: which predicates hold there.

import { computed } from "@preact/signals";
import type { Opened, State } from "../protocol";
import { found } from "../state";
import { useAnswer } from "./asking";
import { Busy, ErrorNote, Note } from "./parts";

/** The predicates of all verdicts on this model, each once. */
const predicates = computed(() => {
  const all = new Map<string, { text: string; origin: string }>();
  for (const each of found.value.values()) for (const predicate of each.predicates) if (!all.has(predicate.text)) all.set(predicate.text, predicate);
  return [...all.values()];
});

export function Cell({ model, state }: { model: Opened; state: State }) {
  const some = predicates.value;
  const { data, error, busy } = useAnswer("run/cell", some.length ? { model: model.model, state, predicates: some } : null);
  if (!some.length) return <Note>Check a formula first: its verdict brings the predicates that cut the numbers into cells.</Note>;
  return (
    <div class={`cell${busy ? " is-stale" : ""}`}>
      {error && <ErrorNote>{error}</ErrorNote>}
      {!data && busy && <Busy words="Looking" />}
      {data && (
        <table class="v-table cell-table">
          <thead><tr><th scope="col">Holds</th><th scope="col">Predicate</th><th scope="col">From</th></tr></thead>
          <tbody>
            {data.parts.map((part) => (
              <tr class={part.holds ? "is-yes" : ""}>
                <td>{part.holds === null ? <span title="not defined here">?</span> : part.holds ? <span class="v-verdict is-yes">✓ yes</span> : <span class="v-verdict">✗ no</span>}</td>
                <td><code>{part.text}</code></td>
                <td class="v-quiet">{part.origin}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
