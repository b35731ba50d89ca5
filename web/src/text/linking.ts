// What is selected elsewhere, shown in the text; and where the cursor stands, told to the others.

import { RangeSetBuilder, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import { selectLine, selection, type Selection } from "../state";
import type { Opened } from "../protocol";

/** Lines, both included. */
export interface Region { from: number; to: number; kind: "agent" | "formula" | "line" }
export const setRegions = StateEffect.define<readonly Region[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(regions, transaction) {
    let now = transaction.docChanged ? regions.map(transaction.changes) : regions;
    for (const effect of transaction.effects) if (effect.is(setRegions)) now = draw(effect.value, transaction.newDoc);
    return now;
  },
  provide: (self) => EditorView.decorations.from(self),
});

function draw(regions: readonly Region[], doc: Text): DecorationSet {
  const kinds = new Map<number, string[]>();
  for (const region of regions) {
    for (let line = Math.max(1, region.from); line <= Math.min(region.to, doc.lines); line++) {
      kinds.set(line, [...kinds.get(line) ?? [], `linked-${region.kind}`]);
    }
  }
  const builder = new RangeSetBuilder<Decoration>();
  for (const line of [...kinds.keys()].sort((a, b) => a - b)) {
    const { from } = doc.line(line);
    builder.add(from, from, Decoration.line({ class: kinds.get(line)!.join(" ") }));
  }
  return builder.finish();
}

export function regionsOf(chosen: Selection, model: Opened | null): Region[] {
  const found: Region[] = [];
  const agent = model?.agents.find((each) => each.name === chosen.agent);
  if (agent?.line) found.push({ from: agent.line, to: agent.end_line ?? agent.line, kind: "agent" });
  const formula = model?.formulae.find((each) => each.label === chosen.formula);
  if (formula) found.push({ from: formula.line, to: formula.end_line, kind: "formula" });
  if (chosen.line) found.push({ from: chosen.line, to: chosen.line, kind: "line" });
  return found;
}

/** The line that a selection made elsewhere wants to be seen. */
export function lineToShow(now: Selection, before: Selection, model: Opened | null): number | null {
  if (now.line !== before.line && now.line) return now.line;
  const regions = regionsOf(now, model);
  if (now.formula !== before.formula && now.formula) return regions.find((each) => each.kind === "formula")?.from ?? null;
  if (now.agent !== before.agent && now.agent) return regions.find((each) => each.kind === "agent")?.from ?? null;
  return null;
}

export function linking(): Extension {
  let soon: ReturnType<typeof setTimeout> | undefined;
  const telling = EditorView.updateListener.of((update) => {
    const byHand = update.transactions.some((each) => each.isUserEvent("select") || each.isUserEvent("input") || each.isUserEvent("delete"));
    if (!byHand || !update.view.hasFocus) return;
    clearTimeout(soon);
    const before = selection.peek();
    // Whoever selects something elsewhere in the meantime is right.
    soon = setTimeout(() => selection.peek() === before && selectLine(update.view.state.doc.lineAt(update.view.state.selection.main.head).number), 120);
  });
  return [field, telling];
}
