"""A session as one page of HTML that needs nothing else: no server, no script, nothing from elsewhere."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import Final, NamedTuple

from gnomon.results.styled import visible

#: Larger states are told in full once; after that, only what changed.
_MANY_VALUES: Final = 40

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1f2933; --soft: #52606d; --paper: #ffffff;
  --shade: #f2f5f8; --line: #cbd2d9; --true: #0b6e4f; --false: #b42318; --open: #8a5d00;
  --act: #15607a; --new: #fff1c2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --soft: #a7b2be; --paper: #16191d;
  --shade: #22272e; --line: #3e4c59; --true: #57c99a; --false: #ff8f80; --open: #e3b341;
  --act: #7cc7e0; --new: #4a3f16; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 76rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; }
code, pre, table, .program, .story { font-size: 0.86rem;
  font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
a { color: var(--act); }
.true { color: var(--true); } .false { color: var(--false); } .unknown, .undefined { color: var(--open); }
.value { font-weight: 600; } .facts, td.lines, .remark { color: var(--soft); }
.story, .notes { white-space: pre-wrap; margin: 0.3rem 0 0.8rem 1.2rem; }
.wide, .notices { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 0.9rem 0.15rem 0.3rem; }
th { border-bottom: 1px solid var(--line); white-space: nowrap; }
tr.state td { background: var(--shade); } tr.act td { color: var(--act); }
mark { background: var(--new); color: inherit; font-weight: 600; }
.program { list-style: none; padding: 0.6rem 0; margin: 0; counter-reset: line; background: var(--shade);
  overflow-x: auto; }
.program li { counter-increment: line; white-space: pre; padding-right: 1rem; }
.program li::before { content: counter(line); display: inline-block; width: 4ch; margin-right: 1.5ch;
  text-align: right; color: var(--soft); }
.program li:target { background: var(--new); }
@media print { .program, .wide { overflow: visible; } .program li { white-space: pre-wrap; } }
"""

_STYLES: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)


class ToldVerdict(NamedTuple):
    """A verdict on a formula: what is told of it, and the story."""

    label: str
    formula: str
    verdict: str
    expected: str
    remark: str
    line: int
    story: str


class ToldStep(NamedTuple):
    """A step of a walk: what each agent did (None at the beginning), and values by agent and variable."""

    actions: Mapping[str, str] | None
    values: Mapping[str, Mapping[str, str]]
    lines: str = ""


@dataclass(frozen=True)
class ToldWalk:
    """A walk: its title, a remark where it is none of the model's, and where it goes on, if for ever."""

    title: str
    steps: Sequence[ToldStep]
    remark: str = ""
    loop: int | None = None
    back: ToldStep | None = None


@dataclass(frozen=True)
class SessionTold:
    """All that is on the page of a session."""

    name: str
    facts: Sequence[str]
    text: str
    notes: str = ""
    #: What was said about the text, as HTML.
    notices: str = ""
    verdicts: Sequence[ToldVerdict] = ()
    walks: Sequence[ToldWalk] = ()
    #: The picture, as an element of HTML, and what is said where there is none.
    picture: str = ""
    missing: str = ""


def session_page(told: SessionTold) -> str:
    """Return the page; whatever the session holds, it is text there."""
    body = [
        f"<h1>{_text(told.name)}</h1>",
        f'<p class="facts">{" · ".join(map(_text, told.facts))}</p>',
        f'<div class="notes">{_text(told.notes)}</div>' if told.notes.strip() else "",
        told.notices,
    ]
    if told.verdicts:
        body += ["<h2>Verdicts</h2>", *map(_verdict, told.verdicts)]
    if told.walks:
        body += ["<h2>Walks</h2>", *map(_walk, told.walks)]
    if told.picture or told.missing:
        body += ["<h2>Picture</h2>", _wide(told.picture) if told.picture else _said(told.missing)]
    body += ["<h2>Program</h2>", _program(told.text)]
    inside = "\n".join(part for part in body if part)
    return _page(told.name, inside)


def _page(title: str, body: str) -> str:
    """Return the whole page; its policy allows the style sheets that are in it, and nothing else."""
    style = f"<style>{_STYLE}</style>"
    sheets = dict.fromkeys(_STYLES.findall(style + body))
    allowed = " ".join(f"'sha256-{_digest(sheet)}'" for sheet in sheets)
    policy = f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n{style}\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _digest(sheet: str) -> str:
    return b64encode(sha256(sheet.encode()).digest()).decode()


