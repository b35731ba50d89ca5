// Lines that are too long go on below, a little deeper than they began.

import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

/** By classes: attributes with styles are not allowed on this page. */
const DEEPEST = 24;
const depths = Array.from({ length: DEEPEST + 1 }, (_, depth) => Decoration.line({ class: `hangs-${depth}` }));

function draw(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let place = from; place <= to;) {
      const line = view.state.doc.lineAt(place);
      const depth = /^ */.exec(line.text)![0].length;
      if (line.length > 20) builder.add(line.from, line.from, depths[Math.min(depth + 2, DEEPEST)]!);
      place = line.to + 1;
    }
  }
  return builder.finish();
}

const style = EditorView.theme(Object.fromEntries(depths.map((_, depth) => [`.cm-line.hangs-${depth}`, { paddingLeft: `calc(6px + ${depth}ch)`, textIndent: `-${depth}ch` }])));

const plugin = ViewPlugin.fromClass(class {
  lines: DecorationSet;
  constructor(view: EditorView) { this.lines = draw(view); }
  update(update: ViewUpdate): void { if (update.docChanged || update.viewportChanged) this.lines = draw(update.view); }
}, { decorations: (self) => self.lines });

export const hanging = [plugin, style];
