// Keys of the whole page; those of the text are the editor's.

import { checkAll, stopAll } from "./checking";
import { save } from "./documents";
import { ORDER, focusPane, maximised } from "./layout";
import { dialog, frontPane, usable } from "./state";
import { nextTheme } from "./theme";

export interface Key { keys: string; words: string; where: string }
/** All of them, as the help tells them. */
export const KEYS: readonly Key[] = [
  { where: "Everywhere", keys: "Alt+1 … Alt+4", words: "go to text, verdicts, run, model" },
  { where: "Everywhere", keys: "Alt+M", words: "show a pane alone, or all of them again" },
  { where: "Everywhere", keys: "Ctrl+S", words: "save" },
  { where: "Everywhere", keys: "Ctrl+O", words: "open a file of the folder" },
  { where: "Everywhere", keys: "Alt+G", words: "open a model of the gallery" },
  { where: "Everywhere", keys: "Ctrl+Enter", words: "check all formulae" },
  { where: "Everywhere", keys: "Ctrl+.", words: "stop all checks" },
  { where: "Everywhere", keys: "Alt+W", words: "who can?" },
  { where: "Everywhere", keys: "Alt+S", words: "sweep over constants" },
  { where: "Everywhere", keys: "Alt+L", words: "share: link, page, pictures" },
  { where: "Everywhere", keys: "Alt+T", words: "light, dark, or as the system" },
  { where: "Everywhere", keys: "F1, ?", words: "this help" },
  { where: "Everywhere", keys: "Escape", words: "close what is open" },
  { where: "Text", keys: "Ctrl+Space", words: "complete" },
  { where: "Text", keys: "F2", words: "rename" },
  { where: "Text", keys: "F12, Shift+F12", words: "go to the definition, find all uses" },
  { where: "Text", keys: "Shift+Alt+F", words: "format" },
  { where: "Text", keys: "F8, Ctrl+Shift+M", words: "next mistake, list of all" },
  { where: "Text", keys: "Ctrl+Shift+Space", words: "what goes into these brackets" },
  { where: "Text", keys: "Ctrl+F", words: "search and replace" },
  { where: "Text", keys: "Ctrl+/", words: "comment lines in or out" },
  { where: "Text", keys: "Ctrl+Shift+[ and ]", words: "fold, unfold" },
  { where: "Text", keys: "Alt+Enter", words: "play what is behind the formula at the cursor" },
  { where: "Text", keys: "Escape, then Tab", words: "leave the text" },
  { where: "Verdicts", keys: "↑ ↓ Home End", words: "choose a formula" },
  { where: "Verdicts", keys: "Enter", words: "play the evidence" },
  { where: "Verdicts", keys: "S", words: "read the story" },
  { where: "Verdicts", keys: "E", words: "explain in another format" },
  { where: "Verdicts", keys: "/", words: "filter" },
  { where: "Run", keys: "1 … 9", words: "take that move" },
  { where: "Run", keys: "Backspace, F", words: "go back, go forward" },
  { where: "Run", keys: "R", words: "take a step at random" },
  { where: "Run, on the way", keys: "← → ↑ ↓", words: "go back and forward, and to forks" },
  { where: "Player", keys: "← → Home End", words: "go through the run" },
  { where: "Player", keys: "Space", words: "play it, or stop" },
  { where: "Player", keys: "Escape", words: "go back to the walk" },
  { where: "Pictures", keys: "+ − 0, arrows", words: "larger, smaller, all of it; move" },
  { where: "Pictures", keys: "Enter, then arrows", words: "go from box to box; Enter selects one" },
  { where: "Bars between panes", keys: "arrows, Shift+arrows", words: "move by little, by more" },
  { where: "Bars between panes", keys: "Home, End, Enter", words: "smallest, largest, as it was" },
];

export function listenToKeys(): void {
  window.addEventListener("keydown", (event) => { if (handle(event)) event.preventDefault(); });
}

function open(name: string): true {
  dialog.value = { name };
  return true;
}

function handle(event: KeyboardEvent): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const isTyping = event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName));
  if (event.key === "F1" || (event.key === "?" && !isTyping)) return open("help");
  if (isControl && !event.altKey && !event.shiftKey) {
    switch (event.key) {
      case "s": void save(); return true;
      case "o": return open("files");
      case "Enter": checkAll(); return true;
      case ".": stopAll(); return true;
    }
  }
  if (dialog.value || !event.altKey || isControl || event.shiftKey) return false;
  switch (event.code) {
    case "Digit1": case "Digit2": case "Digit3": case "Digit4": focusPane(ORDER[Number(event.code.slice(5)) - 1]!); return true;
    case "KeyM": maximised.value = maximised.value ? null : paneOfFocus(); return true;
    case "KeyG": return open("gallery");
    case "KeyW": return usable.value ? open("who") : false;
    case "KeyS": return usable.value ? open("sweep") : false;
    case "KeyL": return open("share");
    case "KeyT": nextTheme(); return true;
  }
  return false;
}

function paneOfFocus() {
  const id = document.activeElement?.closest(".pane")?.id.slice("pane-".length);
  return ORDER.find((pane) => pane === id) ?? frontPane.value;
}