def _text(text: str) -> str:
    """Return text that a page shows as it is, with nothing in it that is hidden."""
    return escape(visible(text, "\n"))


def _wide(inner: str) -> str:
    return f'<div class="wide" tabindex="0">{inner}</div>'


def _said(words: str) -> str:
    return f'<p class="remark">{_text(words)}</p>'


def _verdict(told: ToldVerdict) -> str:
    where = f' <a href="#line-{told.line}">line {told.line}</a>' if told.line else ""
    expected = "" if told.expected in ("", told.verdict) else f", not {told.expected} as expected"
    value = f'<span class="value {_style_of(told.verdict)}">{_text(told.verdict)}</span>'
    parts = [
        f"<h3>{_text(told.label)}: <code>{_text(told.formula)}</code> is {value}{_text(expected)}{where}</h3>"
    ]
    if told.remark:
        parts.append(_said(told.remark))
    if told.story.strip():
        parts.append(f'<div class="story">{_text(told.story)}</div>')
    return f"<section>\n{chr(10).join(parts)}\n</section>"


def _style_of(verdict: str) -> str:
    return verdict if verdict in ("true", "false", "undefined") else "unknown"


def _walk(told: ToldWalk) -> str:
    """Return a walk as a table: a column an agent, a row a state, what is new marked."""
    agents = list(dict.fromkeys(name for step in told.steps for name in step.values))
    rows = [f"<tr>{_cells(['', *map(_text, agents), ''], 'th')}</tr>"]
    before: ToldStep | None = None
    for position, step in enumerate(told.steps):
        if step.actions is not None:
            rows.append(_act(step, agents))
        rows.append(_state(position, before, step, agents))
        before = step
    if told.loop is not None:
        if told.back is not None and told.back.actions is not None:
            rows.append(_act(told.back, agents))
        again = f"back to {told.loop}, for ever"
        rows.append(f'<tr><td>↺</td><td colspan="{len(agents) + 1}">{again}</td></tr>')
    table = "\n".join(rows)
    remark = _said(told.remark) if told.remark else ""
    return f"<section>\n<h3>{_text(told.title)}</h3>\n{remark}{_wide(f'<table>{table}</table>')}\n</section>"


def _act(step: ToldStep, agents: Sequence[str]) -> str:
    actions = step.actions or {}
    # Agents without variables act as well, and have no column.
    beside = [f"{name}: {done}" for name, done in actions.items() if name not in agents]
    cells = ["↓", *(_text(actions.get(name, "")) for name in agents)]
    last = ", ".join([*beside, *([step.lines] if step.lines else [])])
    return f'<tr class="act">{_cells(cells)}<td class="lines">{_text(last)}</td></tr>'


def _state(position: int, before: ToldStep | None, step: ToldStep, agents: Sequence[str]) -> str:
    count = sum(len(values) for values in step.values.values())
    cells = [str(position)]
    is_same = before is not None and before.values == step.values
    for agent in agents:
        old = None if before is None else before.values.get(agent, {})
        cells.append(_values(old, step.values.get(agent, {}), whole=count <= _MANY_VALUES))
    remark = "no change" if is_same else ""
    return f'<tr class="state">{_cells(cells)}<td class="lines">{remark}</td></tr>'


def _values(old: Mapping[str, str] | None, new: Mapping[str, str], *, whole: bool) -> str:
    lines = []
    for name, value in new.items():
        said = _text(f"{name} = {value}")
        if old is None or old.get(name) == value:
            lines += [said] if whole or old is None else []
        else:
            lines.append(f"<mark>{said}</mark>")
    return "<br>".join(lines)


def _cells(cells: Iterable[str], tag: str = "td") -> str:
    return "".join(f"<{tag}>{cell}</{tag}>" for cell in cells)


def _program(text: str) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    items = (f'<li id="line-{n}">{escape(visible(x, chr(9)))}</li>' for n, x in enumerate(lines, 1))
    return f'<ol class="program" tabindex="0">\n{chr(10).join(items)}\n</ol>'
