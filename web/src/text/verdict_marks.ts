// Verdicts in the text: behind each formula how it stands, and a sign beside its number.

import { RangeSetBuilder, StateEffect, StateField, type Extension, type Range, type RangeSet, type Text, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, type DecorationSet } from "@codemirror/view";
import { signWords, time, type Row, type Standing } from "../standing";

export interface Mark { row: Row; standing: Standing }
export const setMarks = StateEffect.define<readonly Mark[]>();
/** Whether the text is another than the one that was checked. */
export const setStale = StateEffect.define<boolean>();

class VerdictWidget extends WidgetType {
  private readonly words: string;
  private readonly title: string;
  constructor(private readonly mark: Mark, private readonly open: (row: Row) => void) {
    super();
    const { word, remark, seconds, tone, words } = mark.standing;
    this.words = tone === "running" ? word : `${word}${remark}${seconds === null ? "" : ` · ${time(seconds)}`}`;
    this.title = [words, mark.standing.found?.data.reason ?? "", mark.standing.found?.data.evidence ? "Show why" : ""].filter(Boolean).join(" · ");
  }
  override eq(other: VerdictWidget): boolean {
    return other.words === this.words && other.title === this.title && other.mark.row.key === this.mark.row.key;
  }
  toDOM(): HTMLElement {
    const made = document.createElement("button");
    made.type = "button";
    made.tabIndex = -1;
    made.className = `verdict-chip tone-${this.mark.standing.tone}`;
    made.textContent = this.words;
    made.title = this.title;
    made.setAttribute("aria-label", `${this.mark.row.label}: ${this.words}`);
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", () => this.open(this.mark.row));
    return made;
  }
  override ignoreEvent(): boolean { return true; }
}

class Sign extends GutterMarker {
  constructor(private readonly standing: Standing) { super(); }
  override eq(other: Sign): boolean { return other.standing.sign === this.standing.sign && other.standing.tone === this.standing.tone; }
  override toDOM(): HTMLElement {
    const made = document.createElement("span");
    made.className = `verdict-sign tone-${this.standing.tone}`;
    made.textContent = this.standing.sign;
    made.title = signWords(this.standing.tone);
    return made;
  }
}

interface Marks { chips: DecorationSet; signs: RangeSet<GutterMarker>; stale: boolean }

export function verdictMarks(open: (row: Row) => void): Extension {
  const field = StateField.define<Marks>({
    create: () => ({ chips: Decoration.none, signs: Decoration.none as unknown as RangeSet<GutterMarker>, stale: false }),
    update(marks, transaction) {
      let now = marks;
      if (transaction.docChanged) now = { ...now, chips: moved(now.chips, transaction), signs: now.signs.map(transaction.changes) };
      for (const effect of transaction.effects) {
        if (effect.is(setMarks)) now = { ...now, ...place(effect.value, transaction.newDoc, open) };
        if (effect.is(setStale)) now = { ...now, stale: effect.value };
      }
      return now;
    },
    provide: (self) => [
      EditorView.decorations.from(self, (marks) => marks.chips),
      EditorView.editorAttributes.from(self, (marks) => ({ class: marks.stale ? "has-stale-verdicts" : "" })),
    ],
  });
  return [field, gutter({ class: "cm-verdict-gutter", markers: (view) => view.state.field(field).signs })];
}

/** A chip stays at the end of its line, also where a new line is begun behind it. */
function moved(chips: DecorationSet, { changes, newDoc }: Transaction): DecorationSet {
  const all: Range<Decoration>[] = [];
  for (const each = chips.iter(); each.value; each.next()) all.push(each.value.range(newDoc.lineAt(changes.mapPos(each.from, -1)).to));
  return Decoration.set(all, true);
}

function place(marks: readonly Mark[], doc: Text, open: (row: Row) => void): Pick<Marks, "chips" | "signs"> {
  const chips = new RangeSetBuilder<Decoration>();
  const signs = new RangeSetBuilder<GutterMarker>();
  for (const mark of [...marks].sort((a, b) => a.row.line - b.row.line || a.row.end_line - b.row.end_line)) {
    if (mark.row.line < 1 || mark.row.end_line > doc.lines) continue;
    const start = doc.line(mark.row.line);
    signs.add(start.from, start.from, new Sign(mark.standing));
  }
  for (const mark of [...marks].sort((a, b) => a.row.end_line - b.row.end_line)) {
    if (mark.row.line < 1 || mark.row.end_line > doc.lines) continue;
    const end = doc.line(mark.row.end_line).to;
    chips.add(end, end, Decoration.widget({ widget: new VerdictWidget(mark, open), side: 1 }));
  }
  return { chips: chips.finish(), signs: signs.finish() };
}
