"""Invariants that say where agents may be: one of some cases, each with the environment's state and facts.

A case comes after another one by a kind of step if, whenever its facts hold and the environment gets into its
state, every agent ends where the case says: that is asked of one agent. Then the facts of the cases that come
after must leave nothing out.
"""

from collections.abc import Iterator

from gnomon.certificate.parameterised.data import Case
from gnomon.certificate.parameterised.obligations import Prover, Stage
from gnomon.certificate.parameterised.scene import Name, Scene
from gnomon.certificate.parameterised.steps import Kind, Steps, kinds, steps
from gnomon.certificate.parameterised.terms import Text, conj, disj, implies, neg
from gnomon.certificate.space import Rejected
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import OPEN, Configuration, ConflictingLines, Local, World
from gnomon.model.parameterised.system import OpenSystem


def check_occupied(system: OpenSystem, cases: list[Case], bad: Condition, prover: Prover) -> None:
    """Fail unless some case covers the start, none is bad, and all steps lead from cases to cases."""
    _covers_start(system, cases, prover)
    _excludes(system, cases, bad, prover)
    for kind in kinds(system):
        for own in kind.own:
            _is_closed(system, cases, Kind(kind.shared, (own,)), prover)


def _covers_start(system: OpenSystem, cases: list[Case], prover: Prover) -> None:
    scene = Scene(system)
    names = tuple(scene.name(part.name) for part in system.templates)
    start = scene.condition(system.environment.initial, {ENVIRONMENT: None})
    initial = [scene.condition(scene.part(name).initial, {SELF: name}) for name in names]

    def work(stage: Stage) -> None:
        stage.assume(start)
        good: list[Text] = []
        for case in cases:
            here = conj((_environment(scene, case, after=False), _facts(scene, case)))
            outside = disj(
                conj((scene.there(name), own, neg(region.text(scene, scene.now(name)))))
                for name, own, region in zip(names, initial, case.occupied, strict=True)
            )
            if not stage.can_be(conj((here, outside))):
                good.append(here)
        if stage.can_be(neg(disj(good))):
            raise Rejected("an initial configuration is not covered by the invariant")

    prover.prove(scene, work)


def _excludes(system: OpenSystem, cases: list[Case], bad: Condition, prover: Prover) -> None:
    scene = Scene(system)
    witnesses = scene.witnesses([bad])
    text = scene.condition(bad, {ENVIRONMENT: None}, witnesses)

    def work(stage: Stage) -> None:
        stage.assume(text)
        for case in cases:
            if stage.can_be(_now(scene, case)):
                raise Rejected("the invariant does not exclude what is bad")

    prover.prove(scene, work)


def _is_closed(system: OpenSystem, cases: list[Case], kind: Kind, prover: Prover) -> None:
    found = steps(system, tuple(part.name for part in system.templates), kind)

    def work(stage: Stage) -> None:
        stage.assume(found.text)
        following = _Following(system, cases, kind)
        for case in cases:
            stage.suppose(_now(stage.scene, case))
            if stage.is_possible():
                _leads_to_cases(stage, found, case, list(following.of(case)))
            stage.take_back()

    prover.prove(found.scene, work)


def _leads_to_cases(stage: Stage, found: Steps, case: Case, candidates: list[Case]) -> None:
    """Fail unless the step that is supposed, from a case, leads to one of some others."""
    scene, known = stage.scene, set(case.facts)
    good: list[Text] = []
    # Where a case asks for no more facts, it is likely to be enough: those first.
    for other in sorted(candidates, key=lambda each: not known.issuperset(each.facts)):
        there = conj((_environment(scene, other, after=True), _facts(scene, other)))
        outside = disj(
            conj((scene.there(name), neg(region.text(scene, scene.after(name)))))
            for name, region in zip(found.movers, other.occupied, strict=True)
        )
        if stage.can_be(conj((there, outside))):
            continue
        good.append(there)
        if known.issuperset(other.facts) and not stage.can_be(neg(disj(good))):
            return
    if stage.can_be(neg(disj(good))):
        raise Rejected(f"it is not an invariant: by {found.kind}, it is left")


def _now(scene: Scene, case: Case) -> Text:
    """Return that a case holds of all who are named."""
    regions = {region.part: region for region in case.occupied}

    def inside(name: Name) -> Text:
        return implies(scene.there(name), regions[name.template].text(scene, scene.now(name)))

    here = _environment(scene, case, after=False)
    return conj((here, _facts(scene, case), *map(inside, scene.names)))


def _environment(scene: Scene, case: Case, *, after: bool) -> Text:
    variables = scene.after(None) if after else scene.now(None)
    return conj(
        scene.vocabulary.among(text, (value,))
        for text, value in zip(variables, case.environment, strict=True)
    )


def _facts(scene: Scene, case: Case) -> Text:
    return conj(fact.text(scene) for fact in case.facts)


class _Following:
    """Which cases may follow a case: those with the environment's next state, where that is known."""

    def __init__(self, system: OpenSystem, cases: list[Case], kind: Kind) -> None:
        self._world = World(system, (), {})
        self._cases = cases
        (self._own,) = kind.own
        self._by_state: dict[Local, list[Case]] = {}
        for case in cases:
            self._by_state.setdefault(case.environment, []).append(case)

    def of(self, case: Case) -> Iterator[Case]:
        """Yield the cases; with one left out that does follow, less is proved."""
        try:
            after = self._world.after(None, self._own, Configuration(case.environment, ()))
        except ConflictingLines:
            after = OPEN
        known = None if after is OPEN else after
        for other in self._cases if known is None else self._by_state.get(known, ()):
            if not _contradicts(case, other):
                yield other


def _contradicts(one: Case, other: Case) -> bool:
    """Return whether the facts of two cases are never together."""
    said = {(fact.relation, fact.arguments, fact.value): fact.so for fact in one.facts}
    return any(
        said.get((fact.relation, fact.arguments, fact.value), fact.so) != fact.so
        for fact in other.facts
    )
