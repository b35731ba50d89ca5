"""The agents that an obligation names, the environment, the relations, and conditions on them as SMT-LIB.

An obligation speaks of finitely many agents: those that end where they should not, one that takes part in a
synchronised action, and those that guards look for. A step of any number of agents is a step of these alone:
whom guards look for is named, and what is said of every agent is said of those. So nothing is quantified.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gnomon.certificate.parameterised.counted_classes import COUNT, CountedClass
from gnomon.certificate.parameterised.smt_expressions import ExpressionEncoder, TypedTerm
from gnomon.certificate.parameterised.symbols import AgentName, AgentSymbols
from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import (
    TRUE,
    SmtText,
    conj,
    disj,
    implies,
    includes,
    neg,
    same,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain, Integers
from gnomon.model.expression import Read
from gnomon.model.parameterised.condition import (
    And,
    Condition,
    Enough,
    Equal,
    Exists,
    Forall,
    ForValues,
    Holds,
    Lookup,
    Not,
    Or,
    Related,
    Same,
    Term,
    parts,
    positive,
    walk,
)
from gnomon.model.parameterised.system import OpenSystem

#: The most parts of conditions that are written for one obligation.
_MOST_PARTS: Final = 1_000_000


class AgentEncoding(AgentSymbols):
    """Conditions on named agents as texts. All names are given before the first condition is written."""

    def __init__(self, system: OpenSystem, classes: Sequence[CountedClass] = ()) -> None:
        """Begin with nobody but the environment; how many agents there are in some classes is a number."""
        super().__init__(system, classes)
        self._parts = 0
        #: Whether conditions are written on the variables after the step.
        self._later = False

    def witnesses(self, conditions: Iterable[Condition]) -> tuple[AgentName, ...]:
        """Return names for those that one of some conditions looks for."""
        most: Counter[str] = Counter()
        for condition in conditions:
            most |= Counter(_looked_for(positive(condition)))
        return tuple(self.name(template) for template, n in most.items() for _ in range(n))

    def declarations(self) -> SmtText:
        """Return the symbols, and what holds of them always: types, and the axioms."""
        return "\n".join((*self.symbols(), *(f"(assert {axiom})" for axiom in self._axioms())))

    def _axioms(self) -> Iterator[SmtText]:
        """Yield the axioms; those about types that are not listed are left out, so that less is proved."""
        for axiom in self.system.axioms:
            if not any(isinstance(part, ForValues) for part in walk(axiom)):
                yield self.condition(axiom, {})

    def condition(
        self,
        condition: Condition,
        who: Mapping[str, AgentName | None],
        witnesses: Iterable[AgentName] | None = (),
        *,
        after: bool = False,
    ) -> SmtText:
        """Return a condition, to be assumed; `witnesses` are names for those that it looks for.

        With `after` it is one on the variables after the step. It is enough that the text follows from the
        condition: what looks for somebody for every agent is left out, and everything that looks for
        somebody where there are None.
        """
        left = None if witnesses is None else list(witnesses)
        self._later = after
        text = self._condition(positive(condition), who, left)
        self._later = False
        return text

    def _condition(
        self,
        condition: Condition,
        who: Mapping[str, AgentName | None],
        left: list[AgentName] | None,
    ) -> SmtText:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise TooMuch(f"an obligation has more than {_MOST_PARTS:,} parts")
        match condition:
            case Holds(expression):
                return self.expressions(who).text(expression)
            case Related(relation, arguments):
                return self._related(relation, arguments, who)
            case Equal(one, other):
                return same(self._term(one, who), self._term(other, who))
            case Same(one, other):
                first, second = who[one], who[other]
                assert first is not None
                assert second is not None
                return self.alike(first, second)
            case Not(operand):
                return neg(self._condition(operand, who, left))
            case And(operands):
                return conj([self._condition(operand, who, left) for operand in operands])
            case Or(operands):
                return disj([self._condition(operand, who, left) for operand in operands])
            case Exists(index, template, body):
                if left is None:
                    return TRUE
                name = _taken(left, template)
                inner = self._condition(body, {**who, index: name}, left)
                return conj((self.there(name), inner))
            case Forall(index, template, body):
                return conj(
                    implies(self.there(name), self._condition(body, {**who, index: name}, None))
                    for name in self.of(template)
                )
            case ForValues():
                raise TooMuch("a condition on all values of a type that is not listed")
            case Enough():
                raise TooMuch("counts are compared with parameters, which other rules are for")

    def expressions(
        self, who: Mapping[str, AgentName | None], action: str | None = None
    ) -> ExpressionEncoder:
        """Return what writes expressions on the variables of some agents, one of whom does an action."""

        def variable(read: Read) -> TypedTerm:
            if read.agent == COUNT:
                return self.count(int(read.variable), after=self._later), Integers()
            name = None if read.agent == ENVIRONMENT else who[read.agent]
            part = self.part(name)
            place = self.system.position[part.name, read.variable]
            texts = self.after(name) if self._later else self.now(name)
            return texts[place], part.variables[place].domain

        return ExpressionEncoder(self.vocabulary, variable, action)

    def _related(
        self, name: str, arguments: tuple[Term, ...], who: Mapping[str, AgentName | None]
    ) -> SmtText:
        """Return that a relation holds, which it does of nothing but values of its columns."""
        columns = self.system.relations[name].columns
        found = [self.fitted(*each, who) for each in zip(arguments, columns, strict=True)]
        holds = self.fact(name, tuple(term for term, _ in found))
        return conj((*(fits for _, fits in found), holds))

    def fitted(
        self, term: Term, domain: Domain, who: Mapping[str, AgentName | None]
    ) -> tuple[SmtText, SmtText]:
        """Return a value, and that it is one of a type."""
        if not isinstance(term, Lookup):
            return self.expressions(who).fitted(term, domain)
        found = self._term(term, who)
        result = self.system.relations[term.relation].result
        if result is not None and includes(domain, result):
            return found, TRUE
        return found, self.vocabulary.member(domain, found)

    def _term(self, term: Term, who: Mapping[str, AgentName | None]) -> SmtText:
        if isinstance(term, Lookup):
            arguments = tuple(self._term(argument, who) for argument in term.arguments)
            return self.fact(term.relation, arguments)
        return self.expressions(who).text(term)


def _taken(left: list[AgentName], template: str) -> AgentName:
    for name in left:
        if name.template == template:
            left.remove(name)
            return name
    raise AssertionError("a condition looks for more agents than have names")


def _looked_for(condition: Condition) -> Iterator[str]:
    """Yield the template of each agent that a positive condition looks for, but for every agent."""
    match condition:
        case Exists(_, template, body):
            yield template
            yield from _looked_for(body)
        case Forall():
            return
        case _:
            for part in parts(condition):
                yield from _looked_for(part)
