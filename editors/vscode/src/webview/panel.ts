/** The script of the panel. It puts in what the extension sends as text, and the page into a frame without scripts. */

import type { Row, Said, View } from "../view";

declare function acquireVsCodeApi(): { postMessage(message: Said): void };

const code = acquireVsCodeApi();
let shown: string | null = null;

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function span(name: string, text: string, tag = "span"): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function item(row: Row, current: boolean): HTMLLIElement {
  const line = document.createElement("li");
  line.className = row.stale ? `${row.kind} stale` : row.kind;
  const button = document.createElement("button");
  button.type = "button";
  button.title = row.text;
  button.dataset["number"] = String(row.number);
  button.setAttribute("aria-current", String(current));
  const mark = span("mark", row.mark);
  mark.setAttribute("aria-hidden", "true");
  button.append(mark, span("label", row.label), span("text", row.text, "code"), span("words", row.words));
  button.addEventListener("click", () => code.postMessage({ kind: "go", number: row.number }));
  line.append(button);
  return line;
}

/** Draw the list anew. Whoever was on a row with the keyboard stays on it. */
function list(view: View): void {
  const rows = element("rows");
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["number"] : undefined;
  const before = rows.querySelector("[aria-current=true]")?.getAttribute("data-number");
  const scrolled = rows.scrollTop;
  rows.replaceChildren(...view.rows.map((row) => item(row, row.number === view.current)));
  rows.hidden = view.rows.length === 0;
  rows.scrollTop = scrolled;
  const current = rows.querySelector<HTMLElement>("[aria-current=true]");
  if (current?.dataset["number"] !== before) {
    current?.scrollIntoView({ block: "nearest" });
  }
  if (focused !== undefined) {
    rows.querySelector<HTMLElement>(`[data-number="${CSS.escape(focused)}"]`)?.focus();
  }
}

/** Return the page with the ground and the ink of the editor's theme. */
function inTheme(page: string): string {
  const theme = getComputedStyle(document.documentElement);
  const ground = theme.getPropertyValue("--vscode-editor-background").trim();
  const ink = theme.getPropertyValue("--vscode-editor-foreground").trim();
  const colour = /^(#[0-9a-f]+|rgba?\([\d., ]+\))$/iu;
  if (!colour.test(ground) || !colour.test(ink)) {
    return page;
  }
  const style = `<style>:root, svg.gnomon-picture { --paper: ${ground}; --ink: ${ink}; }
    body { margin: 1rem auto; font-size: 14px; } .actual svg { max-width: none !important; }</style>`;
  return page.includes("</head>") ? page.replace("</head>", `${style}</head>`) : page;
}

/** Keys that are pressed in the frame are the editor's: without this, its commands end where the page begins. */
function forwardKeys(frame: HTMLIFrameElement): void {
  frame.contentDocument?.addEventListener("keydown", (event) => {
    const { key, code: place, keyCode, ctrlKey, shiftKey, altKey, metaKey, repeat } = event;
    const init = { key, code: place, keyCode, ctrlKey, shiftKey, altKey, metaKey, repeat, bubbles: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", init));
  });
}

function show(view: View): void {
  element("title").textContent = view.title;
  element("all").hidden = view.rows.length === 0;
  element("size").hidden = view.rows.length > 0;
  list(view);
  element("note").hidden = view.note === "";
  element("note").className = view.warning ? "warning" : "";
  element("words").textContent = view.note;
  element("one").hidden = !view.offer;
  element("one").onclick = (): void => code.postMessage({ kind: "check", number: view.current });
  const frame = element<HTMLIFrameElement>("page");
  frame.hidden = view.page === null;
  if (view.page !== shown) {
    shown = view.page;
    frame.srcdoc = view.page === null ? "" : inTheme(view.page);
  }
}

/** Pictures of many states are as wide as the panel at first, and as large as they were drawn when asked. */
function resize(): void {
  const button = element("size");
  const actual = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(actual));
  element<HTMLIFrameElement>("page").contentDocument?.documentElement.classList.toggle("actual", actual);
}

element("size").addEventListener("click", resize);
window.addEventListener("message", (event: MessageEvent<View>) => show(event.data));
element("all").addEventListener("click", () => code.postMessage({ kind: "check", number: null }));
element<HTMLIFrameElement>("page").addEventListener("load", (event) => forwardKeys(event.target as HTMLIFrameElement));
code.postMessage({ kind: "ready" });
