"""Why a coalition cannot win with what it sees: views in which one action would have to do for all states."""

from gnomon.model.domain import show_value
from gnomon.model.evidence import Clash, Clashes
from gnomon.model.step import State
from gnomon.model.system import System
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
        for state in states_apart(system, clash.states, agents):
            for index, part in enumerate(fill(state, max(24, width - 4), "", ", ")):
                text.add("  ", Styled("· " if index == 0 else "  ", "dim"), part)
    return text


def view_words(clash: Clash) -> str:
    """Return what an agent sees, and that it is not enough."""
    seen = ", ".join(f"{name} = {value}" for name, value in clash.where) or "nothing"
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
