"""The agents that an obligation names, the environment and the relations, as symbols of SMT-LIB.

An agent is a constant, its variables are functions of it; two names may stand for one agent. A name may stand
for nobody, too: where there is no agent of a template, there is none to look for.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from gnomon.certificate.parameterised.counted_classes import CountedClass
from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import (
    FALSE,
    SmtText,
    Vocabulary,
    conj,
    neg,
    number,
    same,
    sort_of,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain
from gnomon.model.parameterised.system import OpenSystem, Part
from gnomon.text.record import Record

#: The most agents that one obligation names.
_MOST_NAMES: Final = 200
#: What somebody does who does nothing.
_IDLE: Final = 0


class AgentName(Record):
    """An agent of a template that an obligation speaks of."""

    template: str
    symbol: SmtText


class AgentSymbols:
    """Names of agents, and the symbols for what they are and do."""

    def __init__(self, system: OpenSystem, classes: Sequence[CountedClass] = ()) -> None:
        """Begin with nobody but the environment; how many agents there are in some classes is a number."""
        self.system = system
        self.classes = tuple(classes)
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
        self._numbers = 0

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

    def part(self, name: AgentName | None) -> Part:
        """Return the template of an agent, None for the environment."""
        return self.system.part[ENVIRONMENT if name is None else name.template]

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

    def count(self, place: int, *, after: bool = False) -> SmtText:
        """Return how many agents of a class there are, before or after the step."""
        return f"{'d' if after else 'c'}{place}"

    def others(self, template: str, *, after: bool = False) -> SmtText:
        """Return how many agents of a template are in none of the classes."""
        return f"{'y' if after else 'x'}{self._number[template]}"

    def number_of_agents(self) -> SmtText:
        """Return a new number."""
        self._numbers += 1
        return f"f{self._numbers}"

    def symbols(self) -> list[SmtText]:
        """Return the declarations of all symbols, and that variables have values of their types."""
        lines: list[SmtText] = []
        for part in self.system.part.values():
            lines += self._declared(part)
        for relation in self.system.relations.values():
            sorts = " ".join(map(sort_of, relation.columns))
            result = "Bool" if relation.result is None else sort_of(relation.result)
            lines.append(f"(declare-fun {self._relations[relation.name]} ({sorts}) {result})")
        lines += self._counted()
        for name in self.names:
            lines.append(f"(declare-const {name.symbol} S{self._number[name.template]})")
        for who in (None, *self.names):
            for variable, text in zip(self.part(who).variables, self.now(who), strict=True):
                lines.append(f"(assert {self.vocabulary.member(variable.domain, text)})")
        return lines

    def _counted(self) -> Iterator[SmtText]:
        """Yield the declarations of numbers of agents, where any are counted."""
        templates = dict.fromkeys(each.template for each in self.classes)
        symbols = [
            *(
                self.count(n, after=late)
                for n in range(len(self.classes))
                for late in (False, True)
            ),
            *(self.others(name, after=late) for name in templates for late in (False, True)),
            *(f"f{n}" for n in range(1, self._numbers + 1)),
        ]
        return (f"(declare-const {symbol} Int)" for symbol in symbols)

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

    @property
    def applied(self) -> list[tuple[SmtText, Domain]]:
        """Return all values that are looked up, and their types."""
        return list(self._applied.items())

    def looked_up(self, since: int) -> list[SmtText]:
        """Return what holds of the values that were looked up, but for so many that came first."""
        return [self.vocabulary.member(domain, text) for text, domain in self.applied[since:]]


def all_domains(system: OpenSystem) -> Iterator[Domain]:
    """Yield the types of all columns and variables."""
    for relation in system.relations.values():
        yield from relation.columns
        if relation.result is not None:
            yield relation.result
    for part in system.part.values():
        for variable in part.variables:
            yield variable.domain
