"""A verdict as one page of HTML that needs nothing else: the story, the picture, runs and tables."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from gnomon.checking.verdict import Verdict
from gnomon.model.agent import IDLE
from gnomon.model.evidence import Clashes, Defence, Run, Step, Strategy
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results import phrases, story
from gnomon.results.evidence_tree import evidence_tree
from gnomon.results.projection import PictureStyle, ShownAgents, changes, places, rule_lines
from gnomon.results.render import clash, defence, strategy
from gnomon.results.render.evidence import svg
from gnomon.results.render.evidence.picture import draw
from gnomon.results.render.evidence.text import run_title
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.lanes import visible_agents
from gnomon.results.render.notices import as_html
from gnomon.results.story_runs import StorySentence
from gnomon.results.styled import squeeze, visible

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2933; --soft: #52606d; --paper: #ffffff;
  --shade: #f2f5f8; --line: #cbd2d9; --true: #0b6e4f; --false: #b42318; --open: #9a6700;
  --act: #15607a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --soft: #9aa5b1; --paper: #16191d;
  --shade: #22272e; --line: #3e4c59; --true: #57c99a; --false: #ff8f80; --open: #e3b341;
  --act: #7cc7e0; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.25rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
code, table, .rules, .notices { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: 0.88rem; }
.true { color: var(--true); } .false { color: var(--false); }
.unknown, .undefined { color: var(--open); }
.facts, .rules small, td.lines { color: var(--soft); }
.story p { margin: 0.5rem 0 0.2rem; } .story p.inner { margin: 0.1rem 0 0.1rem 1.5rem; }
.wide, .notices { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 0.8rem 0.15rem 0.3rem; }
th { border-bottom: 1px solid var(--line); white-space: nowrap; }
tr.state td { background: var(--shade); } tr.act td { color: var(--act); }
td.split, th.split { border-left: 1px solid var(--line); padding-left: 0.8rem; }
"""


def explain(view: VerdictView) -> str:
    """Return the page of a verdict, with a word about where it comes from."""
    result, verdict = view.result, view.verdict
    states = [] if result.states is None else [f"{result.states:,} states"]
    constants = phrases.constants(result.constants)
    facts = [f"{result.model}, formula {verdict.label}", result.kind, *constants, *states]
    return render(view.system, verdict, view.agents, facts, as_html(result.diagnostics), view.style)


def render(
    system: System | None,
    verdict: Verdict,
    agents: ShownAgents = None,
    facts: Iterable[str] = (),
    notices: str = "",
    style: PictureStyle = PictureStyle(),
) -> str:
    """Return the page; `facts` are words about the model and the run for the line below the title.

    `notices` are warnings, which stand below that line.
    """
    known = " · ".join(map(_text, facts))
    body = [
        _title(verdict),
        f'<p class="facts">{known}</p>' if known else "",
        notices,
        f'<p class="unknown">vacuous: {_text(verdict.vacuous)}</p>' if verdict.vacuous else "",
        _story(story.story(system, verdict, agents)),
    ]
    if verdict.strategies:
        body.append(f'<p class="facts">{_text(phrases.reading(verdict.strategies))}</p>')
    if verdict.evidence is not None and system is not None:
        runs = evidence_tree(verdict.evidence).runs
        picture = draw(system, verdict.evidence, replace(style, agents=agents))
        if not picture.is_empty:
            body += ["<h2>Picture</h2>", _wide(svg.draw_inline(picture))]
        for numbered in runs:
            title = run_title(numbered, len(runs))
            body += [_heading(title), _wide(_lanes(system, numbered.run, agents))]
        body += [part for item in verdict.evidence.strategies for part in _strategy(item)]
        body += [
            part for item in verdict.evidence.defences for part in _defence(system, item, agents)
        ]
        body += [
            part for item in verdict.evidence.clashes for part in _clashes(system, item, agents)
        ]
    return _page(phrases.titled(verdict), "\n".join(part for part in body if part))


def _title(verdict: Verdict) -> str:
    name = f"{_text(verdict.name)}: " if verdict.name else ""
    style, words = phrases.STYLE_OF[verdict.standing], _text(phrases.judged_value(verdict))
    value = f'<span class="{style}">{words}</span>'
    return f"<h1>{name}<code>{_text(squeeze(verdict.formula))}</code> is {value}</h1>"


