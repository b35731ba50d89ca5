"""The work behind `gnomon explain-verdict`: check, choose one verdict, and show it in one format."""

from dataclasses import replace
from typing import Literal, NamedTuple

import click

from gnomon.checking.verdict import Result, Verdict
from gnomon.interfaces.cli.checking import ask, check_one, exit_status, progress_on
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.models import show_diagnostics, status_of
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.projection import Agents
from gnomon.results.styled import Text
from gnomon.results.telling import says_much, tell
from gnomon.text.diagnostic import InputError, closest

#: The width of a file: it may be read anywhere.
_FILE = 100


class Wanted(NamedTuple):
    """How a verdict is to be shown: the format, whom, and (in ITF) which run."""

    format: Literal["text", "json", "dot", "mermaid", "svg", "itf", "html"]
    agents: Agents = None
    number: int | None = None


def run(request: Request, wanted: Wanted, screen: Screen, file: OutputFile | None) -> int:
    """Do what was asked and return the exit status, which is that of the formula."""
    errors = standard_error(no_color=request.no_color)
    [path] = request.models
    question = ask(request, path)
    show_diagnostics(errors, question.diagnostics)
    if any(item.is_error for item in question.diagnostics):
        return status_of(question.diagnostics)
    if question.loaded is not None and question.loaded.system is not None:
        _know_agents(question.loaded.system, wanted.agents)
    progress = progress_on(errors, wanted=request.progress)
    try:
        checked = check_one(request, question, None, progress)
    except InputError as refused:
        show_diagnostics(errors, refused.diagnostics)
        return Status.BAD_INPUT
    if progress is not None:
        progress.clear()
    show_diagnostics(
        errors, [new for new in checked.diagnostics if new not in question.diagnostics]
    )
    if not checked.verdicts:
        raise click.ClickException(
            f"`{question.question.name}` has no formula: --formula gives one"
        )
    verdict = chosen(checked)
    # With any number of agents, how many there are is known only from the evidence.
    system = verdict.system or checked.system
    if verdict.system is not None:
        _know_agents(verdict.system, wanted.agents)
    result = replace(checked, verdicts=(verdict,), system=system)
    shown = _shown(result, wanted, screen.width if file is None else _FILE, request, errors)
    if shown is not None:
        _print(shown, screen, file)
    return exit_status([result])


def _know_agents(system: System, agents: Agents) -> None:
    known = [agent.name for agent in system.agents]
    for name in agents or ():
        if name not in known:
            near = closest(name, known)
            hint = f"did you mean `{near}`?" if near else f"there are: {', '.join(known)}"
            raise click.UsageError(f"--agents {name}: no such agent; {hint}")


def chosen(result: Result) -> Verdict:
    """Return the first verdict with a story, else the first with any evidence, else the first."""
    with_evidence = [verdict for verdict in result.verdicts if verdict.evidence is not None]
    telling = [item for item in with_evidence if item.evidence and says_much(item.evidence)]
    return (telling or with_evidence or list(result.verdicts))[0]


def _print(shown: Text | str, screen: Screen, file: OutputFile | None) -> None:
    if file is not None:
        file.commit(shown.plain() if isinstance(shown, Text) else shown)
    elif isinstance(shown, Text):
        screen.write(shown)
    else:
        screen.put(shown)


def _shown(
    result: Result, wanted: Wanted, width: int, request: Request, errors: Screen
) -> Text | str | None:
    """Return the verdict in the format wanted; None where that format has nothing to show."""
    [verdict] = result.verdicts
    match wanted.format:
        case "text":
            from gnomon.results.render.evidence import text

            verbose = request.verbose
            return text.render(result.system, verdict, width, wanted.agents, verbose=verbose)
        case "json":
            from gnomon.results.render.evidence import json

            return json.render(result, wanted.agents)
        case "html":
            from gnomon.results.render.evidence import html

            return html.render(result.system, verdict, wanted.agents, _facts(result, verdict))
        case "dot" | "mermaid" | "svg" | "itf":
            evidence, system = verdict.evidence, result.system
            if evidence is None or system is None or not tell(evidence).strands:
                errors.write(_nothing_to_draw(verdict))
                return None
            return _drawn(system, evidence, wanted, result.model, errors)


def _drawn(system: System, evidence: Evidence, wanted: Wanted, model: str, errors: Screen) -> str:
    match wanted.format:
        case "dot":
            from gnomon.results.render.evidence import dot

            return dot.render(system, evidence, wanted.agents)
        case "mermaid":
            from gnomon.results.render.evidence import mermaid

            return mermaid.render(system, evidence, wanted.agents)
        case "svg":
            from gnomon.results.render.evidence import svg

            return svg.render(system, evidence, wanted.agents)
        case _:
            return _trace(system, evidence, wanted, model, errors)


def _trace(system: System, evidence: Evidence, wanted: Wanted, model: str, errors: Screen) -> str:
    """Return one run in ITF, and say where there are more."""
    from gnomon.results.render.evidence import itf

    count = itf.count(evidence)
    number = wanted.number or 1
    if number > count:
        runs = f"{count} run{'' if count == 1 else 's'}"
        raise click.UsageError(f"--run {number}: the evidence has {runs}")
    if count > 1 and wanted.number is None:
        errors.write(f"run 1 of {count}: --run N chooses another\n")
    return itf.render(system, evidence, wanted.agents, number, model)


def _facts(result: Result, verdict: Verdict) -> list[str]:
    """Return where the verdict comes from."""
    states = [] if result.states is None else [f"{result.states:,} states"]
    return [f"{result.model}, formula {verdict.index}", result.kind, *states]


def _nothing_to_draw(verdict: Verdict) -> str:
    formula = " ".join(verdict.formula.split())
    what = "a strategy, which has no picture" if verdict.evidence else "no evidence"
    return f"nothing to draw: {formula} is {verdict.value}, with {what} (--format text says more)\n"
