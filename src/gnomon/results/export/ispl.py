"""Any system as an ISPL program, written so that MCMAS 1.3.0 reads it, too.

MCMAS knows fewer conditions than we do: Boolean variables are compared with `true` and `false`, there are no
constants, and where a program starts is said with `=` alone. So everything is worked out first as far as it
goes, what is left is said in MCMAS's words, and agents get the sections that MCMAS insists on.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace as changed
from textwrap import wrap
from types import MappingProxyType

from gnomon.language.format import format_text
from gnomon.language.line_writer import WIDTH
from gnomon.language.mcmas.beyond import report_beyond_mcmas
from gnomon.language.parse import parse
from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import Boolean
from gnomon.model.expression import FALSE, And, Does, Not, Read
from gnomon.model.fold.expressions import Folder, is_constant
from gnomon.model.fold.systems import folded
from gnomon.model.fold.written_out import written_out
from gnomon.model.formula import show_formula
from gnomon.model.system import Specification, System
from gnomon.model.translation import CannotExport, Translation
from gnomon.results.export.ispl_program import ProgramWriter
from gnomon.results.export.mcmas_formulae import with_names
from gnomon.results.export.mcmas_paths import counts_coalition_steps
from gnomon.results.styled import visible
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import replace
from gnomon.text.source import Source

_NO_NOTES: Mapping[int, str] = MappingProxyType({})


def written(translation: Translation) -> str:
    """Return the program of a system that had templates, with what there is to say about it."""
    return render(translation.system, translation.header, translation.notes)


def render(system: System, header: Iterable[str] = (), notes: Mapping[int, str] = _NO_NOTES) -> str:
    """Return the program of a system; `notes` are comments on its formulae, by their place from 0.

    Agents may only read what ISPL lets them: their own variables and those they see.
    """
    with room_to_recurse():
        writer = ProgramWriter(with_names(_completed(folded(written_out(system)))), notes)
        body = _formatted(Source(system.name, "\n".join(writer.lines())))
    said = [
        *header,
        *writer.names.other(),
        *_left_out(system),
        *_step_by_step(system),
        *_beyond(body),
    ]
    # The name of the file is in them, and names may hold anything.
    words = [visible(text, "") for text in said]
    comments = [line for text in words for line in wrap(text, WIDTH - 3, break_on_hyphens=False)]
    return "".join(f"-- {line}\n" for line in comments) + ("\n" if comments else "") + body


def _formatted(source: Source) -> str:
    """Return a program as the formatter writes it; brackets that nobody wrote may be too many of them."""
    try:
        return format_text(source)
    except InputError as error:
        if any(item.code != "G0106" for item in error.diagnostics):
            raise
        raise CannotExport(
            "with all brackets, a condition or a formula is nested deeper than a program may be: keep "
            "parts of it in variables"
        ) from None


def _left_out(system: System) -> Iterator[str]:
    """Yield what has no words in MCMAS and changes no verdict."""
    if system.terminal is not None:
        yield "TerminalStates is left out: MCMAS counts every state without a successor as a deadlock."


def _step_by_step(system: System) -> Iterator[str]:
    """Yield what has other words that say the same in one reading of strategies, and not in the others."""
    formulae = (item.formula for item in system.specifications)
    if any(counts_coalition_steps(formula) for formula in formulae):
        yield (
            "Bounds of what coalitions can do are written as steps in one another: that is the same with "
            "perfect strategies, and may not be with uniform ones, which then may change at every step."
        )


def _beyond(text: str) -> Iterator[str]:
    """Yield what MCMAS would not read, in one sentence."""
    parsed = parse(Source("", text))
    found = Diagnostics(parsed.diagnostics.source)
    report_beyond_mcmas(parsed.program, found)
    whats = [item.message.removeprefix("MCMAS does not read ") for item in found.items]
    if whats:
        yield f"MCMAS does not read {', '.join(dict.fromkeys(whats))}: this is for Gnomon alone."


# What MCMAS insists on


def _completed(system: System) -> System:
    """Return the system with what every program must have: an agent, and for agents all sections."""
    environment, *others = system.agents
    if not others:
        others = [Agent("Nobody", (), ())]
    # Where events are interleaved, one that nobody else has and that never happens.
    idle = "nop"
    while system.interleaved and idle in system.events:
        idle += "_"
    actions = ((idle,), None if system.interleaved else (idle,))
    # Who observes takes part in every event.
    watching = (tuple(system.events), tuple(system.events)) if system.interleaved else actions
    agents = [
        _completed_environment(environment),
        *(_completed_agent(agent, *(watching if agent.observer else actions)) for agent in others),
    ]
    added = [
        Not(Read(agent.name, agent.variables[0].name))
        for agent, before in zip(agents, (environment, *others), strict=True)
        if len(agent.variables) > len(before.variables)
    ]
    fold = Folder({(v.agent, v.name): v.domain for agent in agents for v in agent.variables})
    specifications = system.specifications
    if not specifications:
        nothing = logic.All(logic.Globally(logic.Constant(True)))
        specifications = (Specification(nothing, show_formula(nothing)),)
    return changed(
        system,
        agents=tuple(agents),
        initial=fold(And((system.initial, *added))),
        specifications=specifications,
    )


def _completed_environment(agent: Agent) -> Agent:
    never = bool(agent.protocol) and all(
        is_constant(line.condition, FALSE) for line in agent.protocol
    )
    # What never applies, and what is always or never red, is said of a variable.
    needed = (never and agent.other is None) or agent.red is not None
    return _with_variable(agent) if needed else agent


def _completed_agent(agent: Agent, idle: tuple[str, ...], other: tuple[str, ...] | None) -> Agent:
    agent = _with_variable(agent)
    if not agent.actions:
        agent = replace(agent, actions=idle, protocol=(), other=other)
    if not agent.protocol and agent.other is None:
        agent = replace(agent, protocol=(ProtocolLine(FALSE, agent.actions),))
    if not agent.evolution:
        name = agent.variables[0].name
        stays = Assignment(name, Read(agent.name, name))
        line = EvolutionLine((stays,), Does(agent.name, agent.actions[0]))
        agent = replace(agent, evolution=(line,))
    return agent


def _with_variable(agent: Agent) -> Agent:
    return (
        agent
        if agent.variables
        else replace(agent, variables=(Variable(agent.name, "idle", Boolean()),))
    )
