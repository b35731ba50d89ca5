"""A system with templates as an ordinary one: what all such translations share."""

from collections.abc import Iterable, Mapping
from dataclasses import replace as changed
from math import prod
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent
from gnomon.model.domain import size_of
from gnomon.model.expression import And, Compare, Literal, Not, Read, reads
from gnomon.model.formula import show_formula
from gnomon.model.parameterised import condition as conditions
from gnomon.model.parameterised.condition import Condition, Equal, Exists, Forall, Lookup, Related
from gnomon.model.parameterised.grounding import Grounding
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import Expectation, Specification, System
from gnomon.model.translation import CannotExport
from gnomon.text.record import replace

#: The most conditions that all guards together may become.
_MOST_CONDITIONS: Final = 200_000

_OPPOSITE: Final[Mapping[str, Expectation]] = {"true": "false", "false": "true"}


def check_size(
    system: OpenSystem,
    numbers: Mapping[str, int],
    parts: Iterable[tuple[str, int]],
    more: int = 0,
) -> None:
    """Refuse what would be too long; `parts` says how often the guards of each are written.

    `numbers` is how many agents of each template a quantifier runs through.
    """
    sizes = {
        name: sum(_size(system, guard, numbers) for guard in part.guards.values())
        for name, part in system.part.items()
    }
    ends = () if system.terminal is None else (system.terminal,)
    spoken = (*system.propositions.values(), *ends)
    sizes[""] = sum(_size(system, what, numbers) for what in spoken)
    total = more + sum(sizes[name] * times for name, times in (*parts, ("", 1)))
    if total > _MOST_CONDITIONS:
        raise CannotExport(
            f"written out, the guards become more than {_MOST_CONDITIONS:,} conditions: "
            "take fewer agents, or smaller types"
        )


def _size(system: OpenSystem, condition: Condition, numbers: Mapping[str, int]) -> int:
    match condition:
        case Exists(_, template, body) | Forall(_, template, body):
            return 1 + numbers.get(template, 0) * _size(system, body, numbers)
        case Related(relation, arguments):
            return _lookup_size(system, Lookup(relation, arguments))
        case Equal(left, right):
            return sum(_lookup_size(system, side) for side in (left, right))
        case _:
            return 1 + sum(_size(system, part, numbers) for part in conditions.parts(condition))


def _lookup_size(system: OpenSystem, term: conditions.Term) -> int:
    if not isinstance(term, Lookup):
        return 1
    relation = system.relations[term.relation]
    open_ = [
        column
        for column, argument in zip(relation.columns, term.arguments, strict=True)
        if not isinstance(argument, Literal)
    ]
    cases = prod(size_of(column) or 1 for column in open_)
    values = (relation.result and size_of(relation.result)) or 1
    return cases * values * prod(_lookup_size(system, each) for each in term.arguments)


def without_idle_facts(system: OpenSystem, written: System) -> System:
    """Return a system that has been worked out without the facts of relations that nothing depends on."""
    ends = () if written.terminal is None else (written.terminal,)
    asked = [written.initial, *ends, *written.propositions.values()]
    for item in written.specifications:
        asked += [
            f.expression for f in logic.walk(item.formula) if isinstance(f, logic.StateCondition)
        ]
    used = frozenset().union(*map(reads, asked), *map(read_by, written.agents))
    facts = {variable.name for variable in Grounding(system).facts.values()}
    environment, *others = written.agents
    kept = tuple(
        variable
        for variable in environment.variables
        if variable.name not in facts or Read(ENVIRONMENT, variable.name) in used
    )
    return changed(written, agents=(replace(environment, variables=kept), *others))


def read_by(agent: Agent) -> frozenset[Read]:
    """Return all that an agent's lines read."""
    asked = [line.condition for line in agent.protocol]
    for line in agent.evolution:
        asked += [line.guard, *(item.value for item in line.assignments)]
    return frozenset().union(*map(reads, asked))


def as_asked(system: System) -> tuple[System, dict[int, str]]:
    """Return the system with formulae that ask of all initial states what was asked of some, and notes."""
    alone = _starts_in_one(system)
    notes: dict[int, str] = {}
    asked: list[Specification] = []
    before = ""
    for number, item in enumerate(system.specifications):
        match item.formula:
            case logic.Exists(logic.Finally(bad)) if not alone:
                turned = logic.All(logic.Globally(logic.Not(bad)))
                notes[number] = (
                    f"{item.text}, the other way round, since there are several initial states: "
                    "some of them can reach it if and only if this is false."
                )
                opposite = _OPPOSITE.get(item.expected or "")
                asked.append(changed(item, formula=turned, expected=opposite))
            case formula:
                if item.text not in (before, show_formula(formula)):
                    notes[number] = item.text
                asked.append(item)
        before = item.text
    return changed(system, specifications=tuple(asked)), notes


def _starts_in_one(system: System) -> bool:
    """Return whether there is plainly one initial state: every variable has its value."""
    operands = system.initial.operands if isinstance(system.initial, And) else (system.initial,)
    fixed: set[Read] = set()
    for operand in operands:
        match operand:
            case Compare("=", Read() as read, Literal()) | (Read() as read) | Not(Read() as read):
                fixed.add(read)
            case _:
                pass
    return fixed >= {Read(variable.agent, variable.name) for variable in system.variables}
