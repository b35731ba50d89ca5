"""One frozen record per ISPL construct, each with its place in the text.

Places never take part in comparisons, so two programs are equal when they say the same thing. The
tree serves all three kinds of model: a finite one, one with unbounded integers (`IntegerType`) and
one with an open number of agents (`Template`).
"""

from collections.abc import Iterable, Iterator
from typing import Generic, Literal, TypeVar

from gnomon.text.record import Record
from gnomon.text.source import NOWHERE, Span

# Names and what binds them


class Name(Record):
    """An identifier, with its indices where it belongs to a family: `coin`, `coin[i + 1]`."""

    text: str
    indices: tuple["Expression | Binder", ...] = ()
    span: Span = NOWHERE


class Binder(Record):
    """A variable and the values it runs through: `i : 1..n where i <> 2`, `j : Robot`."""

    variable: str
    domain: "RangeType | Name"
    where: "Expression | None" = None
    span: Span = NOWHERE


# Expressions and conditions: one grammar, the type checker tells them apart

ArithmeticOperator = Literal["*", "/", "div", "mod", "&", "|", "^"]
Comparison = Literal["=", "<>", "<", "<=", ">", ">="]
BinaryOperator = ArithmeticOperator | Comparison | Literal["->", "<->", "xor"]


class Number(Record):
    """An integer literal."""

    value: int
    span: Span = NOWHERE


class EmptySum(Number, Record):
    """What a `sum` or `count` over no values comes to; `settings` are the constants that made it so."""

    value: int
    span: Span = NOWHERE
    settings: str = ""
    word: str = "sum"


class Truth(Record):
    """`true` or `false`."""

    value: bool
    span: Span = NOWHERE


class Reference(Record):
    """A bare or qualified name: `x`, `Environment.x`, `j.room`."""

    owner: Name | None
    name: Name
    span: Span = NOWHERE


class ActionIs(Record):
    """`Action = a`, `Sender.Action = a`, and the same with `<>`."""

    owner: Name | None
    action: Name
    equal: bool = True
    span: Span = NOWHERE


class Unary(Record):
    """`!` of a condition, `~` of a bit, `-` of a number."""

    operator: Literal["!", "~", "-"]
    operand: "Expression"
    span: Span = NOWHERE


class Binary(Record):
    """A binary operator on values, or `->`, `<->` or `xor` between conditions."""

    operator: BinaryOperator
    left: "Expression"
    right: "Expression"
    span: Span = NOWHERE


class Chain(Record):
    """`and`, `or` or `+` over two or more operands; subtraction is `+` of a negation."""

    operator: Literal["and", "or", "+"]
    operands: tuple["Expression", ...]
    span: Span = NOWHERE


class ActionOf(Record):
    """What an agent does, as a value: `Sender.Action`, `Action`."""

    owner: Name | None
    span: Span = NOWHERE


class IfThenElse(Record):
    """`if condition then value else value`."""

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    span: Span = NOWHERE


class Membership(Record):
    """`x in { 1, 3..5, n }`: whether a value is one of some values, or in one of some ranges."""

    value: "Expression"
    members: tuple["Expression | RangeType", ...]
    span: Span = NOWHERE


class Application(Record):
    """A relation or a function applied to values: `Corr(A, B)`, `min(x, y)`."""

    relation: Name
    arguments: tuple["Expression", ...]
    span: Span = NOWHERE


class Quantified(Record):
    """`exists`, `forall`, `sum` or `count` over the values of its binders."""

    quantifier: Literal["exists", "forall", "sum", "count"]
    binders: tuple[Binder, ...]
    body: "Expression"
    span: Span = NOWHERE


Expression = (
    Number
    | Truth
    | Reference
    | ActionIs
    | ActionOf
    | Unary
    | Binary
    | Chain
    | IfThenElse
    | Membership
    | Application
    | Quantified
)

#: What may be applied to values without a declaration; a relation of the same name comes first.
FUNCTIONS = frozenset(["min", "max", "abs", "number"])


# Types


class BooleanType(Record):
    """`boolean`."""

    span: Span = NOWHERE


class RangeType(Record):
    """`low .. high`, both included."""

    low: Expression
    high: Expression
    span: Span = NOWHERE


class EnumerationType(Record):
    """`{ a, b, c }`; an open one, `{ a, b, .. }`, has more values than are named."""

    values: tuple[Name, ...]
    open: bool = False
    span: Span = NOWHERE


class IntegerType(Record):
    """`int`: an integer without bounds."""

    span: Span = NOWHERE


class NamedType(Record):
    """A type of the `Types` section."""

    name: Name
    span: Span = NOWHERE