def _page(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    """Return text that a page shows as it is, with nothing in it that is hidden."""
    return escape(visible(text, ""))


def _wide(inner: str) -> str:
    return f'<div class="wide">{inner}</div>'


def _heading(title: str) -> str:
    return f"<h2>{_text(phrases.capitalised(title))}</h2>"


def _story(sentences: list[StorySentence]) -> str:
    lines = []
    for sentence in sentences:
        style = ' class="inner"' if sentence.depth else ""
        lines.append(f"<p{style}>{_text(sentence.text)}</p>")
    return _element("section", lines, ' class="story"')


def _element(tag: str, lines: Sequence[str], attributes: str = "") -> str:
    inner = "\n".join(lines)
    return f"<{tag}{attributes}>\n{inner}\n</{tag}>"


def _cells(cells: Sequence[str], tag: str = "td", split: int = 0) -> str:
    """Return cells of a row; a line stands before the one numbered `split`, if it is not the first."""
    styles = [' class="split"' if split and place == split else "" for place in range(len(cells))]
    return "".join(
        f"<{tag}{style}>{cell}</{tag}>" for style, cell in zip(styles, cells, strict=True)
    )


def _lanes(system: System, run: Run, agents: ShownAgents) -> str:
    """Return a run as a table: a column an agent, the first state in full, then what changed."""
    shown = visible_agents(system, run, agents)
    names = [system.agents[index].name for index in shown]
    rows = [f"<tr>{_cells(['', *map(_text, names), ''], 'th')}</tr>"]
    before: State | None = None
    for position, step in enumerate(run.steps):
        if step.actions is not None:
            rows.append(_act(system, step, shown, agents))
        rows.append(_state(system, before, step.state, names, (position, agents)))
        before = step.state
    if run.loop is not None:
        if run.back is not None and run.back.actions is not None:
            rows.append(_act(system, run.back, shown, agents))
        again = f"back to {run.loop}, for ever"
        rows.append(f'<tr><td>↺</td><td colspan="{len(names) + 1}">{again}</td></tr>')
    return _element("table", rows)


def _act(system: System, step: Step, shown: list[int], agents: ShownAgents) -> str:
    assert step.actions is not None
    acted = ["" if step.actions[index] == IDLE else _text(step.actions[index]) for index in shown]
    lines = _text(rule_lines(step, places(system, agents)))
    return f'<tr class="act">{_cells(["↓", *acted])}<td class="lines">{lines}</td></tr>'


def _state(
    system: System,
    before: State | None,
    state: State,
    names: list[str],
    where: tuple[int, ShownAgents],
) -> str:
    position, agents = where
    new = changes(system, before, state, agents)
    cells = [
        "<br>".join(_text(f"{name} = {value}") for agent, name, value in new if agent == lane)
        for lane in names
    ]
    remark = "" if new else "no change"
    return (
        f'<tr class="state">{_cells([str(position), *cells])}<td class="lines">{remark}</td></tr>'
    )


def _strategy(item: Strategy) -> Iterable[str]:
    yield _heading(phrases.strategy_title(item))
    if item.rules:
        words = [
            f"<li>{_text(where)} <b>{_text(action)}</b></li>"
            for where, action in strategy.rule_words(item.rules)
        ]
        yield _element("ul", words, ' class="rules"')
    if not item.choices:
        if not item.rules:
            yield "<p>Nothing has to be done.</p>"
        return
    table = "".join(map(_strategy_table, strategy.tables(item)))
    if strategy.rules_suffice(item):
        count = len(item.choices)
        yield f"<details><summary>the table of {count} rows</summary>{table}</details>"
    else:
        yield table


def _strategy_table(table: strategy.StrategyTable) -> str:
    split = table.split
    rows = [f"<tr>{_cells([_text(name) for name in table.header], 'th', split)}</tr>"]
    rows += [f"<tr>{_cells([_text(cell) for cell in row], 'td', split)}</tr>" for row in table.rows]
    return _wide(_element("table", rows))


def _defence(system: System, item: Defence, agents: ShownAgents) -> Iterable[str]:
    yield _heading(phrases.defence_title(item))
    header = ["position", "as the first, but", "if", "then the others", "and then"]
    rows = [f"<tr>{_cells(header, 'th')}</tr>"]
    for answered in defence.answered_states(system, item, None, agents):
        values = "<br>".join(map(_text, answered.values))
        for index, reply in enumerate(answered.replies):
            place = [str(answered.number), values] if index == 0 else ["", ""]
            words = [_text(reply.choice), _text(reply.answer), _text(reply.result)]
            style = ' class="state"' if index == 0 else ""
            rows.append(f"<tr{style}>{_cells([*place, *words])}</tr>")
    yield _wide(_element("table", rows))


def _clashes(system: System, item: Clashes, agents: ShownAgents) -> Iterable[str]:
    yield _heading(phrases.clashes_title(item))
    for each in item.views:
        yield f"<p>{_text(clash.view_words(each))}</p>"
        states = clash.states_apart(system, each.states, agents)
        yield _element("ul", [f"<li>{_text(', '.join(values))}</li>" for values in states])
