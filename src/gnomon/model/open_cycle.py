"""Why a question about paths is open, as data: a way round that nothing excludes and nothing confirms."""

from gnomon.text.record import Record


class OpenStep(Record):
    """A step of the way: where it starts, what is done, by which lines, and what becomes of what.

    `example` has states of the model, before and after, where some are known that make the step.
    """

    where: tuple[tuple[str, str], ...]
    actions: tuple[tuple[str, str], ...]
    lines: tuple[int, ...]
    changes: tuple[tuple[str, str], ...]
    example: tuple[tuple[str, str, str], ...] | None = None


class OpenQuantity(Record):
    """A quantity that falls (or grows) in some steps, and those in which it may recover, from 1."""

    quantity: str
    way: str
    steps: tuple[int, ...]
    back: tuple[int, ...]


class OpenCycle(Record):
    """The shortest way round that is left, in cells of states; whether a run can go so for ever is not known.

    `formula` is the part that is open. `meets` are what the way meets again and again, in words. `predicate`
    may tell more.
    """

    formula: str
    steps: tuple[OpenStep, ...]
    quantities: tuple[OpenQuantity, ...] = ()
    meets: tuple[str, ...] = ()
    predicate: str = ""
    #: In a game: who tries to come out of it, in words.
    trying: str = ""
