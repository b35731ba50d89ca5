// The editor: what it is made of, and the wires between it and what the page knows.

import { effect } from "@preact/signals";
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Prec, type Extension } from "@codemirror/state";
import {
  EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { edition } from "../documents";
import { play } from "../playing";
import { items, rows, type Row } from "../standing";
import { document_, isStale, selectedIn, selection, text, usable, usableText } from "../state";
import { isDark } from "../theme";
import { colours } from "./colours";
import { folding, ispl } from "./ispl";
import { hanging } from "./hanging";
import { lineToShow, linking, regionsOf, setRegions } from "./linking";
import { client, uriOf } from "./server";
import { setMarks, setStale, verdictMarks } from "./verdict_marks";

const language = new Compartment();
const theme = new Compartment();

function nonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
}

/** Open the player on what is behind the formula at the cursor. */
function playHere(view: EditorView): boolean {
  const line = view.state.doc.lineAt(view.state.selection.main.head).number;
  const row = rows().find((each) => !each.own && each.line <= line && line <= each.end_line);
  if (row) play(row);
  return row !== undefined;
}

function setup(): Extension {
  return [
    EditorView.cspNonce.of(nonce()),
    lineNumbers(), verdictMarks((row: Row) => play(row)), foldGutter({ openText: "▾", closedText: "▸" }),
    highlightSpecialChars(), history(), drawSelection(), dropCursor(), bracketMatching(), closeBrackets(), autocompletion({ icons: false }),
    highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }),
    EditorView.lineWrapping, ispl, folding, indentUnit.of("  "), EditorState.tabSize.of(4), linking(), hanging,
    EditorView.contentAttributes.of({ "aria-label": "Text of the model", tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
    Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => true }, { key: "Alt-Enter", run: playHere }])),
    keymap.of([
      ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
      indentWithTab,
    ]),
  ];
}

/** Lines end as they did, where all end in the same way. */
function lineEnds(content: string): Extension {
  return content.includes("\r\n") && !/(^|[^\r])\n/.test(content) ? EditorState.lineSeparator.of("\r\n") : [];
}

/** What was written into the signal last: whatever else is there comes from elsewhere. */
let written: string | null = null;

function newState(content: string): EditorState {
  const listening = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    written = update.state.sliceDoc();
    text.value = written;
  });
  written = content;
  return EditorState.create({
    doc: content,
    extensions: [setup(), lineEnds(content), listening, theme.of(colours(isDark.peek())), language.of([])],
  });
}

function serverPart(): Extension {
  const now = client.peek();
  return now ? now.plugin(uriOf(document_.peek().name), "ispl") : [];
}

/** Make the editor; return how to end it. */
export function openEditor(parent: HTMLElement): () => void {
  const view = new EditorView({ parent, state: newState(text.peek()) });
  editor = view;
  let shown = edition.peek();
  let before = selection.peek();
  let servedAs = "", servedBy: typeof client.value = null;
  const ends = [
    effect(() => {
      const now = text.value;
      if (shown !== edition.value) {
        shown = edition.value;
        view.setState(newState(now));
      } else if (now !== written) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: now } });
      }
    }),
    effect(() => {
      // A file is closed there before it is opened again, and not at all where nothing has changed.
      const served = `${document_.value.name} ${edition.value}`;
      if (served === servedAs && client.value === servedBy) return;
      servedAs = served;
      servedBy = client.value;
      view.dispatch({ effects: language.reconfigure([]) });
      view.dispatch({ effects: language.reconfigure(serverPart()) });
    }),
    effect(() => view.dispatch({ effects: theme.reconfigure(colours(isDark.value)) })),
    effect(() => {
      void edition.value;
      const isOld = isStale.value;
      const marks = isOld ? null : items.value.filter(({ row }) => !row.own);
      view.dispatch({ effects: [setStale.of(isOld), ...(marks ? [setMarks.of(marks)] : [])] });
    }),
    effect(() => {
      void edition.value;
      const now = selection.value;
      const model = usable.value;
      if (!model || text.peek() !== usableText.value) return;
      const line = selectedIn.value === "text" ? null : lineToShow(now, before, model);
      before = now;
      const regions = regionsOf(selectedIn.value === "text" ? { ...now, line: null } : now, model);
      view.dispatch({ effects: [setRegions.of(regions), ...(line && line <= view.state.doc.lines ? [EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "center" })] : [])] });
    }),
  ];
  return () => {
    for (const end of ends) end();
    view.destroy();
    editor = null;
  };
}

let editor: EditorView | null = null;

/** Put the cursor at a place, and be there. */
export function goTo(line: number, column: number): void {
  if (!editor) return;
  const place = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines));
  const at = Math.min(place.to, place.from + Math.max(0, column - 1));
  editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }), userEvent: "select" });
  editor.focus();
}

export function theEditor(): EditorView | null {
  return editor;
}
