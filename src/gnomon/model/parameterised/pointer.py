"""Variables of the environment that are agents."""

from typing import Final

from gnomon.text.record import Record

#: What a pointer is worth: whether it points to somebody. Who that is, is told by a flag of the agent.
NOBODY: Final = "none"
SOMEBODY: Final = "some"


class Pointer(Record):
    """A variable of the environment that is an agent of a template, or none.

    It is worth `some` or `none`, and the one agent that it points to has a flag, a Boolean variable.
    """

    template: str
    flag: str
