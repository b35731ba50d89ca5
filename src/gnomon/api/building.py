"""Models that are built in Python."""

from gnomon.api.models import Model
from gnomon.model.builder import SystemDraft
from gnomon.model.operand import Operand


class SystemBuilder(SystemDraft):
    """A model in the making: agents with variables, actions and rules, written with Python's operators.

    >>> import gnomon
    >>> b = gnomon.SystemBuilder("a coin")
    >>> coin = b.agent("Coin", actions=["toss"])
    >>> side = coin.enumeration("side", ["heads", "tails"])
    >>> coin.otherwise("toss")
    >>> coin.evolve({side: "heads"})
    >>> coin.evolve({side: "tails"})
    >>> b.proposition("heads", side == "heads")
    >>> b.formula("AG EF heads")
    >>> model = b.build(initial=side == "heads")
    >>> model.check()[0].holds
    True
    """

    def build(
        self, *, initial: Operand | bool = True, terminal: Operand | bool | None = None
    ) -> Model:
        """Return the finished model; raise `InputError` with all for which a program would be refused.

        `initial` holds at the start, together with what variables were declared to begin with. `terminal`
        says where a run may end, so that a deadlock there is none to complain of.
        """
        return Model(self.finished(initial=initial, terminal=terminal))