Type = BooleanType | RangeType | EnumerationType | IntegerType | NamedType


# Agents


class VariableDeclaration(Record):
    """`x : 0..3;`, or a family `x[i : 1..n] : 0..3;`, with the value at the start where one is given."""

    name: Name
    type: Type
    span: Span = NOWHERE
    initial: Expression | None = None


class ProtocolLine(Record):
    """`condition : { actions };`; no condition for `Other`."""

    condition: Expression | None
    actions: tuple[Name, ...]
    span: Span = NOWHERE


class Assignment(Record):
    """`x = value`."""

    target: Name
    value: Expression
    span: Span = NOWHERE


class EvolutionLine(Record):
    """`assignments if guard;`."""

    assignments: tuple[Assignment, ...]
    guard: Expression
    span: Span = NOWHERE


Line = TypeVar("Line")


class Repeat(Record, Generic[Line]):
    """`for i : 1..n: lines end for`."""

    binders: tuple[Binder, ...]
    lines: tuple["Line | Repeat[Line]", ...]
    span: Span = NOWHERE


def each_line(lines: Iterable[Line | Repeat[Line]]) -> Iterator[Line]:
    """Yield lines, those inside `for` as well, in their order."""
    for line in lines:
        if isinstance(line, Repeat):
            yield from each_line(line.lines)
        else:
            yield line


class SyncDeclaration(Record):
    """A synchronised action of a template and how many take part in it.

    With a `leader`, as in `drop : all with take`, agents do it when others do that one.
    """

    name: Name
    multiplicity: Literal["some", "one", "all"] = "some"
    span: Span = NOWHERE
    leader: Name | None = None


class Agent(Record):
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
    span: Span = NOWHERE


# Formulae


class Atom(Record):
    """A proposition."""

    name: Name
    span: Span = NOWHERE


class Norm(Record):
    """`Agent.GreenStates` or `Agent.RedStates`."""

    agent: Name
    colour: Literal["GreenStates", "RedStates"]
    span: Span = NOWHERE


class StateCondition(Record):
    """A comparison written straight into a formula: `Train.place = tunnel`."""

    condition: Expression
    span: Span = NOWHERE


class Negation(Record):
    """`! f`."""

    body: "Formula"
    span: Span = NOWHERE


class Connective(Record):
    """`and` or `or` over two or more formulae."""

    operator: Literal["and", "or"]
    operands: tuple["Formula", ...]
    span: Span = NOWHERE


class Implication(Record):
    """`f -> g`."""

    left: "Formula"
    right: "Formula"
    span: Span = NOWHERE


class Equivalence(Record):
    """`f <-> g`; `f xor g` is its negation."""

    left: "Formula"
    right: "Formula"
    span: Span = NOWHERE


class Temporal(Record):
    """`X f`, `F f` or `G f`."""

    operator: Literal["X", "F", "G"]
    body: "Formula"
    span: Span = NOWHERE


class UntilFormula(Record):
    """`f U g`."""

    left: "Formula"
    right: "Formula"
    span: Span = NOWHERE


class WeakFormula(Record):
    """`f W g` or `f R g`: weak until, and release."""

    operator: Literal["W", "R"]
    left: "Formula"
    right: "Formula"
    span: Span = NOWHERE


class Bounds(Record):
    """`<=5`, from step 0, or `[2, 7]`: steps, both ends included."""

    low: Expression
    high: Expression
    span: Span = NOWHERE


class BoundedFormula(Record):
    """`F<=5 f`, `f U[2, 7] g` and the like."""

    path: "Temporal | UntilFormula | WeakFormula"
    bounds: Bounds
    span: Span = NOWHERE


class PathQuantifier(Record):
    """`A path` or `E path`; `AG f` is `A` of `G f`."""

    quantifier: Literal["A", "E"]
    body: "Formula"
    span: Span = NOWHERE


class GroupDifference(Record):
    r"""`all \ { A, B }` or `all \ group`: the members of a group without some."""

    group: Name
    removed: tuple[Name, ...]
    span: Span = NOWHERE


#: Some agents: an agent, a group, or what is left of one.
Members = Name | GroupDifference


class GroupList(Record):
    """`{ A, B }`, or what a name with a range stands for: `Train[i : 1..n where i <> k]`."""

    members: tuple[Members, ...]
    span: Span = NOWHERE


class Modality(Record):
    """`K(agent, f)`, `O(agent, f)`, `GK(group, f)`, `GCK(group, f)`, `DK(group, f)`."""

    operator: Literal["K", "O", "GK", "GCK", "DK"]
    who: Members | GroupList
    body: "Formula"
    span: Span = NOWHERE


