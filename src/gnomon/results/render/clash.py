"""Why a coalition cannot win with what it sees: views in which one action would have to do for all states."""

from gnomon.model.domain import show_value
from gnomon.model.evidence import Clash, Clashes
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.phrases import enumerated
from gnomon.results.projection import ShownAgents, is_shown
from gnomon.results.styled import Styled, StyledText, fill, wrap


def render(
    system: System, clashes: Clashes, width: int = 80, agents: ShownAgents = None
) -> StyledText:
    """Return each view in conflict, and the states that look so, by what is different in them."""
    text = StyledText()
    for clash in clashes.views:
        for part in wrap(view_words(clash), width, "  "):
            text.add(part)
        for number, state in enumerate(states_apart(system, clash.states, agents)):
            words = [*state[:-1], f"{state[-1]}{_failing(clash, number)}"]
            for index, part in enumerate(fill(words, max(24, width - 4), "", ", ")):
                text.add("  ", Styled("· " if index == 0 else "  ", "dim"), part)
    return text


def _failing(clash: Clash, number: int) -> str:
    """Return which actions fail in one of the states, as far as that is known."""
    state = clash.states[number]
    failing = list(
        dict.fromkeys(each.choice[0][1] for each in clash.failures if each.state == state)
    )
    return f": {enumerated(failing)} {'fails' if len(failing) == 1 else 'fail'}" if failing else ""


def view_words(clash: Clash) -> str:
    """Return what an agent sees, and that it is not enough."""
    seen = ", ".join(f"{name} = {value}" for name, value in clash.where) or "nothing"
    if clash.failures:
        return f"{clash.agent} sees {seen}; these states look so, and every action fails in one of them:"
    return f"{clash.agent} sees {seen}; among others these states look so, and no one action does for all:"


def states_apart(
    system: System, states: tuple[State, ...], agents: ShownAgents = None
) -> list[list[str]]:
    """Return for each state the values in which not all of them agree."""
    places = [
        index
        for index, variable in enumerate(system.variables)
        if is_shown(variable.agent, agents) and len({state[index] for state in states}) > 1
    ]
    return [
        [
            f"{system.variables[index].agent}.{system.variables[index].name} "
            f"= {show_value(state[index])}"
            for index in places
        ]
        or ["nothing to show"]
        for state in states
    ]
