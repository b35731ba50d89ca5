// Hovers quote names out of models, so nothing of their HTML is believed but a few plain tags.

const PLAIN = new Set([
  "P", "BR", "HR", "CODE", "PRE", "EM", "STRONG", "B", "I", "UL", "OL", "LI", "SPAN", "DIV", "BLOCKQUOTE",
  "H1", "H2", "H3", "H4", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD",
]);
/** What has no text worth keeping. */
const DROPPED = new Set(["SCRIPT", "STYLE", "IFRAME", "OBJECT", "EMBED", "TEMPLATE", "SVG", "MATH", "IMG", "LINK", "META", "NOSCRIPT"]);

/** Return the same with plain tags only; of other tags their text is left. Nothing of it is loaded or run on the way. */
export function sanitizeHTML(html: string): string {
  const from = new DOMParser().parseFromString(html, "text/html").body;
  const into = document.implementation.createHTMLDocument("").body;
  copy(from, into);
  return into.innerHTML;
}

function copy(from: Node, into: HTMLElement): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) into.append(node.textContent ?? "");
    if (!(node instanceof Element)) continue;
    const name = node.tagName.toUpperCase();
    if (DROPPED.has(name)) continue;
    if (!PLAIN.has(name)) { copy(node, into); continue; }
    const made = into.ownerDocument.createElement(name);
    // Colours of code, by classes that the editor makes; nothing else can be told apart by a class.
    const names = [...node.classList].filter((each) => name === "SPAN" && (/^ͼ/.test(each) || each.startsWith("tok-")));
    if (names.length) made.className = names.join(" ");
    copy(node, made);
    into.append(made);
  }
}
