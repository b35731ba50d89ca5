"""What reading a statement up to a place leaves behind: what may come next, and the brackets around it."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal, NamedTuple, TypeAlias


class Wants(Enum):
    """What may stand next."""

    #: A section of the program or of an agent, the word behind `end`, the name of a new agent.
    SECTION = "section"
    PART = "part"
    CLOSING = "closing"
    AGENT_NAME = "agent name"
    #: A name that is new here, and what may follow it.
    NEW = "new"
    NEW_END = "new end"
    #: The type of a variable, or only the name of one; and what may follow it.
    TYPE = "type"
    TYPE_END = "type end"
    TYPE_NAME = "type name"
    TYPE_NAME_END = "type name end"
    #: What a condition, a value or a formula begins with, and what joins two of them.
    OPERAND = "operand"
    OPERATOR = "operator"
    #: Behind `A`, `E` and coalitions.
    PATH = "path"
    #: Behind `Agent.`, and behind `in`.
    ATTRIBUTE = "attribute"
    BRACE = "brace"
    #: How many steps: behind `F<=`.
    BOUND = "bound"
    #: A variable that is assigned.
    TARGET = "target"
    TARGET_END = "target end"
    #: An agent or a group.
    MEMBER = "member"
    MEMBER_END = "member end"
    #: A name in a list of actions, variables or values.
    LISTED = "listed"
    LISTED_END = "listed end"
    MULTIPLICITY = "multiplicity"
    #: The action that another one follows: behind `all with`.
    LEADER = "leader"
    #: An index, or what it runs through.
    INDEX = "index"
    INDEX_END = "index end"
    DOMAIN = "domain"
    #: Behind `expect`, and behind a formula with that.
    VERDICT = "verdict"
    #: `=`, and the word behind `Semantics =`.
    EQUALS = "equals"
    SEMANTICS = "semantics"
    NOTHING = "nothing"


TermKind: TypeAlias = Literal["name", "action", "applied", "number", "truth", "type"]


class ReadOperand(NamedTuple):
    """What stands before an operator: `x`, `Train[i].at`, `Action`, `Owner(…)`, a number.

    Of a "type" the `name` is the text of the type.
    """

    kind: TermKind
    name: str = ""
    owner: str | None = None


NUMBER: Final = ReadOperand("number")

FrameKind: TypeAlias = Literal[
    "line",  # the statement itself
    "group",  # `( … )` around a condition, a value or a formula
    "targets",  # `( … )` around assignments
    "if",  # `if … then … else …`, where no section has a line like that
    "call",  # `min(…)`, `Corridor(…)`
    "modality",  # `K(…, …)`
    "coalition",  # `<…>`, `[[…]]`
    "members",  # `{ … }` of agents
    "names",  # `{ … }` of actions, variables or values
    "values",  # `in { … }`
    "until",  # `A(… U …)`
    "quantifier",  # `forall i : 1..n where …`
    "body",  # `(…)` behind that
    "binder",  # one that is an index: `x[i : 1..n]`
    "index",  # `[…]` behind a name
    "bounds",  # `F[2, 7]`
    "steps",  # `F<=(n + 1)`
    "number",  # `Template T [1..*]`
]


@dataclass(slots=True)
class OpenFrame:
    """Something that was begun and is not over."""

    kind: FrameKind
    #: The word in front: an operator, a function, a relation, a quantifier.
    word: str = ""
    start: int = 0
    #: Which of its parts is being read, from 0.
    part: int = 0
    #: What the operand here is compared with, or assigned to; and the same of the whole.
    expected: ReadOperand | None = None
    whole: ReadOperand | None = None
    #: Whether it is behind a comparison, and whether there was any operator on conditions.
    compared: bool = False
    joined: bool = False
    #: Indices that mean something in it, each with the type or template that it runs through, or "".
    bound: dict[str, str] = field(default_factory=dict)
    #: Names that were listed in it.
    listed: list[str] = field(default_factory=list)
    #: What was read before it, and is to be gone on with behind it.
    resume: Wants = Wants.OPERATOR
    base: ReadOperand | None = None
    #: Indices whose domain is being read, and what that begins with.
    pending: list[str] = field(default_factory=list)
    domain: str = ""


@dataclass(slots=True)
class StatementReading:
    """What was read of a statement."""

    wants: Wants
    section: str
    frames: list[OpenFrame]
    #: What stands before the place, where that is an operand; whose attribute is wanted.
    last: ReadOperand | None = None
    #: The token before the place.
    before: str = ""
    #: Whether nothing of the statement was read yet.
    at_start: bool = True
    logic: str = "CTL"

    @property
    def top(self) -> OpenFrame:
        """Return the innermost thing that is open."""
        return self.frames[-1]

    @property
    def line(self) -> OpenFrame:
        """Return the statement."""
        return self.frames[0]

    @property
    def bound(self) -> dict[str, str]:
        """Return the indices in scope, outer ones first."""
        return {name: domain for frame in self.frames for name, domain in frame.bound.items()}


#: Sections whose lines are formulae.
FORMULA_SECTIONS: Final = frozenset(("Formulae", "Fairness"))


def is_formula(frames: list[OpenFrame]) -> bool:
    """Return whether a formula stands inside these, and no value or condition."""
    if frames[-1].expected is not None or frames[-1].kind == "quantifier":
        return False
    return not any(
        frame.kind in ("call", "index", "binder", "quantifier", "if", "values", "bounds", "steps")
        and not (frame.kind == "quantifier" and frame.word in ("forall", "exists"))
        for frame in frames
    )
