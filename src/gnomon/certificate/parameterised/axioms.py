"""Whether facts about the relations go with the axioms."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import conj, same
from gnomon.model.domain import Datum, Domain, Enumeration, OpenEnumeration
from gnomon.model.expression import Literal, Read
from gnomon.model.parameterised.condition import (
    And,
    Condition,
    ForValues,
    Not,
    Or,
    walk,
    with_reads,
)
from gnomon.model.parameterised.step import Completed, Configuration, Facts, Place, World
from gnomon.model.parameterised.system import OpenSystem

#: So many values that nothing names are tried.
_MOST_OTHERS: Final = 2
#: The most parts that an axiom is written out into.
_MOST_PARTS: Final = 20_000


def interpretation(
    system: OpenSystem,
    given: Mapping[Place, Datum],
    more: Iterable[tuple[Domain, Datum]],
    prover: ObligationProver,
) -> Facts | None:
    """Return facts for a run where some interpretation with those given satisfies the axioms, else None.

    Where all that is not given does not hold, all is known. Otherwise there has to be some interpretation,
    and what is not given stays open. There are `more` values than those that facts name.
    """
    facts = Completed(system, given)
    if _holds(system, facts):
        return facts
    named = [*_mentioned(system, given), *more]
    for others in range(_MOST_OTHERS + 1):
        if _is_possible(system, given, _TypeValues(named, others), prover):
            return given
    return None


def _holds(system: OpenSystem, facts: Facts) -> bool:
    world, nothing = World(system, (), facts), Configuration((), ())
    if any(isinstance(part, ForValues) for axiom in system.axioms for part in walk(axiom)):
        return False
    return all(world.holds(axiom, nothing, {}) is True for axiom in system.axioms)


def _mentioned(system: OpenSystem, given: Mapping[Place, Datum]) -> Iterator[tuple[Domain, Datum]]:
    for (name, arguments), value in given.items():
        relation = system.relations[name]
        yield from zip(relation.columns, arguments, strict=True)
        if relation.result is not None:
            yield relation.result, value


def _is_possible(
    system: OpenSystem,
    given: Mapping[Place, Datum],
    values: "_TypeValues",
    prover: ObligationProver,
) -> bool:
    """Return whether there is an interpretation in which the types have just these values."""
    encoding = AgentEncoding(system)
    vocabulary = encoding.vocabulary
    told = [
        same(encoding.fact(name, tuple(map(vocabulary.value, arguments))), vocabulary.value(value))
        for (name, arguments), value in given.items()
    ]
    told += [encoding.condition(values.written_out(axiom), {}) for axiom in system.axioms]
    told += [
        vocabulary.among(text, values.of(domain))
        for text, domain in encoding.applied
        if isinstance(domain, OpenEnumeration)
    ]
    found: list[bool] = []

    def work(context: SolverContext) -> None:
        context.assume(conj(told))
        found.append(context.is_possible())

    prover.prove(encoding, work)
    return found[-1]


class _TypeValues:
    """The values of types that are not listed: those that are named, and some others."""

    def __init__(self, named: Iterable[tuple[Domain, Datum]], others: int) -> None:
        self._named: dict[Domain, dict[str, None]] = {}
        for domain, value in named:
            if isinstance(value, str):
                self._named.setdefault(domain, {})[value] = None
        self._others = others
        self._parts = 0

    def of(self, domain: Enumeration) -> list[str]:
        """Return the values of a type; no name has a blank in it."""
        others = (f"another {domain} {number}" for number in range(self._others))
        found = dict.fromkeys((*domain.names, *self._named.get(domain, ()), *others))
        return list(found) or [f"a {domain}"]

    def written_out(self, axiom: Condition) -> Condition:
        """Return an axiom without quantifiers over values."""
        match axiom:
            case ForValues(variable, OpenEnumeration() as domain, body):
                values = self.of(domain)
                self._parts += len(values)
                if self._parts > _MOST_PARTS:
                    raise TooMuch("an axiom has too many cases")
                read = Read("", variable)
                found = (with_reads(body, {read: Literal(value)}) for value in values)
                return And(tuple(map(self.written_out, found)))
            case ForValues():
                raise TooMuch("there is no rule for axioms about all integers")
            case Not(operand):
                return Not(self.written_out(operand))
            case And(operands) | Or(operands):
                return type(axiom)(tuple(map(self.written_out, operands)))
            case _:
                return axiom
