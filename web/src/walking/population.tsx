// How many agents of each template there are, and one more in the middle of a walk.

import type { TemplateInfo } from "../protocol";
import { usable, walkModel } from "../state";
import { join, populate, walkBusy, walkWords, wanted } from "./walk";
import { Drop } from "./drop";
import { Busy, ErrorNote } from "./parts";

/** More than these are no population to look at. */
const MOST = 60;

function numberOf(template: TemplateInfo): number {
  const least = Math.max(template.low, 0);
  return wanted.value[template.name] ?? walkModel.value?.population?.[template.name] ?? Math.min(template.high ?? MOST, Math.max(least, 2));
}

export function PopulationChooser() {
  const model = usable.value;
  if (!model?.templates.length) return null;
  const begin = (event: Event) => {
    event.preventDefault();
    void populate(Object.fromEntries(model.templates.map((each) => [each.name, numberOf(each)])));
  };
  return (
    <form class="population" onSubmit={begin}>
      {model.templates.map((template) => <HowMany key={template.name} template={template} />)}
      <button type="submit" class="v-btn is-accent" disabled={walkBusy.value !== ""}>Walk</button>
      {walkBusy.value && <Busy words={walkBusy.value} />}
      {!walkModel.value && walkWords.value && <ErrorNote>{walkWords.value}</ErrorNote>}
    </form>
  );
}

function HowMany({ template }: { template: TemplateInfo }) {
  const low = Math.max(0, template.low), high = Math.min(MOST, template.high ?? MOST);
  const number = numberOf(template);
  const set = (next: number) => { wanted.value = { ...wanted.value, [template.name]: Math.min(high, Math.max(low, Number.isFinite(next) ? Math.round(next) : low)) }; };
  return (
    <div class="how-many">
      <span class="how-many-name">{template.name}</span>
      <button type="button" class="v-icon" aria-label={`One ${template.name} less`} disabled={number <= low} onClick={() => set(number - 1)}>−</button>
      <input class="v-input is-number" type="number" min={low} max={high} value={number} aria-label={`Number of ${template.name}`} onChange={(event) => set(event.currentTarget.valueAsNumber)} />
      <button type="button" class="v-icon" aria-label={`One ${template.name} more`} disabled={number >= high} onClick={() => set(number + 1)}>+</button>
      <Crowd name={template.name} number={number} />
    </div>
  );
}

/** Little heads, as many as there are. */
export function Crowd({ name, number, tone = 0 }: { name: string; number: number; tone?: number }) {
  const shown = Math.min(number, 24);
  return (
    <svg class={`crowd tone-${tone % 5}`} width={shown * 13 + (number > shown ? 30 : 0) + 2} height={20} role="img" aria-label={`${number} ${name}`}>
      {Array.from({ length: shown }, (_, index) => (
        <g transform={`translate(${index * 13} 0)`}><circle cx={6.5} cy={5.5} r={3.6} /><path d="M1.2 18.5 a5.3 6.5 0 0 1 10.6 0 z" /></g>
      ))}
      {number > shown && <text x={shown * 13 + 4} y={15}>+{number - shown}</text>}
    </svg>
  );
}

/** Who is there, above the walk of a population. */
export function PopulationBar() {
  const model = walkModel.value;
  if (!model?.population || !usable.value) return null;
  const isFree = walkBusy.value === "";
  return (
    <div class="population-bar">
      {Object.entries(model.population).map(([name, number], index) => {
        const template = usable.value!.templates.find((each) => each.name === name);
        return (
          <span class="population-part">
            <Crowd name={name} number={number} tone={index} /><span>{number} {name}</span>
            <button type="button" class="v-icon" disabled={!isFree || (template?.high != null && number >= template.high)} title={`Let another ${name} in; the walk so far is taken again with it`} aria-label={`Let another ${name} in`} onClick={() => void join(name)}>+</button>
          </span>
        );
      })}
      <span class="v-gap" />
      <Drop summary="Others">{() => <><p class="v-quiet">Begin anew with so many agents:</p><PopulationChooser /></>}</Drop>
    </div>
  );
}
