"""`gnomon export`: a model with families, templates or words of our own as a plain program."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.models import show_diagnostics, status_of, try_to_load
from gnomon.interfaces.cli.screen import standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.parameterised.query import Epistemic, Knowledge
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.diagnostic import closest
from gnomon.text.numbers import show_integer

if TYPE_CHECKING:
    from gnomon.checking.load import Loaded
    from gnomon.model.translation import Translation

_UNBOUNDED = "unbounded"
_MOST_DIGITS = 18

_EXAMPLE = """
\b
Examples:
  gnomon export family.ispl --set n=4 -o four.ispl
  gnomon export rooms.ispl --agents 3
  gnomon export rooms.ispl --agents Robot=3,Guard=1 -o rooms3.ispl
  gnomon export rooms.ispl --agents 3,Guard=1 | gnomon check -
  gnomon export rooms.ispl --agents unbounded
"""


@click.command("export", context_settings=shared_options.SETTINGS, epilog=_EXAMPLE)
@click.argument("model", metavar="MODEL", shell_complete=shared_options.completing("models"))
@click.option(
    "--agents",
    "given",
    multiple=True,
    metavar="SPEC",
    help="Where there are templates, how many agents: a number for every template, Template=number for one "
    f"(repeatable, or separated by commas), or `{_UNBOUNDED}`.",
)
@click.option("--no-knowledge", is_flag=True, help="Leave formulae about knowledge out.")
@shared_options.constants
@shared_options.output
@shared_options.appearance
def command(
    *,
    model: str,
    given: tuple[str, ...],
    no_knowledge: bool,
    constants: dict[str, int],
    output: str | None,
    no_color: bool,
    verbose: bool,
) -> int:
    """Write MODEL as one plain ISPL program that MCMAS reads, too.

    Families are written out at the size that --set gives them, templates with as many agents as --agents
    says: a number gives the program with these agents; `unbounded` gives one that says which local states
    have agents in them at all, and can reach what any number of agents can. What MCMAS has no words for is
    said in those that it has. Comments at the top say which names had to change, and what only Gnomon reads,
    such as numbers without bounds.

    A model that was built in Python writes itself in the same way: model.export("file.ispl"), or
    model.to_ispl() for the text.
    """
    del verbose  # there is nothing to add
    words = [word.strip() for item in given for word in item.split(",") if word.strip()]
    keep_apart([model], {"-o": output})
    errors = standard_error(no_color=no_color)
    loaded, diagnostics = try_to_load(model, constants)
    show_diagnostics(errors, diagnostics)
    if loaded is None:
        return status_of(diagnostics)
    from gnomon.model.translation import CannotExport
    from gnomon.results.export.ispl import written

    with OutputFile(output or "-") as file:
        try:
            export = _export(loaded, words, no_knowledge=no_knowledge)
            text = written(export)
        except CannotExport as reason:
            raise click.ClickException(str(reason)) from None
        file.commit(text)
    for warning in export.warnings:
        errors.write(f"warning: {warning[0].lower()}{warning[1:].removesuffix('.')}\n")
    return Status.DONE


def _export(loaded: "Loaded", words: list[str], *, no_knowledge: bool) -> "Translation":
    name, templates, system = loaded.source.name, loaded.templates, loaded.system
    if templates is not None:
        wanted = _without_knowledge(templates) if no_knowledge else templates
        return _with_agents(wanted, words, name)
    if words or no_knowledge:
        option = "--agents" if words else "--no-knowledge"
        raise click.UsageError(f"`{name}` has no templates: leave {option} out")
    from gnomon.model.translation import Translation

    assert system is not None, "a model has templates, or its agents are known"
    given = ", ".join(f"{constant} = {show_integer(value)}" for constant, value in loaded.in_force)
    header = f"Exported by Gnomon from {name}{', with ' if given else ''}{given}."
    return Translation(system, (header,), {})


def _without_knowledge(system: OpenSystem) -> OpenSystem:
    known = Knowledge | Epistemic
    kept = [item for item in system.questions if not isinstance(item.query, known)]
    return replace(system, questions=tuple(kept))


def _with_agents(system: OpenSystem, words: list[str], model: str) -> "Translation":
    if not words:
        example = ",".join(f"{name}=1" for name in system.parameters)
        example = example or f"{system.templates[0].name}=3"
        raise click.UsageError(
            f"`{model}` has templates: say how many agents, as in --agents {example}"
        )
    if _UNBOUNDED not in words:
        from gnomon.model.parameterised.population import populated, spelled, with_parameters

        if system.parameters:
            values = _given(system, words)
            here, numbers = with_parameters(system, values)
            return populated(here, numbers, f"{model}, {spelled(values)}")
        return populated(system, _numbers(system, words), model)
    if len(words) > 1:
        raise click.UsageError(
            f"--agents {_UNBOUNDED} is for all templates: give no number with it"
        )
    from gnomon.checking.occupancy import export_occupancy

    return export_occupancy(system, model)


def _given(system: OpenSystem, words: list[str]) -> dict[str, int]:
    """Return the values of parameters, and how many agents of templates are wanted beside them."""
    found: dict[str, int] = {}
    for word in words:
        name, _, digits = map(str.strip, word.rpartition("="))
        if (
            not (digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS)
            or not name
        ):
            example = ",".join(f"{each}=1" for each in system.parameters)
            raise click.UsageError(
                f"--agents {word}: the model has parameters, so write their values, as in --agents {example}"
            )
        if name not in system.parameters:
            _check_template(system, name)
        found[name] = int(digits)
    return found


def _numbers(system: OpenSystem, words: list[str]) -> dict[str, int]:
    """Return how many agents of each template are wanted."""
    everywhere: int | None = None
    wanted: dict[str, int] = {}
    for word in words:
        name, equals, digits = map(str.strip, word.rpartition("="))
        if equals:
            _check_template(system, name)
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS):
            raise click.UsageError(
                f"--agents {word}: write a number, Template=number, or `{_UNBOUNDED}`, as in "
                f"--agents {system.templates[0].name}=3"
            )
        if equals:
            wanted[name] = int(digits)
        else:
            everywhere = int(digits)
    found = {part.name: _number(part, wanted, everywhere) for part in system.templates}
    missing = [name for name, number in found.items() if number is None]
    if missing:
        from gnomon.model.parameterised.population import spelled

        complete = {name: 1 if number is None else number for name, number in found.items()}
        raise click.UsageError(
            f"how many agents of `{missing[0]}`? Say so, as in --agents {spelled(complete)}"
        )
    return {name: number for name, number in found.items() if number is not None}


def _number(part: Part, wanted: Mapping[str, int], everywhere: int | None) -> int | None:
    """Return how many agents of a template are wanted, or there must be."""
    number = wanted.get(part.name, everywhere)
    return part.low if number is None and part.low == part.high else number


def _check_template(system: OpenSystem, name: str) -> None:
    known = [*system.parameters, *(part.name for part in system.templates)]
    if name not in known:
        guess = closest(name, known)
        hint = f"did you mean `{guess}`?" if guess else f"there are: {', '.join(known)}"
        raise click.UsageError(f"--agents {name}: there is no such template; {hint}")
