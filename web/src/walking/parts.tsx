// Small parts that views are made of.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { State, Value } from "../protocol";
import { opened, select, selection, usable } from "../state";

export function show(value: Value): string {
  return String(value);
}

/** Words in which names stand between backticks. */
export function Words({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 ? <code>{part}</code> : part))}</>;
}

/** Lines of the text: to click on one selects it there. */
export function Lines({ lines, from }: { lines: readonly number[]; from: "model" | "run" }) {
  if (!lines.length) return null;
  const isMoved = opened.value !== null && usable.value !== null && opened.value.model !== usable.value.model;
  return (
    <span class="v-lines">
      {lines.map((line) => (
        <button type="button" class={`v-line${selection.value.line === line ? " is-selected" : ""}`} aria-label={`Line ${line}`}
          title={isMoved ? `Line ${line} of the last text without mistakes` : `Line ${line} of the text`} onClick={() => select(from, { line })}>{line}</button>
      ))}
    </span>
  );
}

/** An agent's name: to click on it selects the agent everywhere. */
export function AgentName({ name, from }: { name: string; from: "model" | "run" }) {
  const isSelected = selection.value.agent === name;
  return (
    <button type="button" class={`v-agent${isSelected ? " is-selected" : ""}`} aria-pressed={isSelected}
      onClick={() => select(from, { agent: isSelected ? null : name })}>{name}</button>
  );
}

/** A value, with what it was before where that was another. */
export function ValueShown({ name, before, value }: { name?: string | undefined; before?: Value | undefined; value: Value }) {
  const isChanged = before !== undefined && before !== value;
  return (
    <span class={`v-value${isChanged ? " is-changed" : ""}${value === false ? " is-false" : ""}`}>
      {name !== undefined && <span class="v-name">{name}</span>}
      {isChanged && <><span class="v-before">{show(before)}</span><span class="v-arrow" aria-label="becomes">→</span></>}
      <span class="v-now">{show(value)}</span>
    </span>
  );
}

/** The values in which two states differ. */
export function changesOf(before: State | null, after: State): { agent: string; variable: string; before: Value | undefined; after: Value }[] {
  return Object.entries(after).flatMap(([agent, values]) => Object.entries(values)
    .filter(([variable, value]) => before === null || before[agent]?.[variable] !== value)
    .map(([variable, value]) => ({ agent, variable, before: before?.[agent]?.[variable], after: value })));
}

/** The variables in which some of these states differ. */
export function variablesApart(states: readonly State[]): { agent: string; variable: string }[] {
  const first = states[0];
  if (!first) return [];
  return Object.entries(first).flatMap(([agent, values]) => Object.keys(values).filter((variable) => states.some((state) => state[agent]?.[variable] !== first[agent]![variable])).map((variable) => ({ agent, variable })));
}

export function Segmented<T extends string>({ label, options, value, onChange }: {
  label: string; options: readonly { value: T; words: string; hint?: string; off?: boolean }[]; value: T; onChange: (value: T) => void;
}) {
  return (
    <div class="v-seg" role="group" aria-label={label}>
      {options.map((option) => (
        <button type="button" aria-pressed={option.value === value} disabled={option.off ?? false} title={option.hint} onClick={() => onChange(option.value)}>{option.words}</button>
      ))}
    </div>
  );
}

/** Tabs with their panel, by the arrow keys. */
export function Tabs<T extends string>({ label, tabs, value, onChange, aside, children }: {
  label: string; tabs: readonly { tab: T; words: string; badge?: string }[]; value: T; onChange: (tab: T) => void; aside?: ComponentChildren; children: ComponentChildren;
}) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const place = tabs.findIndex((each) => each.tab === value);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length]!;
    onChange(tab.tab);
    document.getElementById(`${id}-${tab.tab}`)?.focus();
  };
  return (
    <div class="v-tabbed">
      <div class="v-tabs">
        <div class="v-tablist" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ tab, words, badge }) => (
            <button type="button" role="tab" id={`${id}-${tab}`} aria-selected={tab === value} aria-controls={`${id}-panel`} tabindex={tab === value ? 0 : -1} onClick={() => onChange(tab)}>
              {words}{badge && <span class="v-badge">{badge}</span>}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div class="v-panel" role="tabpanel" tabindex={0} id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>{children}</div>
    </div>
  );
}

export function ErrorNote({ children }: { children: ComponentChildren }) {
  return <p class="v-error" role="alert">{typeof children === "string" ? <Words text={children} /> : children}</p>;
}

export function Note({ children, tone = "quiet" }: { children: ComponentChildren; tone?: "quiet" | "yes" | "no" | "open" }) {
  return <p class={`v-note is-${tone}`}>{children}</p>;
}

export function Busy({ words, onStop }: { words: string; onStop?: () => void }) {
  return <p class="v-busy" role="status"><span class="v-dots" aria-hidden="true"><i /><i /><i /></span>{words} …{onStop && <button type="button" class="v-link" onClick={onStop}>Stop</button>}</p>;
}

/** What stands where there is nothing yet. */
export function Nothing({ title, children }: { title: string; children?: ComponentChildren }) {
  return <div class="v-nothing"><p class="v-nothing-title">{title}</p>{children}</div>;
}

export function Section({ title, aside, children, className }: { title: ComponentChildren; aside?: ComponentChildren; children: ComponentChildren; className?: string }) {
  const id = useId();
  return (
    <section class={`v-section${className ? ` ${className}` : ""}`} aria-labelledby={id}>
      <div class="v-section-head"><h3 id={id}>{title}</h3>{aside}</div>
      {children}
    </section>
  );
}

/** Some of a list of names, as boxes to tick. */
export function Ticks({ label, names, chosen, onChange }: { label: string; names: readonly string[]; chosen: readonly string[]; onChange: (chosen: string[]) => void }) {
  return (
    <div class="v-ticks" role="group" aria-label={label}>
      {names.map((name) => {
        const isOn = chosen.includes(name);
        return (
          <label class={isOn ? "is-on" : ""}>
            <input type="checkbox" checked={isOn} onChange={() => onChange(names.filter((each) => (each === name ? !isOn : chosen.includes(each))))} />{name}
          </label>
        );
      })}
    </div>
  );
}
