"""Which step is meant: by actions and new values, as a text or by name."""

from collections.abc import Iterator, Mapping

from gnomon.api.walk_views import WalkMove
from gnomon.model.agent import IDLE
from gnomon.model.domain import show_value
from gnomon.model.evidence import Step
from gnomon.model.step import State, enabled_actions
from gnomon.model.system import System
from gnomon.results.model_walk import ModelWalk, NumberedMove, WalkError, move_list, moves_with
from gnomon.results.phrases import few
from gnomon.text.diagnostic import closest
from gnomon.workbench.state_queries import Filter

_HOW = 'a number, or what is done, as in choose(Sender="send")'


def wishes_of(system: System, which: object, actions: Mapping[str, object]) -> Filter | WalkMove:
    """Return what is wished of a step; raise `WalkError` where it names what there is not."""
    if isinstance(which, WalkMove):
        if actions:
            raise WalkError("give a move or what is done in it, not both")
        return which
    wishes: list[tuple[str, str]] = []
    if isinstance(which, str):
        wishes += Filter.read(which, system).wishes
    elif isinstance(which, Mapping):
        wishes += _named(which)
    elif which is not None:
        raise WalkError(f"`{which!r}` is no choice: give {_HOW}")
    wishes += _named(actions)
    if not wishes:
        raise WalkError(f"choose what? Give {_HOW}")
    for name, value in wishes:
        _check_wish(system, name, value)
    return Filter(tuple(wishes))


def _named(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in given.items():
        shown = show_value(value) if isinstance(value, bool | int | str) else repr(value)
        yield str(name).replace(" ", "").removesuffix(".Action"), shown


def _check_wish(system: System, name: str, value: str) -> None:
    agent, dot, variable = name.partition(".")
    if agent not in system.agent_index:
        raise WalkError(f"there is no agent `{agent}`: {_known(agent, system.agent_index)}")
    if dot:
        own = [each.name for each in system.agent(agent).variables]
        if variable not in own:
            raise WalkError(f"`{agent}` has no variable `{variable}`: {_known(variable, own)}")
        return
    actions = system.agent(agent).actions
    if value != IDLE and value not in actions:
        raise WalkError(f"`{agent}` has no action `{value}`: {_known(value, actions)}")


def _known(name: str, names: "Mapping[str, object] | tuple[str, ...] | list[str]") -> str:
    near = closest(name, [*names])
    if near:
        return f"did you mean `{near}`?"
    return f"there are {', '.join(few([*names]))}" if names else "there is none"


def fitting_step(walk: ModelWalk, wishes: Filter | WalkMove) -> Step:
    """Return the one step from here that is as wished; raise `WalkError` where there is none, or several."""
    system, state = walk.system, walk.here.state
    if isinstance(wishes, WalkMove):
        step = wishes.step
        wanted = dict(zip(system.agent_index, step.actions or (), strict=False))
        found = move_list(
            moves_with(system, state, walk.budget, wanted), lambda each: _same(each, step)
        )
        if not found.items:
            why = f"was not found ({found.cut})" if found.cut else "is not possible here"
            raise WalkError(f"the move {wishes!r} {why}")
        return found.items[0].step
    wanted = {name: value for name, value in wishes.wishes if "." not in name}
    ways = moves_with(system, state, walk.budget, wanted)
    found = move_list(ways, lambda each: wishes.accepts(NumberedMove(0, each), system))
    if len(found.items) == 1 and not found.cut:
        return found.items[0].step
    if found.items:
        raise WalkError(_several(walk, wishes, [item.step for item in found.items], found.cut))
    why = f" ({found.cut})" if found.cut else _instead(system, state, wanted)
    raise WalkError(f"no move here has {wishes}{why}")


def _same(one: Step, other: Step) -> bool:
    return (one.actions, one.state) == (other.actions, other.state)


def _several(walk: ModelWalk, wishes: Filter, steps: list[Step], cut: str) -> str:
    wanted = {(step.actions, step.state) for step in steps}
    numbers = [
        str(item.number)
        for item in walk.options().items
        if (item.step.actions, item.step.state) in wanted
    ]
    which = f": {', '.join(few(numbers))}" if len(numbers) == len(steps) else ""
    count = f"{'at least ' if cut else ''}{len(steps):,}"
    return f"{count} moves have {wishes}{which}; say more of it, or give a number"


def _instead(system: System, state: State, wanted: Mapping[str, str]) -> str:
    """Return what somebody can do here who cannot do what is wished."""
    for name, action in wanted.items():
        possible = enabled_actions(system, system.agent(name), state)
        if action not in possible:
            can = ", ".join(each for each in possible if each != IDLE) or "nothing"
            return f": `{name}` can do {can} here"
    return ""
