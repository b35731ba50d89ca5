"""Models that are built in Python."""

from collections.abc import Iterable

from gnomon.api.models import Model
from gnomon.model.builder import AgentBuilder, SystemDraft
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
    >>> b.group("everybody", coin)
    >>> b.fairness("heads")
    >>> b.formula("AG EF heads", name="back", expect=True)
    >>> b
    <SystemBuilder a coin with Coin>
    >>> model = b.build(initial=side == "heads")
    >>> model.check()[0].holds
    True
    """

    def environment(self, actions: Iterable[str] = ()) -> AgentBuilder:
        """Declare the environment, whose variables agents may see.

        >>> import gnomon
        >>> b = gnomon.SystemBuilder("room")
        >>> room = b.environment(actions=["wait"])
        >>> dark = room.boolean("dark", observed=True)
        >>> room
        <agent Environment with dark>
        """
        return super().environment(actions)

    def define(self, name: str, expression: Operand) -> Operand:
        """Name an expression, and return what stands for it: all uses share it, whatever its size.

        Its value is that of the expression where it is used; explanations and formulae call it by its name.

        >>> import gnomon
        >>> b = gnomon.SystemBuilder("counter")
        >>> x = b.agent("P", actions=["up"]).integer("x", 0, 3)
        >>> b.define("full", x == 3)
        full
        """
        return super().define(name, expression)

    def build(
        self, *, initial: Operand | bool = True, terminal: Operand | bool | None = None
    ) -> Model:
        """Return the finished model; raise `InputError` with all for which a program would be refused.

        `initial` holds at the start, together with what variables were declared to begin with. `terminal`
        says where a run may end, so that a deadlock there is none to complain of.

        >>> import gnomon
        >>> b = gnomon.SystemBuilder("counter")
        >>> agent = b.agent("P", actions=["up"])
        >>> x = agent.integer("x", 0, 3)
        >>> agent.may("up", when=x < 3)
        >>> agent.evolve({x: x + 1})
        >>> b.build(initial=x == 0, terminal=x == 3).check("AF P.x = 3", check_deadlock=True)[0]
        <AF P.x = 3: true>
        """
        return Model(self.finished(initial=initial, terminal=terminal))
