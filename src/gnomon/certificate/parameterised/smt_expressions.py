"""ExpressionEncoder over variables as SMT-LIB texts.

What is linear is written as it is. Other arithmetic means what the reference semantics says, quotients by
zero included: it is written out by cases of the values that it depends on.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Final, TypeAlias

from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import (
    FALSE,
    TRUE,
    SmtText,
    Vocabulary,
    conj,
    disj,
    includes,
    neg,
    number,
    same,
)
from gnomon.model.domain import Datum, Domain, Integers, OpenEnumeration, size_of
from gnomon.model.domain import values_of as all_values
from gnomon.model.evaluation import value_by
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
    parts,
    reads,
    shared,
    walk,
)
from gnomon.model.parameterised.step import fits

#: A variable as a text, and its type.
TypedTerm: TypeAlias = tuple[SmtText, Domain]

#: The most cases that an expression is written out by.
_MOST_CASES: Final = 1 << 14
#: The most characters of what is used several times.
_LONGEST: Final = 1 << 18


class ExpressionEncoder:
    """Writes expressions; `variable` says what a variable is called, `action` what its owner does."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        variable: Callable[[Read], TypedTerm],
        action: str | None = None,
    ) -> None:
        """Write for one agent at one moment."""
        self._vocabulary = vocabulary
        self._variable = variable
        self._action = action
        self._shared: dict[Sharing, SmtText] = {}

    def text(self, expression: Expression) -> SmtText:
        """Return an expression, a condition or a value."""
        if _is_odd(expression):
            return self._by_cases(expression)
        match expression:
            case Literal(value):
                return self._vocabulary.value(value)
            case Read():
                return self._variable(expression)[0]
            case Does(_, name):
                return TRUE if name == self._action else FALSE
            case Not(operand):
                return neg(self.text(operand))
            case And(operands):
                return conj(map(self.text, operands))
            case Or(operands):
                return disj(map(self.text, operands))
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
            case Arithmetic(_, left, right):
                return f"(* {self.text(left)} {self.text(right)})"
            case Conditional() | Defined():
                return shared(expression, self._shared, self._once)
            case BitComplement():
                return self._by_cases(expression)

    def _once(self, expression: Sharing) -> SmtText:
        """Return what is shared; each use writes it out, so it must not become too long."""
        written = [self.text(part) for part in parts(expression)]
        if sum(map(len, written)) > _LONGEST:
            raise TooMuch("the definitions of the model become too long where they are written out")
        return f"(ite {' '.join(written)})" if isinstance(expression, Conditional) else written[0]

    def fitted(self, expression: Expression, domain: Domain) -> tuple[SmtText, SmtText]:
        """Return an expression and that its value is one of a type; where it is not, it may be any."""
        if any(_is_odd(part) for part in walk(expression)):
            cases = [
                (where, value)
                for where, value in self._cases(expression)
                if isinstance(value, bool | int | str) and fits(domain, value) and where != FALSE
            ]
            return self._chosen(cases), disj(where for where, _ in cases)
        term = self.text(expression)
        match expression:
            case Literal(value):
                return term, TRUE if fits(domain, value) else FALSE
            case Read() if includes(domain, self._variable(expression)[1]):
                return term, TRUE
            case _:
                return term, self._vocabulary.member(domain, term)

    # By cases

    def _by_cases(self, expression: Expression) -> SmtText:
        cases: list[tuple[SmtText, Datum]] = []
        for where, value in self._cases(expression):
            if not isinstance(value, bool | int | str):
                raise TooMuch("a value that is no integer is used where there is no rule for it")
            cases.append((where, value))
        if all(isinstance(value, bool) for _, value in cases):
            return disj(where for where, value in cases if value)
        return self._chosen(cases)

    def _chosen(self, cases: Iterable[tuple[SmtText, Datum]]) -> SmtText:
        """Return the value of the case that holds."""
        listed = [(where, self._vocabulary.value(value)) for where, value in cases]
        text = listed[-1][1] if listed else number(0)
        for where, value in reversed(listed[:-1]):
            text = f"(ite {where} {value} {text})"
        return text

    def _cases(self, expression: Expression) -> Iterator[tuple[SmtText, object]]:
        """Yield all values that an expression may have, and where it has each."""
        found = sorted(reads(expression), key=lambda read: (read.agent, read.variable))
        variables = [self._variable(read) for read in found]
        sizes = [_size(domain) for _, domain in variables]
        if prod(sizes) > _MOST_CASES:
            raise TooMuch(f"an expression falls into more than {_MOST_CASES:,} cases")
        for values in product(*(all_values(domain) for _, domain in variables)):
            where = conj(
                self._vocabulary.among(text, (value,))
                for (text, _), value in zip(variables, values, strict=True)
            )
            known = dict(zip(found, values, strict=True))
            yield where, value_by(expression, partial(self._look, known))

    def _look(self, known: dict[Read, Datum], part: Read | Does) -> object:
        return known[part] if isinstance(part, Read) else part.action == self._action


def _size(domain: Domain) -> int:
    size = None if isinstance(domain, OpenEnumeration | Integers) else size_of(domain)
    if size is None:
        raise TooMuch(f"arithmetic over `{domain}`, whose values are not listed, is not checked")
    return size


def _is_odd(expression: Expression) -> bool:
    """Return whether an expression is arithmetic beyond linear, or compares such values."""
    match expression:
        case Compare(_, left, right):
            return any(_is_odd(part) for side in (left, right) for part in walk(side))
        case Arithmetic("*", left, right):
            return not isinstance(left, Literal) and not isinstance(right, Literal)
        case Arithmetic() | BitComplement():
            return True
        case _:
            return False
