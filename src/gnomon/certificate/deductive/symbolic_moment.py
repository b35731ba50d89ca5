"""A moment of a run as a solver sees it: what variables are worth, what is done, and expressions on that."""

from collections.abc import Mapping
from typing import Final

from gnomon.certificate.deductive.bitwise import Widths, bitwise, complement
from gnomon.certificate.deductive.exact_numbers import (
    ExactNumber,
    add,
    choose,
    compare,
    divide,
    multiply,
    opposite_number,
    whole_number,
)
from gnomon.certificate.deductive.script import Script
from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import (
    FALSE,
    TRUE,
    SmtText,
    conj,
    disj,
    neg,
    number,
    same,
    sort_of,
)
from gnomon.model.agent import Agent
from gnomon.model.domain import Boolean, Domain
from gnomon.model.expression import (
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sharing,
    Sum,
    reads,
    shared,
)
from gnomon.model.sharing import value_parts

_NO_FRACTIONS: Final = "there is no rule for numbers that may be fractions in this place"
NOTHING_KNOWN: Final[Mapping[str, str]] = {}


class SymbolicMoment:
    """The variables of a system at one moment, as terms; those that are not given are what they are now."""

    def __init__(
        self,
        script: Script,
        values: Mapping[Read, SmtText] | None = None,
        actions: Mapping[str, str] = NOTHING_KNOWN,
        now: "SymbolicMoment | None" = None,
        whole: Mapping[Read, SmtText] | None = None,
    ) -> None:
        """Look at a moment at which some agents do what is given; `now` is the one before it.

        `whole` is where values that are given are whole numbers, if they need not be.
        """
        self.script = script
        self.system = script.system
        self.values = values or {}
        self.actions = actions
        self.now = now
        self._whole = whole or {}
        #: What conditions of a proof are worth, by number.
        self.nodes: dict[int, SmtText] = {}
        self._shared: dict[Sharing, SmtText] = {}
        self._exact: dict[Sharing, ExactNumber] = {}
        self._fractional: dict[Sharing, bool] = {}

    def differs_on(self, looked_at: frozenset[Read]) -> bool:
        """Return whether one of some variables is given here."""
        return not self.values.keys().isdisjoint(looked_at)

    def variable(self, read: Read) -> SmtText:
        """Return what a variable is worth."""
        found = self.values.get(read)
        return self.script.variable(read) if found is None else found

    def domain(self, read: Read) -> Domain:
        """Return the type of a variable."""
        return self.system.variables[self.system.position[read.agent, read.variable]].domain

    def does(self, agent: Agent, action: str) -> SmtText:
        """Return that an agent does something."""
        known = self.actions.get(agent.name)
        if known is not None:
            return TRUE if known == action else FALSE
        if action not in agent.actions:
            return FALSE
        if len(agent.actions) == 1:
            return TRUE
        return same(self.script.action(agent), number(agent.actions.index(action)))

    def condition(self, expression: Expression) -> SmtText:
        """Return a condition, with a name where it is long."""
        if self.now is not None and not self.differs_on(reads(expression)):
            return self.now.condition(expression)
        return self.script.named(self.text(expression))

    def text(self, expression: Expression) -> SmtText:
        """Return a condition or a value, as the reference semantics has it."""
        match expression:
            case Literal(value):
                return self.script.vocabulary.value(value)
            case Read():
                return self.variable(expression)
            case Does(agent, action):
                return self.does(self.system.agent(agent), action)
            case Not(operand):
                return neg(self.text(operand))
            case And(operands):
                return conj(map(self.text, operands))
            case Or(operands):
                return disj(map(self.text, operands))
            case Compare(operator, left, right) if self._exact_sides(left, right):
                return compare(operator, self.exact(left), self.exact(right))
            case Compare("=", left, right):
                return same(self.text(left), self.text(right))
            case Compare("<>", left, right):
                return neg(same(self.text(left), self.text(right)))
            case Compare(operator, left, right):
                return f"({operator} {self.text(left)} {self.text(right)})"
            case Sum(terms):
                return f"(+ 0 {' '.join(map(self.text, terms))})"
            case Negative(operand):
                return f"(- {self.text(operand)})"
            case Arithmetic("&" | "|" | "^" as operator, left, right):
                return self._bitwise(operator, left, right)
            case Arithmetic(operator, left, right):
                return _arithmetic(operator, self.text(left), self.text(right))
            case BitComplement(operand):
                turned = neg if self._sort(operand) == "Bool" else complement
                return turned(self.text(operand))
            case Conditional() | Defined():
                if not (found := shared(expression, self._shared, self._once)):
                    raise TooMuch(_NO_FRACTIONS)
                return found

    def _bitwise(self, operator: str, left: Expression, right: Expression) -> SmtText:
        sides = self.text(left), self.text(right)
        if self._sort(left) != "Bool":
            one, other = (self.script.named(side, "Int") for side in sides)
            widths = Widths(self.domain)
            return bitwise(operator, one, other, (widths.of(left), widths.of(right)))
        match operator:
            case "&":
                return conj(sides)
            case "|":
                return disj(sides)
            case _:
                return neg(same(*sides))

    # Numbers that may be fractions

    def assigned(self, expression: Expression) -> tuple[SmtText, SmtText]:
        """Return what a variable would be worth, and that it can be: no number but a whole one can."""
        if not self._may_be_fraction(expression):
            return self.text(expression), TRUE
        found = self.exact(expression)
        return found.integer, found.whole

    def exact(self, expression: Expression) -> ExactNumber:
        """Return a number, which may be a fraction or infinite."""
        if not self._may_be_fraction(expression):
            return whole_number(self.text(expression), expression)
        match expression:
            case Sum(terms):
                return self._parts_named(add(list(map(self.exact, terms))))
            case Negative(operand):
                return self._parts_named(opposite_number(self.exact(operand)))
            case Arithmetic(operator, left, right):
                operation = {"*": multiply, "/": divide}[operator]
                return self._parts_named(operation(self.exact(left), self.exact(right)))
            case Conditional() | Defined():
                return shared(expression, self._exact, self._exact_once, value_parts)
            case _:
                raise AssertionError(expression)

    def _exact_once(self, expression: Sharing) -> ExactNumber:
        if isinstance(expression, Defined):
            return self.exact(expression.body)
        then, otherwise = self.exact(expression.then), self.exact(expression.otherwise)
        return self._parts_named(choose(self.condition(expression.condition), then, otherwise))

    def _parts_named(self, found: ExactNumber) -> ExactNumber:
        named = self.script.named
        return found._replace(
            value=named(found.value, "Real" if found.is_real else "Int"),
            positive=named(found.positive),
            negative=named(found.negative),
            nothing=named(found.nothing),
        )

    def _may_be_fraction(self, expression: Expression) -> bool:
        match expression:
            case Arithmetic("/"):
                return True
            case Arithmetic("*", left, right):
                return self._exact_sides(left, right)
            case Sum(terms):
                return any(map(self._may_be_fraction, terms))
            case Negative(operand):
                return self._may_be_fraction(operand)
            case Conditional() | Defined():
                return shared(expression, self._fractional, self._is_fractional, value_parts)
            case _:
                return False

    def _is_fractional(self, expression: Sharing) -> bool:
        return any(map(self._may_be_fraction, value_parts(expression)))

    def _exact_sides(self, *sides: Expression) -> bool:
        return any(map(self._may_be_fraction, sides))

    def _once(self, expression: Sharing) -> SmtText:
        if self._may_be_fraction(expression):
            return ""  # whoever compares or assigns it asks for the exact number
        if isinstance(expression, Defined):
            return self.script.named(self.text(expression.body), self._sort(expression.body))
        condition = self.text(expression.condition)
        then, otherwise = self.text(expression.then), self.text(expression.otherwise)
        return self.script.named(chosen(condition, then, otherwise), self._sort(expression))

    def _sort(self, expression: Expression) -> str:
        match expression:
            case Literal(value):
                return "Bool" if isinstance(value, bool) else "Int"
            case Read():
                return sort_of(self.domain(expression))
            case Arithmetic("&" | "|" | "^", operand) | BitComplement(operand):
                return self._sort(operand)
            case Sum() | Negative() | Arithmetic():
                return "Int"
            case Conditional():
                return self._sort(expression.then)
            case Defined():
                return self._sort(expression.body)
            case _:
                return "Bool"

    def fits(self, read: Read) -> SmtText:
        """Return that the value of a variable is one of its type."""
        domain = self.domain(read)
        if isinstance(domain, Boolean) or read not in self.values:
            return TRUE
        member = self.script.vocabulary.member(domain, self.variable(read))
        return conj((self._whole.get(read, TRUE), member))


def chosen(condition: SmtText, then: SmtText, otherwise: SmtText) -> SmtText:
    """Return one of two texts, of conditions or of values."""
    if condition in (TRUE, FALSE):
        return then if condition == TRUE else otherwise
    if then == otherwise:
        return then
    if then in (TRUE, FALSE):
        return disj((condition, otherwise)) if then == TRUE else conj((neg(condition), otherwise))
    if otherwise in (TRUE, FALSE):
        return disj((neg(condition), then)) if otherwise == TRUE else conj((condition, then))
    return f"(ite {condition} {then} {otherwise})"


def _arithmetic(operator: str, left: SmtText, right: SmtText) -> SmtText:
    match operator:
        case "*":
            return f"(* {left} {right})"
        case "div":
            return chosen(same(right, "0"), "0", f"(div {left} {right})")
        case "mod":
            return chosen(same(right, "0"), left, f"(mod {left} {right})")
        case _:
            raise TooMuch(_NO_FRACTIONS)