class Coalition(Record):
    """`<group> path` or `<agent, agent> path`."""

    members: tuple[Members, ...]
    body: "Formula"
    span: Span = NOWHERE


class CannotAvoid(Record):
    """`[[group]] path`: whatever the group does, the path formula may come true."""

    members: tuple[Members, ...]
    body: "Formula"
    span: Span = NOWHERE


class IndexedFormula(Record):
    """`forall i : 1..n ( f )` or `exists i : 1..n ( f )`."""

    quantifier: Literal["exists", "forall"]
    binders: tuple[Binder, ...]
    body: "Formula"
    span: Span = NOWHERE


Formula = (
    Truth
    | Atom
    | Norm
    | StateCondition
    | Negation
    | Connective
    | Implication
    | Equivalence
    | Temporal
    | UntilFormula
    | WeakFormula
    | BoundedFormula
    | PathQuantifier
    | Modality
    | Coalition
    | CannotAvoid
    | IndexedFormula
)

Logic = Literal["CTL", "LTL", "CTL*"]


Expectation = Literal["true", "false", "undefined"]


class Annotation(Record):
    """What is said about a formula: its name, and the verdict that its author expects."""

    name: Name | None = None
    expected: Expectation | None = None
    span: Span = NOWHERE


class FormulaLine(Record):
    """One formula of the file and the logic its text was read in; "CTL" stands for all of ATLK.

    The place is that of the logic and the formula, without what is said about them. Where one
    `reads_otherwise`, indices have their values in the tree, and not in the text.
    """

    logic: Logic
    formula: Formula
    span: Span = NOWHERE
    annotation: Annotation = Annotation()
    reads_otherwise: bool = False


RuleWord = Literal["allow", "deny"]


class CodeRule(Record):
    """`--! allow G0407` or `--! deny G0407`: whether a warning is welcome in this file."""

    word: RuleWord
    code: str
    span: Span = NOWHERE


# The program


class Constant(Record):
    """`n = 3;` in `Constants`."""

    name: str
    value: Expression
    span: Span = NOWHERE


class Definition(Record):
    """`busy := Train.at = tunnel;` in `Definitions`: a name for an expression."""

    name: Name
    body: Expression
    span: Span = NOWHERE


class DefinitionSection(Record):
    """`Definitions … end Definitions`."""

    lines: tuple[Definition | Repeat[Definition], ...]
    span: Span = NOWHERE


class ParameterLine(Record):
    """`n, t, f;` in `Parameters`."""

    names: tuple[Name, ...]
    span: Span = NOWHERE


class TypeDeclaration(Record):
    """`Place : { init, A, B };` in `Types`."""

    name: Name
    type: Type
    span: Span = NOWHERE


class RelationDeclaration(Record):
    """`Corr : Place * Place;` in `Relations`; with a key, `Owner : Room -> Guild;`, it gives a value."""

    name: Name
    columns: tuple[Name, ...]
    result: Name | None = None
    span: Span = NOWHERE


class Proposition(Record):
    """`name if condition;` in `Evaluation`."""

    name: Name
    condition: Expression
    span: Span = NOWHERE


class Group(Record):
    r"""`name = { members };` or `name = all \ { members };` in `Groups`."""

    name: Name
    members: tuple[Members, ...]
    span: Span = NOWHERE


class Program(Record):
    """A whole file."""

    semantics: Literal["MultiAssignment", "SingleAssignment", "Interleaved"] | None = None
    constants: tuple[Constant, ...] = ()
    parameters: tuple[ParameterLine, ...] = ()
    assumptions: tuple[Expression | Repeat[Expression], ...] = ()
    types: tuple[TypeDeclaration, ...] = ()
    relations: tuple[RelationDeclaration, ...] = ()
    axioms: tuple[Expression, ...] = ()
    predicates: tuple[Expression | Repeat[Expression], ...] = ()
    agents: tuple[Agent, ...] = ()
    evaluation: tuple[Proposition | Repeat[Proposition], ...] | None = None
    initial: Expression | None = None
    #: Where a run may end.
    terminal: Expression | None = None
    groups: tuple[Group | Repeat[Group], ...] = ()
    fairness: tuple[FormulaLine | Repeat[FormulaLine], ...] = ()
    formulae: tuple[FormulaLine | Repeat[FormulaLine], ...] | None = None
    code_rules: tuple[CodeRule, ...] = ()
    uses_families: bool = False
    definitions: DefinitionSection | None = None
    #: The word that says which semantics it is, as it was written.
    semantics_word: Name | None = None
    span: Span = NOWHERE

    @property
    def is_parameterised(self) -> bool:
        """Return whether the number of agents is open."""
        return any(agent.kind == "template" for agent in self.agents)
