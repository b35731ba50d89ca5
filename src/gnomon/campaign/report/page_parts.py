"""What the page of a report looks like, and the little it can do by itself.

The script is ours and stands in the page; the policy lets nothing else run and nothing be fetched.
"""

import base64
import hashlib
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1f2933; --soft: #52606d; --paper: #ffffff;
  --shade: #f2f5f8; --line: #cbd2d9; --true: #0b6e4f; --false: #b42318; --open: #9a6700;
  --s0: #15607a; --s1: #b45309; --s2: #6d28d9; --s3: #0f766e; --s4: #be185d; --s5: #4d7c0f;
  --s6: #1d4ed8; --s7: #92400e; --s8: #7e22ce; --s9: #047857; --s10: #9f1239; --s11: #475569; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --soft: #9aa5b1; --paper: #16191d;
  --shade: #22272e; --line: #3e4c59; --true: #57c99a; --false: #ff8f80; --open: #e3b341;
  --s0: #7cc7e0; --s1: #f0b060; --s2: #c4a8f5; --s3: #5eead4; --s4: #f9a8d4; --s5: #bef264;
  --s6: #93b4fd; --s7: #d9a066; --s8: #d8b4fe; --s9: #6ee7b7; --s10: #fda4af; --s11: #cbd5e1; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 84rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.35rem; margin-bottom: 0.2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.3rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 0.8rem 0; }
a { color: var(--s0); }
.facts { color: var(--soft); }
.tools { margin: 0.3rem 0; } input { font: inherit; padding: 0.15rem 0.5rem; min-width: 16rem;
  color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 4px; }
.wide { overflow: auto; max-height: 40rem; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th { position: sticky; top: 0; background: var(--shade); text-align: left; padding: 0; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; cursor: pointer;
  padding: 0.3rem 0.7rem; white-space: nowrap; width: 100%; text-align: inherit; }
th button:focus-visible, input:focus-visible, a:focus-visible, summary:focus-visible {
  outline: 2px solid var(--s0); outline-offset: -2px; }
th[aria-sort=ascending] button::after { content: " ▲"; }
th[aria-sort=descending] button::after { content: " ▼"; }
td { padding: 0.15rem 0.7rem; border-top: 1px solid var(--line); vertical-align: top; max-width: 36rem;
  overflow-wrap: break-word; }
td.number, th.number { text-align: right; }
tbody tr:hover { background: var(--shade); }
.fine { color: var(--true); } .unknown { color: var(--open); }
.unexpected, .bug { color: var(--false); font-weight: 600; }
.bug { border-left: 4px solid var(--false); padding-left: 0.8rem; }
summary { cursor: pointer; color: var(--soft); }
pre.source { overflow: auto; max-height: 20rem; background: var(--shade); padding: 0.6rem;
  font-size: 0.8rem; }
figure { display: inline-block; margin: 0.6rem 1rem 1rem 0; vertical-align: top; max-width: 100%; }
figcaption { font-weight: 600; } figure svg { max-width: 100%; height: auto; }
.plot text { font: 11px system-ui, sans-serif; fill: var(--ink); }
.plot .tick, .plot .soft { fill: var(--soft); }
.plot .axis { fill: none; stroke: var(--soft); } .plot .grid { stroke: var(--line); stroke-width: 0.5; }
.plot .diagonal { stroke: var(--soft); stroke-dasharray: 4 4; }
.plot .line { fill: none; stroke-width: 1.6; } .plot .mark { stroke-width: 1.4; }
.plot .mark.open { fill-opacity: 0; } .plot .thin { fill: none; }
""" + "\n".join(
    f".plot .s{place} {{ stroke: var(--s{place}); }} "
    f".plot .s{place}.mark {{ fill: var(--s{place}); }}"
    for place in range(12)
)

SCRIPT: Final = """
"use strict";
const key = cell => cell.dataset.value === undefined
  ? cell.textContent.toLowerCase() : Number(cell.dataset.value);
for (const section of document.querySelectorAll("section")) {
  const table = section.querySelector("table");
  if (!table) continue;
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows], said = section.querySelector(".count"), all = said.textContent;
  heads.forEach((head, place) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(each => each.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const keyed = rows.map((row, index) => [key(row.cells[place]), index, row]);
    keyed.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down ? -1 : 1) || a[1] - b[1]);
    body.append(...keyed.map(each => each[2]));
  }));
  section.querySelector("input").addEventListener("input", event => {
    const words = event.target.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      shown += !row.hidden;
    }
    said.textContent = words.length ? `${shown} of ${all}` : all;
  });
}
"""


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_digest(STYLE)}'; script-src 'sha256-{_digest(SCRIPT)}'; "
    "base-uri 'none'; form-action 'none'"
)
