"""What all choose and what comes of it, in populations: the reference semantics of games, and laws of it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from hypothesis import given

from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Value
from gnomon.model import formula as f
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.game import Chooser, choices_of, joint_choices, results, steps_of
from gnomon.model.parameterised.grounding import NotFinite
from gnomon.model.parameterised.instance import _Instance
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed, Configuration, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import Specification
from tests.population_games import LiteralGame, coalition_of, question
from tests.populations import all_places, interpretations, members, read
from tests.support import VACUOUS
from tests.systems import examples, seeds

KINDS = ("some", "one", "all")


def worlds(system: OpenSystem) -> Iterator[World]:
    """Yield small populations under one interpretation."""
    facts = next(interpretations(system, all_places(system)), None)
    if facts is None:
        return
    for n in range(3):
        crowd = members(system, (n,) * len(system.templates))
        yield World(system, crowd, Completed(system, facts))


def met(world: World) -> list[Configuration]:
    """Return some configurations that can be reached."""
    return list(islice(LiteralGame(world, frozenset()).options, 12))


@given(seed=seeds)
@examples(30)
def test_the_steps_that_come_of_choices_are_those_of_runs(seed: int) -> None:
    for world in worlds(read(question(seed, KINDS, forall=True).text)):
        for now in met(world):
            coming = {
                step
                for choice in joint_choices(world, {}, now)
                for step in steps_of(world, choice, now)
            }
            assert set(world.events(now)) == coming


@given(seed=seeds)
@examples(30)
def test_results_are_what_is_left_open(seed: int) -> None:
    for world in worlds(read(question(seed, KINDS, forall=True).text)):
        coalitions: list[tuple[Chooser, ...]] = [(), (None,), tuple(range(len(world.members)))]
        if world.members:
            coalitions += [(0,), (None, 0)]
        for coalition in coalitions:
            game = LiteralGame(world, frozenset(-1 if p is None else p for p in coalition))
            for now in islice(game.options, 8):
                found = [
                    set(results(world, chosen, now)) for chosen in choices_of(world, coalition, now)
                ]
                expected = game.options[now]
                assert {frozenset(each) for each in expected} == {
                    frozenset(each) for each in found if each
                }


@given(seed=seeds)
@examples(20)
def test_more_members_enforce_no_less(seed: int) -> None:
    system = read(question(seed, KINDS, forall=True).text)
    query = system.questions[0].query
    if not isinstance(query, Ability):
        return
    for world in worlds(system):
        if query.template and query.template not in world.members:
            continue
        crowd = tuple(sorted(world.members, key=lambda name: name != query.template))
        world = World(system, crowd, world.facts)  # noqa: PLW2901
        mine = coalition_of(query, crowd)
        if LiteralGame(world, mine).wins(query):
            for more in range(-1, len(crowd)):
                assert LiteralGame(world, mine | {more}).wins(query)


class _WithGoals(_Instance):
    """The exported system, with what a coalition is to enforce asked of it."""

    def asked(self, query: Ability, coalition: frozenset[int]) -> bool:
        """Return whether it holds in the exported system."""
        who = {ENVIRONMENT: ENVIRONMENT, **({"self": self.names[0]} if query.template else {})}
        stay, goal = (
            f.StateCondition(self.expression(each, who)) for each in (query.stay, query.goal)
        )
        names = tuple(ENVIRONMENT if n < 0 else self.names[n] for n in sorted(coalition))
        path = f.WeakUntil(stay, goal) if query.forever else f.Until(stay, goal)
        spec = Specification(f.Enforces(f.Group(names), path), "asked", 0)
        [verdict] = check(self.system(), (spec,), Options(allow=VACUOUS, engine="explicit"))
        assert verdict.value in {Value.TRUE, Value.FALSE}
        return verdict.value is Value.TRUE


@given(seed=seeds)
@examples(20)
def test_what_is_kept_here_is_kept_in_an_export_and_what_is_got_to_there_is_here(seed: int) -> None:
    system = read(question(seed, KINDS, forall=True).text)
    query = system.questions[0].query
    if not isinstance(query, Ability):
        return
    system = replace_questions(system)
    for counts in ((n,) * len(system.templates) for n in (1, 2)):
        crowd = tuple(sorted(members(system, counts), key=lambda name: name != query.template))
        mine = coalition_of(query, crowd)
        here = all(
            LiteralGame(World(system, crowd, Completed(system, facts)), mine).wins(query)
            for facts in interpretations(system, all_places(system))
        )
        try:
            there = _WithGoals(system, crowd).asked(query, mine)
        except NotFinite:
            continue
        assert (there or not here) if query.forever else (here or not there)


def replace_questions(system: OpenSystem) -> OpenSystem:
    """Return a system without its questions."""
    return replace(system, questions=())
