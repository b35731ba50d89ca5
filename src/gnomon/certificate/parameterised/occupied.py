"""Invariants that say where agents may be: one of some cases, each with the environment's state and facts.

A case comes after another one by a kind of step if, whenever its facts hold and the environment gets into its
state, every agent ends where the case says: that is asked of one agent. Then the facts of the cases that come
after must leave nothing out.
"""

from collections.abc import Iterator

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.invariant_data import OccupiedCase, only
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.parameterised.situations import (
    Situation,
    StepKind,
    bad_situation,
    step_kinds,
    step_situation,
)
from gnomon.certificate.parameterised.symbols import AgentName
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.smt_terms import SmtText, conj, disj, implies, neg
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import OPEN, Configuration, ConflictingLines, Local, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace


def check_occupied(
    system: OpenSystem, cases: list[OccupiedCase], bad: Condition, prover: ObligationProver
) -> None:
    """Fail unless some case covers the start, none is bad, and all steps lead from cases to cases."""
    _covers_start(system, cases, prover)
    _excludes(system, cases, bad, prover)
    for kind in step_kinds(system):
        for own in kind.own:
            _is_closed(system, cases, StepKind(kind.shared, (own,)), prover)


def _covers_start(system: OpenSystem, cases: list[OccupiedCase], prover: ObligationProver) -> None:
    encoding = AgentEncoding(system)
    names = tuple(encoding.name(part.name) for part in system.templates)
    start = encoding.condition(system.environment.initial, {ENVIRONMENT: None})
    initial = [encoding.condition(encoding.part(name).initial, {SELF: name}) for name in names]

    def work(context: SolverContext) -> None:
        context.assume(start)
        good: list[SmtText] = []
        for case in cases:
            here = conj((_environment(encoding, case, after=False), _facts(encoding, case)))
            outside = disj(
                conj((encoding.there(name), own, neg(region.text(encoding, encoding.now(name)))))
                for name, own, region in zip(names, initial, case.occupied, strict=True)
            )
            if not context.can_be(conj((here, outside))):
                good.append(here)
        if context.can_be(neg(disj(good))):
            raise Rejected("an initial configuration is not covered by the invariant")

    prover.prove(encoding, work)


def _excludes(
    system: OpenSystem, cases: list[OccupiedCase], bad: Condition, prover: ObligationProver
) -> None:
    situation = bad_situation(system, bad)

    def work(context: SolverContext) -> None:
        context.assume(situation.text)
        for case in cases:
            if context.can_be(_now(context.encoding, case)):
                raise Rejected("the invariant does not exclude what is bad")

    prover.prove(situation.encoding, work)


def _is_closed(
    system: OpenSystem, cases: list[OccupiedCase], kind: StepKind, prover: ObligationProver
) -> None:
    step = step_situation(system, tuple(part.name for part in system.templates), kind)

    def closed(context: SolverContext, following: _Following, case: OccupiedCase) -> bool:
        """Return whether the step leads from a case to cases: from all its states, or from each of them."""
        if _leads_to_cases(context, step, case, list(following.of(case))):
            return True
        while case.state is None and context.is_possible():
            state = _state(context)
            alone = replace(case, environment=only(state), state=state)
            here = _environment(context.encoding, alone, after=False)
            context.suppose(here)
            good = _leads_to_cases(context, step, alone, list(following.of(alone)))
            context.take_back()
            if not good:
                return False
            context.assume(neg(here))
        return case.state is None

    def work(context: SolverContext) -> None:
        context.assume(step.text)
        following = _Following(system, cases, kind)
        for case in cases:
            context.suppose(_now(context.encoding, case))
            if context.is_possible() and not closed(context, following, case):
                raise Rejected(f"it is not an invariant: by {kind}, it is left")
            context.take_back()

    prover.prove(step.encoding, work)


def _leads_to_cases(
    context: SolverContext, step: Situation, case: OccupiedCase, candidates: list[OccupiedCase]
) -> bool:
    """Return whether the step that is supposed, from a case, leads to one of some others."""
    encoding, known = context.encoding, set(case.facts)
    good: list[SmtText] = []
    # Where a case asks for no more facts, it is likely to be enough: those first.
    for other in sorted(candidates, key=lambda each: not known.issuperset(each.facts)):
        there = conj((_environment(encoding, other, after=True), _facts(encoding, other)))
        outside = disj(
            conj((encoding.there(name), neg(region.text(encoding, encoding.after(name)))))
            for name, region in zip(step.names, other.occupied, strict=True)
        )
        if context.can_be(conj((there, outside))):
            continue
        good.append(there)
        if known.issuperset(other.facts) and not context.can_be(neg(disj(good))):
            return True
    return not context.can_be(neg(disj(good)))


def _now(encoding: AgentEncoding, case: OccupiedCase) -> SmtText:
    """Return that a case holds of all who are named."""
    regions = {region.part: region for region in case.occupied}

    def inside(name: AgentName) -> SmtText:
        return implies(
            encoding.there(name), regions[name.template].text(encoding, encoding.now(name))
        )

    here = _environment(encoding, case, after=False)
    return conj((here, _facts(encoding, case), *map(inside, encoding.names)))


def _environment(encoding: AgentEncoding, case: OccupiedCase, *, after: bool) -> SmtText:
    variables = encoding.after(None) if after else encoding.now(None)
    return case.environment.text(encoding, variables)


def _state(context: SolverContext) -> Local:
    """Return the environment's state in the case that a solver found."""
    encoding = context.encoding
    codes = context.values(list(encoding.now(None)))
    variables = encoding.part(None).variables
    return tuple(
        encoding.vocabulary.found(variable.domain, code)
        for variable, code in zip(variables, codes, strict=True)
    )


def _facts(encoding: AgentEncoding, case: OccupiedCase) -> SmtText:
    return conj(fact.text(encoding) for fact in case.facts)


class _Following:
    """Which cases may follow a case: those with the environment's next state, where that is known."""

    def __init__(self, system: OpenSystem, cases: list[OccupiedCase], kind: StepKind) -> None:
        self._world = World(system, (), {})
        self._cases = cases
        (self._own,) = kind.own
        self._by_state: dict[Local, list[OccupiedCase]] = {}
        self._wide = [case for case in cases if case.state is None]
        for case in cases:
            if case.state is not None:
                self._by_state.setdefault(case.state, []).append(case)

    def of(self, case: OccupiedCase) -> Iterator[OccupiedCase]:
        """Yield the cases; with one left out that does follow, less is proved."""
        known = self._after(case)
        if known is None:
            others = self._cases
        else:
            wide = (other for other in self._wide if other.environment.holds(known))
            others = [*self._by_state.get(known, ()), *wide]
        for other in others:
            if not _contradicts(case, other):
                yield other

    def _after(self, case: OccupiedCase) -> Local | None:
        """Return the environment's next state, where that is known."""
        if case.state is None:
            return None
        try:
            after = self._world.after(None, self._own, Configuration(case.state, ()))
        except ConflictingLines:
            return None
        return None if after is OPEN else after


def _contradicts(one: OccupiedCase, other: OccupiedCase) -> bool:
    """Return whether the facts of two cases are never together."""
    said = {(fact.relation, fact.arguments, fact.value): fact.so for fact in one.facts}
    return any(
        said.get((fact.relation, fact.arguments, fact.value), fact.so) != fact.so
        for fact in other.facts
    )
