"""The agents that an obligation names, the environment, the relations, and conditions on them as SMT-LIB.

An obligation speaks of finitely many agents: those that end where they should not, one that takes part in a
synchronised action, and those that guards look for. A step of any number of agents is a step of these alone:
whom guards look for is named, and what is said of every agent is said of those. So nothing is quantified.
An agent is a constant, its variables are functions of it; two names may stand for one agent. A name may stand
for nobody, too: where there is no agent of a template, there is none to look for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

from gnomon.certificate.parameterised.smt_expressions import ExpressionEncoder, TypedTerm
from gnomon.certificate.parameterised.smt_terms import (
    FALSE,
    TRUE,
    SmtText,
    Vocabulary,
    conj,
    disj,
    implies,
    includes,
    neg,
    number,
    same,
    sort_of,
)
from gnomon.certificate.rejection import TooMuch
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain
from gnomon.model.expression import Read
from gnomon.model.parameterised.condition import (
    And,
    Condition,
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
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.record import Record

#: The most agents that one obligation names.
_MOST_NAMES: Final = 200
#: The most parts of conditions that are written for one obligation.
_MOST_PARTS: Final = 1_000_000
#: What somebody does who does nothing.
_IDLE: Final = 0


class AgentName(Record):
    """An agent of a template that an obligation speaks of."""

    template: str
    symbol: SmtText


class AgentEncoding:
    """Names, and conditions on them as texts. All names are given before the first condition is written."""

    def __init__(self, system: OpenSystem) -> None:
        """Begin with nobody but the environment."""
        self.system = system
        self.vocabulary = Vocabulary(all_domains(system))
        self.names: list[AgentName] = []
        self._number = {name: n for n, name in enumerate(system.part)}
        self._relations = {name: f"r{n}" for n, name in enumerate(system.relations)}
        self._actions = {
            action: n
            for n, action in enumerate(
                dict.fromkeys(a for part in system.part.values() for a in part.guards), 1
            )
        }
        self._applied: dict[SmtText, Domain] = {}
        self._parts = 0
        #: Whether conditions are written on the variables after the step.
        self._later = False

    # Who there is

    def name(self, template: str) -> AgentName:
        """Return a new name for an agent of a template."""
        if len(self.names) >= _MOST_NAMES:
            raise TooMuch(f"an obligation speaks of more than {_MOST_NAMES} agents")
        found = AgentName(template, f"n{len(self.names)}")
        self.names.append(found)
        return found

    def of(self, template: str) -> list[AgentName]:
        """Return the names of agents of a template."""
        return [name for name in self.names if name.template == template]

    def witnesses(self, conditions: Iterable[Condition]) -> tuple[AgentName, ...]:
        """Return names for those that one of some conditions looks for."""
        most: Counter[str] = Counter()
        for condition in conditions:
            most |= Counter(_looked_for(positive(condition)))
        return tuple(self.name(template) for template, n in most.items() for _ in range(n))

    def part(self, name: AgentName | None) -> Part:
        """Return the template of an agent, None for the environment."""
        return self.system.part[ENVIRONMENT if name is None else name.template]

    # Texts

    def there(self, name: AgentName) -> SmtText:
        """Return that there is such an agent."""
        return f"(there{self._number[name.template]} {name.symbol})"

    def alike(self, left: AgentName, right: AgentName) -> SmtText:
        """Return that two names stand for one agent."""
        if left.template != right.template:
            return FALSE
        return same(left.symbol, right.symbol)

    def different(self, names: Iterable[AgentName]) -> SmtText:
        """Return that all these are there, and different."""
        listed = list(names)
        return conj(
            (
                *map(self.there, listed),
                *(neg(self.alike(one, other)) for one, other in combinations(listed, 2)),
            )
        )

    def now(self, name: AgentName | None) -> tuple[SmtText, ...]:
        """Return the variables of an agent, or of the environment, before the step."""
        return tuple(self._variable("v", name, n) for n in range(len(self.part(name).variables)))

    def after(self, name: AgentName | None) -> tuple[SmtText, ...]:
        """Return the variables after the step."""
        return tuple(self._variable("w", name, n) for n in range(len(self.part(name).variables)))

    def _variable(self, letter: str, name: AgentName | None, index: int) -> SmtText:
        if name is None:
            return f"{letter}0_{index}"
        return f"({letter}{self._number[name.template]}_{index} {name.symbol})"

    def does(self, name: AgentName | None, action: str | None) -> SmtText:
        """Return what somebody does."""
        code = number(_IDLE if action is None else self._actions[action])
        if name is None:
            return same("do0", code)
        return same(f"(do{self._number[name.template]} {name.symbol})", code)

    def fact(self, relation: str, arguments: tuple[SmtText, ...]) -> SmtText:
        """Return a relation of some values: whether it holds, or the value that it has."""
        symbol = self._relations[relation]
        text = f"({symbol} {' '.join(arguments)})" if arguments else symbol
        result = self.system.relations[relation].result
        if result is not None:
            self._applied.setdefault(text, result)
        return text

    def declarations(self) -> SmtText:
        """Return the symbols, and what holds of them always: types, and the axioms."""
        lines: list[SmtText] = []
        for part in self.system.part.values():
            lines += self._declared(part)
        for relation in self.system.relations.values():
            sorts = " ".join(map(sort_of, relation.columns))
            result = "Bool" if relation.result is None else sort_of(relation.result)
            lines.append(f"(declare-fun {self._relations[relation.name]} ({sorts}) {result})")
        for name in self.names:
            lines.append(f"(declare-const {name.symbol} S{self._number[name.template]})")
        for who in (None, *self.names):
            for variable, text in zip(self.part(who).variables, self.now(who), strict=True):
                lines.append(f"(assert {self.vocabulary.member(variable.domain, text)})")
        lines += [f"(assert {axiom})" for axiom in self._axioms()]
        return "\n".join(lines)

    def _declared(self, part: Part) -> Iterator[SmtText]:
        own = self._number[part.name]
        arguments = f"(S{own})"
        if part.name == ENVIRONMENT:
            arguments = "()"
        else:
            yield f"(declare-sort S{own} 0)"
            yield f"(declare-fun there{own} {arguments} Bool)"
        yield f"(declare-fun do{own} {arguments} Int)"
        for n, variable in enumerate(part.variables):
            for letter in "vw":
                sort = sort_of(variable.domain)
                yield f"(declare-fun {letter}{own}_{n} {arguments} {sort})"

    def _axioms(self) -> Iterator[SmtText]:
        """Yield the axioms; those about types that are not listed are left out, so that less is proved."""
        for axiom in self.system.axioms:
            if not any(isinstance(part, ForValues) for part in walk(axiom)):
                yield self.condition(axiom, {})

    @property
    def applied(self) -> list[tuple[SmtText, Domain]]:
        """Return all values that are looked up, and their types."""
        return list(self._applied.items())

    def looked_up(self, since: int) -> list[SmtText]:
        """Return what holds of the values that were looked up, but for so many that came first."""
        return [self.vocabulary.member(domain, text) for text, domain in self.applied[since:]]

    # Conditions

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

    def expressions(
        self, who: Mapping[str, AgentName | None], action: str | None = None
    ) -> ExpressionEncoder:
        """Return what writes expressions on the variables of some agents, one of whom does an action."""

        def variable(read: Read) -> TypedTerm:
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


def all_domains(system: OpenSystem) -> Iterator[Domain]:
    """Yield the types of all columns and variables."""
    for relation in system.relations.values():
        yield from relation.columns
        if relation.result is not None:
            yield relation.result
    for part in system.part.values():
        for variable in part.variables:
            yield variable.domain
