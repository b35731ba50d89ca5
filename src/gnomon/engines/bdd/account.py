"""What the symbolic engine did, for those who want to know."""

from time import perf_counter

from gnomon.engines.bdd.setup import Setup
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.events import AnyEvent
from gnomon.engines.diagrams.interface import Diagrams
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.engines.diagrams.ties import LayoutItem

_SHOWN = 12


class Account:
    """Times by phase, iterations and the most nodes there were."""

    def __init__(self, diagrams: Diagrams) -> None:
        """Start the clock."""
        self._diagrams = diagrams
        self._since = perf_counter()
        self.seconds: dict[str, float] = {}
        self.peak = 0
        self.reorderings = 0
        self._reordered = perf_counter()
        self.preimages = 0

    def finish(self, phase: str) -> None:
        """Note that a phase is over."""
        now = perf_counter()
        self.seconds[phase] = now - self._since
        self._since = now
        self.note_size()

    def note_size(self) -> None:
        """Look at how many nodes there are."""
        self.peak = max(self.peak, self._diagrams.total_size())

    def since_reordering(self) -> float:
        """Return the seconds since variables were moved, or since the start."""
        return perf_counter() - self._reordered

    def note_reordering(self) -> None:
        """Note that variables were moved."""
        self.reorderings += 1
        self._reordered = perf_counter()


def diagrams(library: Diagrams, account: Account) -> str:
    """Return whose diagrams they are, how large they became, and whether variables moved."""
    text = f"{library.name}, at most {account.peak:,} nodes at a time"
    if account.reorderings:
        text += f", variables moved {_count(account.reorderings, 'time')}"
    return text


def sizes(layout: BitLayout) -> str:
    """Return how many bits there are, and for what."""
    actions = sum(len(levels) for levels in layout.actions.values())
    now, after = len(layout.now), len(layout.next)
    return f"{layout.size} bits: {now} of the state, {after} of the next, {actions} of actions"


def order(setup: Setup) -> str:
    """Return the order of variables, its middle left out where it is long."""
    items = [_show(item) for item in setup.layout.order]
    if len(items) > _SHOWN:
        items[_SHOWN // 2 : -_SHOWN // 2] = [f"… {len(items) - _SHOWN} more …"]
    return f"{setup.order}: {', '.join(items)}"


def _show(item: LayoutItem) -> str:
    return f"{item}.Action" if isinstance(item, str) else ".".join(item)


def clusters(relation: TransitionRelation, events: list[AnyEvent]) -> str:
    """Return into what the relation was cut."""
    joined = sum(event.parts for event in events)
    forced = sum(protocol.forced for protocol in relation.protocols.values())
    text = f"{_count(len(relation.parts), 'part')} in {_count(joined, 'cluster')}"
    if len(events) > 1:
        text += f", {len(events)} events"
    if forced:
        text += f"; {_count(forced, 'agent')} without choice"
    return text


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
