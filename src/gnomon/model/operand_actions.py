"""What an agent does, as a value, for systems that are built in Python: to store it, or to compare it."""

from gnomon.model import expression as typed
from gnomon.model.chosen import action_taken
from gnomon.model.domain import Boolean, Enumeration
from gnomon.model.operand import Operand, as_operand


class ActionOperand(Operand):
    """What an agent does in the current step.

    Where one event happens at a time an agent may do nothing, and then this is equal to no action at all: to
    compare it is to ask whether the agent does one of its actions, as in a program.
    """

    __slots__ = ("does",)

    def __init__(self, agent: str, actions: tuple[str, ...]) -> None:
        """Know the actions of an agent, one at least."""
        super().__init__(action_value(agent, actions), Enumeration(actions))
        self.does: dict[str, typed.Does] = {action: typed.Does(agent, action) for action in actions}

    def __hash__(self) -> int:
        """Return a hash that is its own."""
        return object.__hash__(self)

    # Defined here, and not only inherited, so that Python asks this side first, wherever it stands.
    def __eq__(self, other: object) -> Operand:  # type: ignore[override]
        """Return the condition that the agent does that."""
        return Operand(self._is(other), Boolean())

    def __ne__(self, other: object) -> Operand:  # type: ignore[override]
        """Return the condition that it does not."""
        return Operand(typed.Not(self._is(other)), Boolean())

    def _is(self, other: object) -> typed.Expression:
        if not isinstance(other, Operand):
            as_operand(other, self.domain)
            return self.does[str(other)]
        both: list[tuple[typed.Expression, typed.Expression]]
        if isinstance(other, ActionOperand):
            both = [(test, other.does[a]) for a, test in self.does.items() if a in other.does]
        else:
            names = other.domain.names if isinstance(other.domain, Enumeration) else ()
            value = other.expression
            both = [
                (test, typed.Compare("=", value, typed.Literal(action)))
                for action, test in self.does.items()
                if action in names
            ]
        if not both:
            msg = f"{self!r} is never {other!r}: they have nothing in common"
            raise TypeError(msg)
        return typed.Or(tuple(map(typed.And, both)))


def action_value(agent: str, actions: tuple[str, ...]) -> typed.Expression:
    """Return what an agent does, as a value that tells whose it is: also where there is but one action."""
    taken = action_taken(agent, actions)
    if typed.actors(taken):
        return taken
    return typed.Conditional(typed.Does(agent, actions[0]), taken, taken)
