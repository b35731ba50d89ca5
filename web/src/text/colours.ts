// How the text looks: by the colours of the page, so that light and dark need no second theme.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { ownTags } from "./ispl";

const words = HighlightStyle.define([
  { tag: ownTags.section, color: "var(--code-section)", fontWeight: "600" },
  { tag: ownTags.end, color: "var(--code-section)" },
  { tag: tags.keyword, color: "var(--code-word)" },
  { tag: tags.operatorKeyword, color: "var(--code-word)" },
  { tag: ownTags.temporal, color: "var(--code-time)", fontWeight: "600" },
  { tag: ownTags.epistemic, color: "var(--code-knowledge)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.number, color: "var(--code-value)" },
  { tag: tags.bool, color: "var(--code-value)" },
  { tag: tags.constant(tags.name), color: "var(--code-value)" },
  { tag: tags.className, color: "var(--code-name)", fontWeight: "600" },
  { tag: tags.definition(tags.name), color: "var(--code-name)" },
  { tag: tags.standard(tags.name), color: "var(--code-type)" },
  { tag: tags.special(tags.variableName), color: "var(--code-type)" },
  { tag: tags.namespace, color: "var(--code-owner)" },
  { tag: tags.operator, color: "var(--code-sign)" },
  { tag: ownTags.remark, color: "var(--code-remark)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--no)", textDecoration: "underline wavy" },
]);

const tooltip = { background: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "var(--shadow-deep)" };

const look = {
  "&": { height: "100%", background: "var(--paper)", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "contain" },
  ".cm-content": { padding: "8px 0 40vh", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-activeLine": { background: "var(--code-line)" },
  ".cm-activeLineGutter": { background: "var(--code-line)", color: "var(--ink)" },
  ".cm-gutters": { background: "var(--paper)", color: "var(--faint)", border: "none", paddingLeft: "4px" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 8px", minWidth: "28px", fontVariantNumeric: "tabular-nums" },
  ".cm-verdict-gutter": { width: "16px" },
  ".cm-foldGutter .cm-gutterElement": { color: "var(--faint)", cursor: "pointer" },
  ".cm-foldPlaceholder": { background: "var(--raised)", border: "1px solid var(--line)", color: "var(--quiet)", padding: "0 6px", margin: "0 4px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: "var(--accent-ground)", outline: "1px solid var(--accent-line)", color: "inherit" },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { background: "var(--no-ground)", color: "inherit" },
  ".cm-selectionMatch": { background: "var(--match)" },
  ".cm-searchMatch": { background: "var(--open-ground)", outline: "1px solid var(--open)", borderRadius: "2px" },
  ".cm-searchMatch.cm-searchMatch-selected": { background: "var(--accent-ground)", outline: "1px solid var(--accent)" },
  ".cm-specialChar": { color: "var(--no)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--no) 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--open) 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-info, .cm-lintRange-hint": { backgroundImage: "none", textDecoration: "underline dotted var(--quiet) 1px", textUnderlineOffset: "3px" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--no)" },
  ".cm-tooltip": tooltip,
  ".cm-tooltip .cm-tooltip-arrow": { display: "none" },
  ".cm-tooltip-section:not(:first-child)": { borderTop: "1px solid var(--line)" },
  ".cm-diagnostic": { padding: "6px 10px", margin: "0", borderLeft: "3px solid var(--quiet)", fontFamily: "var(--sans)", fontSize: "13px", maxWidth: "560px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--no)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--open)" },
  ".cm-diagnosticSource": { color: "var(--quiet)", opacity: "1", fontFamily: "var(--mono)", fontSize: "11px" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px", padding: "4px", maxHeight: "16em", scrollbarWidth: "thin" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "2px 8px 2px 4px", borderRadius: "5px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-ground)", color: "var(--ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)", fontWeight: "600" },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-completionIcon": { color: "var(--quiet)", opacity: "1", width: "1.1em" },
  ".cm-completionInfo": { ...tooltip, padding: "6px 10px", maxWidth: "380px", whiteSpace: "normal", fontFamily: "var(--sans)", fontSize: "13px" },
  ".cm-lsp-hover-tooltip, .cm-lsp-signature-tooltip": { fontFamily: "var(--sans)", fontSize: "13px", lineHeight: "1.45", maxWidth: "560px", maxHeight: "320px", overflow: "auto", padding: "6px 12px" },
  ".cm-lsp-documentation pre, .cm-lsp-documentation code, .cm-lsp-signature": { fontFamily: "var(--mono)", fontSize: "12px" },
  ".cm-lsp-documentation p": { margin: "3px 0" },
  ".cm-lsp-documentation pre": { whiteSpace: "pre-wrap", background: "var(--raised)", borderRadius: "5px", padding: "6px 8px" },
  ".cm-lsp-documentation hr": { border: "none", borderTop: "1px solid var(--line)" },
  ".cm-lsp-active-parameter": { color: "var(--accent)" },
  ".cm-panels": { background: "var(--raised)", color: "var(--ink)", fontFamily: "var(--sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel": { fontSize: "12.5px" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 8px" },
  ".cm-panel.cm-search label": { fontSize: "12px", color: "var(--quiet)" },
  ".cm-panel.cm-search [name=close], .cm-panel [name=close]": { color: "var(--quiet)", fontSize: "16px", right: "8px" },
  ".cm-panel.cm-panel-lint ul": { maxHeight: "140px" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { background: "var(--accent-ground)", color: "var(--ink)" },
  ".cm-panel.cm-panel-lint ul:focus [aria-selected]": { background: "var(--accent-ground)", color: "var(--ink)" },
  ".cm-textfield": { background: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", padding: "3px 8px", fontSize: "12.5px" },
  ".cm-button": { background: "var(--paper)", backgroundImage: "none", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "6px", padding: "3px 8px", fontSize: "12.5px" },
  ".cm-button:active": { backgroundImage: "none" },
  ".cm-lsp-reference-panel": { fontSize: "12px", fontFamily: "var(--mono)" },
  ".cm-lsp-reference-panel .cm-lsp-reference[aria-selected]": { background: "var(--accent-ground)" },
};

export function colours(isDark: boolean): Extension {
  return [EditorView.theme(look, { dark: isDark }), syntaxHighlighting(words)];
}
