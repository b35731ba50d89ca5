"""Many joint actions on one arrow, in few words.

Joint actions that differ in what one agent does are told as one, the alternatives side by side: `x|y` says
that both lead there. Nothing is said of an agent where it does not matter what it does: because all that it
can do leads there, or because it can do only one thing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from gnomon.model.agent import IDLE
from gnomon.model.step import JointAction
from gnomon.model.system import System
from gnomon.results.drawing.diagram import LABEL_WIDE, shortened
from gnomon.results.projection import PictureStyle
from gnomon.results.styled import fill

#: For each agent that is shown, by its place, what it may do.
Bundle: TypeAlias = tuple[frozenset[str], ...]

#: So many lines stand beside an arrow.
MOST_LINES: Final = 3


def bundles(actions: Iterable[JointAction], places: Sequence[int]) -> list[Bundle]:
    """Return bundles that together are exactly these joint actions, as far as some places tell them apart."""
    found: list[Bundle] = list(
        dict.fromkeys(tuple(frozenset((joint[place],)) for place in places) for joint in actions)
    )
    for column in range(len(places)):
        joined: dict[Bundle, frozenset[str]] = {}
        for bundle in found:
            rest = (*bundle[:column], *bundle[column + 1 :])
            joined[rest] = joined.get(rest, frozenset()) | bundle[column]
        found = [(*rest[:column], some, *rest[column:]) for rest, some in joined.items()]
    return found


def options(actions: Iterable[JointAction], count: int) -> dict[int, frozenset[str]]:
    """Return what each of so many agents does in some of the joint actions, by its place."""
    seen: list[set[str]] = [set() for _ in range(count)]
    for joint in actions:
        for place, action in enumerate(joint):
            seen[place].add(action)
    return {place: frozenset(some) for place, some in enumerate(seen)}


class ArrowWords:
    """Says in words what agents do; an action that several agents have goes with the name of its agent."""

    def __init__(self, system: System, style: PictureStyle, *, named: bool = False) -> None:
        """Say it of this system; `named` names the agent always."""
        self._system = system
        self._style = style
        self._named = named
        owners: dict[str, int] = {}
        for agent in system.agents:
            for action in set(agent.actions):
                owners[action] = owners.get(action, 0) + 1
        self._shared = {action for action, count in owners.items() if count > 1}

    def lines(
        self,
        actions: Sequence[JointAction],
        free: Mapping[int, frozenset[str]],
        places: Sequence[int] | None = None,
    ) -> list[str]:
        """Return one line a bundle; `free` says what each agent can do in any case, by its place."""
        shown = [
            place
            for place, agent in enumerate(self._system.agents)
            if (places is None or place in places)
            and any(self._style.shows(agent.name, joint[place]) for joint in actions)
        ]
        if self._system.interleaved and places is None:
            # All who take part do the same, and nobody else does anything.
            done = (joint[place] for joint in actions for place in shown)
            return [name for name in dict.fromkeys(done) if name != IDLE]
        found = bundles(actions, shown)
        words = dict.fromkeys(self._bundle(bundle, shown, free) for bundle in found)
        return [line for line in words if line]

    def events(self, actions: Sequence[JointAction]) -> list[str]:
        """Return which events of an interleaved system these are, and whether nothing may happen."""
        named = [next((a for a in joint if a != IDLE), "") for joint in actions]
        return [f"{name} happens" if name else "nothing happens" for name in dict.fromkeys(named)]

    def _bundle(
        self, bundle: Bundle, places: Sequence[int], free: Mapping[int, frozenset[str]]
    ) -> str:
        parts = []
        is_any = False
        for place, some in zip(places, bundle, strict=True):
            if some == free.get(place):
                is_any = is_any or len(some) > 1
                continue
            agent = self._system.agents[place]
            names = [
                name
                for name in agent.actions
                if name in some and self._style.shows(agent.name, name)
            ]
            if not names:
                continue
            word = "|".join(names)
            is_named = self._named or not self._shared.isdisjoint(names)
            parts.append(f"{agent.name}: {word}" if is_named else word)
        return ", ".join(parts) or ("any" if is_any else "")


def few_lines(lines: Sequence[str], most: int = MOST_LINES) -> tuple[str, ...]:
    """Return lines that fit beside an arrow, with a word about those there is no room for.

    A single one may go on below.
    """
    shown = list(lines)
    if len(shown) == 1:
        shown = fill(shown[0].split(", "), LABEL_WIDE, "", ", ")
    shown = [shortened(line) for line in shown]
    if len(shown) <= most:
        return tuple(shown)
    return (*shown[: most - 1], f"… {len(shown) - most + 1} more")
