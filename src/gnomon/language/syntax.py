"""One frozen dataclass per ISPL construct, each with its place in the text.

Places never take part in comparisons, so two programs are equal when they say the same thing. The
tree serves all three kinds of model: a finite one, one with unbounded integers (`IntegerType`) and
one with an open number of agents (`Template`).
"""

from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from gnomon.text.source import NOWHERE, Span




def _place() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)  # type: ignore[return-value]


# Names and what binds them


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier, with its indices where it belongs to a family: `coin`, `coin[i + 1]`."""

    text: str
    indices: tuple["Expression | Binder", ...] = ()
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Binder:
    """A variable and the values it runs through: `i : 1..n where i <> 2`, `j : Robot`."""

    variable: str
    domain: "RangeType | Name"
    where: "Expression | None" = None
    span: Span = _place()


# Expressions and conditions: one grammar, the type checker tells them apart

ArithmeticOperator = Literal["*", "/", "div", "mod", "&", "|", "^"]
Comparison = Literal["=", "<>", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Number:
    """An integer literal."""

    value: int
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Reference:
    """A bare or qualified name: `x`, `Environment.x`, `j.room`."""

    owner: Name | None
    name: Name
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class ActionIs:
    """`Action = a`, `Sender.Action = a`, and the same with `<>`."""

    owner: Name | None
    action: Name
    equal: bool = True
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Unary:
    """`!` of a condition, `~` of a bit, `-` of a number."""

    operator: Literal["!", "~", "-"]
    operand: "Expression"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary operator on values, or `->` between conditions."""

    operator: ArithmeticOperator | Comparison | Literal["->"]
    left: "Expression"
    right: "Expression"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Chain:
    """`and`, `or` or `+` over two or more operands; subtraction is `+` of a negation."""

    operator: Literal["and", "or", "+"]
    operands: tuple["Expression", ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Application:
    """A relation applied to values: `Corr(A, B)`."""

    relation: Name
    arguments: tuple["Expression", ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Quantified:
    """`exists`, `forall` or `sum` over the values of its binders."""

    quantifier: Literal["exists", "forall", "sum"]
    binders: tuple[Binder, ...]
    body: "Expression"
    span: Span = _place()


Expression = (
    Number | Truth | Reference | ActionIs | Unary | Binary | Chain | Application | Quantified
)


# Types


@dataclass(frozen=True, slots=True)
class BooleanType:
    """`boolean`."""

    span: Span = _place()


@dataclass(frozen=True, slots=True)
class RangeType:
    """`low .. high`, both included."""

    low: Expression
    high: Expression
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class EnumerationType:
    """`{ a, b, c }`."""

    values: tuple[Name, ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class IntegerType:
    """`int`: an integer without bounds."""

    span: Span = _place()


@dataclass(frozen=True, slots=True)
class NamedType:
    """A type of the `Types` section."""

    name: Name
    span: Span = _place()


Type = BooleanType | RangeType | EnumerationType | IntegerType | NamedType


# Agents


@dataclass(frozen=True, slots=True)
class VariableDeclaration:
    """`x : 0..3;`, or a family `x[i : 1..n] : 0..3;`."""

    name: Name
    type: Type
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """`condition : { actions };`; no condition for `Other`."""

    condition: Expression | None
    actions: tuple[Name, ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Assignment:
    """`x = value`."""

    target: Name
    value: Expression
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class EvolutionLine:
    """`assignments if guard;`."""

    assignments: tuple[Assignment, ...]
    guard: Expression
    span: Span = _place()


Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Repeat(Generic[Line]):
    """`for i : 1..n: lines end for`."""

    binders: tuple[Binder, ...]
    lines: tuple["Line | Repeat[Line]", ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class SyncDeclaration:
    """A synchronised action of a template and how many take part in it."""

    name: Name
    multiplicity: Literal["some", "one", "all"] = "some"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Agent:
    """`Agent Name ... end Agent`, with every section it may have.

    `kind` is "template" for `Template Name [low..high]`, whose number of instances is open. A section
    that is not written at all is None, so that a program can be told what it left out.
    """

    name: Name
    kind: Literal["agent", "environment", "template"]
    variables: tuple[VariableDeclaration, ...] | None = None
    observed: tuple[VariableDeclaration, ...] | None = None
    local_observed: tuple[Name, ...] | None = None
    red: Expression | None = None
    actions: tuple[Name, ...] | None = None
    synchronised: tuple[SyncDeclaration, ...] | None = None
    protocol: tuple[ProtocolLine | Repeat[ProtocolLine], ...] | None = None
    evolution: tuple[EvolutionLine | Repeat[EvolutionLine], ...] | None = None
    bounds: tuple[Expression, Expression | None] | None = None
    span: Span = _place()


# Formulae


@dataclass(frozen=True, slots=True)
class Atom:
    """A proposition."""

    name: Name
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Norm:
    """`Agent.GreenStates` or `Agent.RedStates`."""

    agent: Name
    colour: Literal["GreenStates", "RedStates"]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class StateCondition:
    """A comparison written straight into a formula: `Train.place = tunnel`."""

    condition: Expression
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Negation:
    """`! f`."""

    body: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Connective:
    """`and` or `or` over two or more formulae."""

    operator: Literal["and", "or"]
    operands: tuple["Formula", ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Implication:
    """`f -> g`."""

    left: "Formula"
    right: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Temporal:
    """`X f`, `F f` or `G f`."""

    operator: Literal["X", "F", "G"]
    body: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class UntilFormula:
    """`f U g`."""

    left: "Formula"
    right: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class PathQuantifier:
    """`A path` or `E path`; `AG f` is `A` of `G f`."""

    quantifier: Literal["A", "E"]
    body: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Modality:
    """`K(agent, f)`, `O(agent, f)`, `GK(group, f)`, `GCK(group, f)`, `DK(group, f)`."""

    operator: Literal["K", "O", "GK", "GCK", "DK"]
    who: Name
    body: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Coalition:
    """`<group> path` or `<agent, agent> path`."""

    members: tuple[Name, ...]
    body: "Formula"
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class IndexedFormula:
    """`forall i : 1..n ( f )` or `exists i : 1..n ( f )`."""

    quantifier: Literal["exists", "forall"]
    binders: tuple[Binder, ...]
    body: "Formula"
    span: Span = _place()


Formula = (
    Truth
    | Atom
    | Norm
    | StateCondition
    | Negation
    | Connective
    | Implication
    | Temporal
    | UntilFormula
    | PathQuantifier
    | Modality
    | Coalition
    | IndexedFormula
)

Logic = Literal["CTL", "LTL", "CTL*"]


@dataclass(frozen=True, slots=True)
class FormulaLine:
    """One formula of the file and the logic its text was read in; "CTL" stands for all of ATLK."""

    logic: Logic
    formula: Formula
    span: Span = _place()


# The program


@dataclass(frozen=True, slots=True)
class Constant:
    """`n = 3;` in `Constants`."""

    name: str
    value: Expression
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """`Place : { init, A, B };` in `Types`."""

    name: Name
    type: Type
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class RelationDeclaration:
    """`Corr : Place * Place;` in `Relations`."""

    name: Name
    columns: tuple[Name, ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Proposition:
    """`name if condition;` in `Evaluation`."""

    name: Name
    condition: Expression
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Group:
    """`name = { members };` in `Groups`."""

    name: Name
    members: tuple[Name, ...]
    span: Span = _place()


@dataclass(frozen=True, slots=True)
class Program:
    """A whole file."""

    semantics: Literal["MultiAssignment", "SingleAssignment", "Interleaved"] | None = None
    constants: tuple[Constant, ...] = ()
    types: tuple[TypeDeclaration, ...] = ()
    relations: tuple[RelationDeclaration, ...] = ()
    axioms: tuple[Expression, ...] = ()
    predicates: tuple[Expression, ...] = ()
    agents: tuple[Agent, ...] = ()
    evaluation: tuple[Proposition | Repeat[Proposition], ...] | None = None
    initial: Expression | None = None
    groups: tuple[Group | Repeat[Group], ...] = ()
    fairness: tuple[FormulaLine | Repeat[FormulaLine], ...] = ()
    formulae: tuple[FormulaLine | Repeat[FormulaLine], ...] | None = None
    uses_families: bool = False
    span: Span = _place()

    @property
    def is_parameterised(self) -> bool:
        """Return whether the number of agents is open."""
        return any(agent.kind == "template" for agent in self.agents)
