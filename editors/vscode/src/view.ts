/** What the panel shows, as data and as text. Nothing here knows VS Code, so that all of it can be tested. */

import type { Formula } from "./protocol";

export interface Row {
  readonly number: number;
  readonly mark: string;
  /** The class of the mark: its colour says nothing that the mark and the words do not say. */
  readonly kind: "expected" | "unexpected" | "open" | "none" | "running";
  readonly label: string;
  readonly text: string;
  readonly words: string;
  readonly stale: boolean;
}

export interface View {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The number of the formula whose page is shown. */
  readonly current: number | null;
  /** A whole document, or nothing. */
  readonly page: string | null;
  /** What is to be said about the page. */
  readonly note: string;
  /** Whether the note is to be seen before the page is believed: it is stale, or there is no server. */
  readonly warning: boolean;
  /** Whether checking the current formula would help. */
  readonly offer: boolean;
}

/** What the page of the panel says to the extension. */
export type Said =
  | { readonly kind: "ready" }
  | { readonly kind: "go"; readonly number: number }
  | { readonly kind: "check"; readonly number: number | null };

const MARKS = { expected: "✓", unexpected: "✗", open: "?" } as const;

/** Return the row of a formula. A stale verdict keeps its mark and is called stale in words. */
export function row(formula: Formula): Row {
  const { number, label, text, state, verdict } = formula;
  const stale = state === "stale" && verdict !== null;
  if (state === "running") {
    return { number, label, text, stale, mark: "…", kind: "running", words: "running" };
  }
  if (verdict === null || state === "none") {
    return { number, label, text, stale, mark: "·", kind: "none", words: "not checked" };
  }
  const words = stale ? `${outcome(formula)} · stale` : outcome(formula);
  return { number, label, text, stale, mark: MARKS[verdict.standing], kind: verdict.standing, words };
}

/** Return the value of a verdict, and how it compares with what is expected. */
export function outcome({ verdict, expected }: Formula): string {
  if (verdict === null) {
    return "not checked";
  }
  const strategies = verdict.strategies === null ? "" : ` (${verdict.strategies})`;
  if (verdict.asExpected) {
    return verdict.value === "true" ? `true${strategies}` : `${verdict.value}, as expected${strategies}`;
  }
  return `${verdict.value}, expected ${expected}${strategies}`;
}

/** Return a text as it can stand between tags and in quoted attributes. */
export function escape(text: string): string {
  const names: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };
  return text.replace(/[&<>"']/gu, (sign) => `&${names[sign] ?? "#63"};`);
}

/**
 * Return a page in the colours of the editor. Our pages ask the browser for light or dark; in a web view, the browser
 * answers with what the system likes and not with what the editor has.
 */
export function themed(html: string, dark: boolean): string {
  return html
    .replaceAll("@media (prefers-color-scheme: dark)", dark ? "@media all" : "@media not all")
    .replaceAll("color-scheme: light dark", `color-scheme: ${dark ? "dark" : "light"}`);
}

/**
 * Return the document of a panel. Only the script with the nonce runs; pages are shown in a frame without scripts, and
 * all else is put in as text, so nothing that a model says becomes a part of the document.
 */
export function shell(title: string, nonce: string, script: string): string {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1 id="title"></h1><button id="size" type="button" aria-pressed="false">Actual size</button><button id="all" type="button">Check all</button></header>
<ol id="rows" aria-label="Verdicts"></ol>
<div id="note" role="status"><span id="words"></span><button id="one" type="button">Check</button></div>
<iframe id="page" sandbox="allow-same-origin" title="Explanation"></iframe>
<script nonce="${nonce}">${script.replaceAll("</", "<\\/")}</script>
</body>
</html>`;
}

const STYLE = `
html, body { height: 100%; }
body { display: flex; flex-direction: column; margin: 0; padding: 0; font-family: var(--vscode-font-family);
  font-size: var(--vscode-font-size); color: var(--vscode-foreground); background: var(--vscode-editor-background); }
[hidden] { display: none !important; }
header { display: flex; align-items: baseline; gap: 1em; padding: 0.6em 1em 0.2em; }
h1 { font-size: 1.1em; font-weight: 600; margin: 0; flex: 1; overflow: hidden; text-overflow: ellipsis; }
button { font: inherit; cursor: pointer; color: var(--vscode-button-secondaryForeground, inherit);
  background: var(--vscode-button-secondaryBackground, transparent); border: 1px solid var(--vscode-button-border, transparent);
  border-radius: 2px; padding: 0.15em 0.7em; }
button[aria-pressed="true"] { border-color: var(--vscode-focusBorder); }
button:hover { background: var(--vscode-button-secondaryHoverBackground, transparent); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
ol { display: grid; grid-template-columns: auto fit-content(40%) minmax(4em, 1fr) auto; column-gap: 0.8em; align-content: start;
  list-style: none; margin: 0.3em 0 0; padding: 0 0 0.3em; flex: none; max-height: 38%; overflow-y: auto;
  border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
li, li > button { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; }
li > button { text-align: left; color: inherit; background: none; border: none; border-radius: 0; padding: 0.2em 1em; }
li > button[aria-pressed="true"] { border-color: var(--vscode-focusBorder); }
button:hover { background: var(--vscode-list-hoverBackground); }
li > button[aria-current="true"] { background: var(--vscode-list-inactiveSelectionBackground); }
.label { overflow: hidden; text-overflow: ellipsis; }
li code { background: none; padding: 0; font-family: var(--vscode-editor-font-family); color: var(--vscode-descriptionForeground);
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.words { white-space: nowrap; }
.expected .mark { color: var(--vscode-testing-iconPassed); }
.unexpected .mark { color: var(--vscode-testing-iconFailed); }
.open .mark { color: var(--vscode-testing-iconQueued); }
.stale .mark, .stale .label, .stale .words { opacity: 0.75; font-style: italic; }
#note { flex: none; display: flex; align-items: center; gap: 1em; padding: 0.4em 1em; }
#note.warning { color: var(--vscode-inputValidation-warningForeground, inherit);
  background: var(--vscode-inputValidation-warningBackground, transparent);
  border-bottom: 1px solid var(--vscode-inputValidation-warningBorder, transparent); }
#words { flex: 1; }
iframe { flex: 1; min-height: 0; width: 100%; border: none; background: var(--vscode-editor-background); }
`;
