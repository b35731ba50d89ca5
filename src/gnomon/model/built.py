"""What is wrong with a system that was built in Python: what is said of a program, in the same words."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gnomon.model import expression as typed
from gnomon.model.agent import ENVIRONMENT, Agent
from gnomon.model.domain import Enumeration
from gnomon.model.expression import Defined, Does, Expression, Read, walk
from gnomon.model.operand_actions import action_value
from gnomon.model.overlaps import conjuncts
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import room_to_recurse


class _WrittenPlace(NamedTuple):
    """An expression, whose it is (None: it is about all agents), and whether a step is being taken there."""

    expression: Expression
    owner: Agent | None = None
    actions: bool = False


def report_mistakes(system: System, diagnostics: Diagnostics) -> None:
    """Report everything for which a program would be refused and that no single call could know."""
    if len(system.agents) == 1:
        diagnostics.add("G0112", "the system has no agent", help="`agent(…)` declares one")
    with room_to_recurse():
        for agent in system.agents:
            _check_agent(agent, system, diagnostics)
    _check_definitions(system, diagnostics)
    # What a definition looks at is the same in every place of one kind.
    looked_at: dict[tuple[str, bool], set[str]] = {}
    for looked in _expressions(system):
        kind = (looked.owner.name if looked.owner else "", looked.actions)
        for part in _parts(looked.expression, looked_at.setdefault(kind, set())):
            if isinstance(part, Read):
                _check_read(part, looked, system, diagnostics)
            elif isinstance(part, Does):
                _check_action(part, looked, system, diagnostics)
    for group in system.groups.values():
        for member in group.members:
            _is_agent(member, system, diagnostics, f" (a member of group `{group.name}`)")


def _parts(expression: Expression, known: set[str]) -> Iterator[Expression]:
    """Yield an expression and what is in it, but for definitions that are known, which become known."""
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Defined):
            if part.name in known:
                continue
            known.add(part.name)
        yield part
        waiting.extend(typed.parts(part))


def _check_definitions(system: System, diagnostics: Diagnostics) -> None:
    """Report definitions that have the name of something else that can stand where they may."""
    if not system.definitions:
        return
    taken = dict.fromkeys(system.propositions, "a proposition")
    for agent in system.agents:
        taken[agent.name] = "an agent"
        taken |= dict.fromkeys(agent.actions, f"an action of `{agent.name}`")
        for variable in agent.variables:
            if isinstance(variable.domain, Enumeration):
                whose = f"a value of `{agent.name}.{variable.name}`"
                taken |= dict.fromkeys(variable.domain.names, whose)
            taken[variable.name] = f"a variable of `{agent.name}`"
    for name in system.definitions:
        if name in taken:
            message = f"`{name}` is already the name of {taken[name]}"
            diagnostics.add("G0220", message, help="choose another name for the definition")


def _check_agent(agent: Agent, system: System, diagnostics: Diagnostics) -> None:
    if agent.actions and not agent.protocol and agent.other is None and not agent.is_environment:
        diagnostics.add(
            "G0211",
            f"agent `{agent.name}` has actions but no protocol that says when they are possible",
            help="`otherwise(…)` makes actions possible everywhere",
        )
    if not agent.is_environment and any(variable.observed for variable in agent.variables):
        diagnostics.add(
            "G0212",
            f"only the environment has observed variables, and `{agent.name}` is another agent",
            help="leave `observed=True` out, or move the variables to the environment",
        )
    known = {variable.name for variable in system.environment.variables}
    for name in agent.sees:
        if name not in known:
            help_ = diagnostics.did_you_mean(name, known)
            message = f"the environment has no variable `{name}` for `{agent.name}` to observe"
            diagnostics.add("G0210", message, help=help_)
    if system.semantics == "SingleAssignment":
        _check_choices(agent, diagnostics)
    if system.interleaved:
        _check_stored(agent, system, diagnostics)
    _check_values(agent, system.environment, diagnostics)


def _check_stored(agent: Agent, system: System, diagnostics: Diagnostics) -> None:
    """Report what another agent does where it is stored, or chosen: it may do nothing."""
    stored = {
        action_value(other.name, other.actions): other.name
        for other in system.agents
        if other != agent and other.actions
    }
    lines = agent.evolution
    values = (
        *(line.guard for line in lines),
        *(it.value for line in lines for it in line.assignments),
    )
    for name in dict.fromkeys(stored[v] for value in values for v in walk(value) if v in stored):
        diagnostics.add(
            "G0222",
            f"`{name}` may do nothing in an event, so what it does has no value for `{agent.name}` to store",
            help=f"where both take part they do the same: use the action of `{agent.name}`",
        )


def _check_choices(agent: Agent, diagnostics: Diagnostics) -> None:
    """Report lines for several variables that are a choice: it would be made for each variable by itself."""
    if all(len(line.assignments) == 1 for line in agent.evolution):
        return
    by_condition: dict[frozenset[Expression], list[set[str]]] = {}
    for line in agent.evolution:
        changed = {each.variable for each in line.assignments}
        by_condition.setdefault(conjuncts(line.guard), []).append(changed)
    for lines in by_condition.values():
        several = [names for names in lines if len(names) > 1]
        torn = [names for names in several if sum(not names.isdisjoint(it) for it in lines) > 1]
        if torn:
            names = " and ".join(f"`{name}`" for name in sorted(set().union(*torn)))
            diagnostics.add(
                "G0312",
                f"lines of `{agent.name}` with the same condition are a choice for {names} together, and "
                "under `SingleAssignment` each variable makes its own",
                help='use `semantics="MultiAssignment"`',
            )


def _check_values(agent: Agent, environment: Agent, diagnostics: Diagnostics) -> None:
    """Report a variable that has the name of a value that its agent sees."""
    own = {variable.name for variable in agent.variables}
    seen = [] if agent.is_environment else [each for each in environment.variables if each.observed]
    for variable in (*agent.variables, *seen):
        if not isinstance(variable.domain, Enumeration):
            continue
        whose = variable.name if variable in agent.variables else f"{ENVIRONMENT}.{variable.name}"
        for value in variable.domain.names:
            if value in own:
                message = f"`{value}` is a variable of `{agent.name}` and also a value of `{whose}`"
                diagnostics.add("G0209", message, help="rename one of them")


def _expressions(system: System) -> Iterator[_WrittenPlace]:
    """Yield all that looks at variables or actions."""
    for agent in system.agents:
        for line in agent.protocol:
            yield _WrittenPlace(line.condition, agent)
        for step in agent.evolution:
            yield _WrittenPlace(step.guard, agent, actions=True)
            yield from (_WrittenPlace(each.value, agent, actions=True) for each in step.assignments)
        if agent.red is not None:
            yield _WrittenPlace(agent.red, agent)
    yield _WrittenPlace(system.initial)
    if system.terminal is not None:
        yield _WrittenPlace(system.terminal)
    yield from map(_WrittenPlace, system.propositions.values())


def _check_read(
    read: Read, looked: _WrittenPlace, system: System, diagnostics: Diagnostics
) -> None:
    owner = looked.owner
    if not _is_agent(read.agent, system, diagnostics):
        return
    if owner is not None and read.agent not in (owner.name, ENVIRONMENT):
        diagnostics.add(
            "G0207",
            f"agent `{owner.name}` cannot see the variables of agent `{read.agent}`",
            help="let it look at the other agent's action, or keep the variable in the environment",
        )
    elif (read.agent, read.variable) not in system.position:
        known = (each.name for each in system.agent(read.agent).variables)
        _unknown(
            "G0202",
            f"agent `{read.agent}` has no variable `{read.variable}`",
            ("its variables", known),
            diagnostics,
        )
    elif owner is not None and owner.name != read.agent and read.variable not in owner.sees:
        diagnostics.add(
            "G0206",
            f"agent `{owner.name}` does not observe `{ENVIRONMENT}.{read.variable}`",
            help="name it in `sees`, or declare it with `observed=True`",
        )


def _check_action(
    does: Does, looked: _WrittenPlace, system: System, diagnostics: Diagnostics
) -> None:
    if not looked.actions:
        diagnostics.add(
            "G0205",
            f"`{does.agent}.Action = {does.action}`: actions can only be looked at in `evolve`, and in "
            "`fairness`",
        )
    elif _is_agent(does.agent, system, diagnostics):
        known = system.agent(does.agent).actions
        if does.action not in known:
            message = f"action `{does.action}` is not an action of agent `{does.agent}`"
            _unknown("G0204", message, (f"{does.agent} declares", known), diagnostics)


def _is_agent(name: str, system: System, diagnostics: Diagnostics, where: str = "") -> bool:
    if name in system.agent_index:
        return True
    message = f"there is no agent `{name}`{where}"
    _unknown("G0203", message, ("the agents", system.agent_index), diagnostics)
    return False


def _unknown(
    code: str, message: str, known: tuple[str, Iterable[str]], diagnostics: Diagnostics
) -> None:
    diagnostics.add(code, message, notes=diagnostics.listing(*known, none="none"))
