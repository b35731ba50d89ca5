"""Runs of a population that go round for ever, or end: replayed, found fair, and asked what they satisfy."""

from collections.abc import Callable, Iterator

from gnomon.certificate.parameterised.inner_paths import settled
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_runs import (
    FollowedRun,
    ReplayedRun,
    read_members,
)
from gnomon.certificate.plain import path_value
from gnomon.certificate.rejection import Rejected, require, shown
from gnomon.certificate.shape import member
from gnomon.model import formula as f
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.one_path import one_path
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Configuration
from gnomon.model.parameterised.system import OpenSystem


def check_lasso(
    system: OpenSystem, data: object, query: OverTime, prover: ObligationProver
) -> None:
    """Fail unless a run goes on for ever, fairly, and is one that a question is about, or excludes."""
    lasso = replayed_lasso(system, data, query, prover)
    require(not branches(query), "no single run shows what other runs there are")
    require(lasso.satisfies(_sought(query), query), "the run is none that was asked about")


def replayed_lasso(
    system: OpenSystem, data: object, query: OverTime, prover: ObligationProver
) -> "Lasso":
    """Return a fair run of a population, of which the first agent is the one that a question is about."""
    members = read_members(system, member(data, "members"))
    if query.template:
        require(
            members[:1] == (query.template,), f"the first agent is not one of `{query.template}`"
        )
    run = ReplayedRun(system, members, member(data, "run"), prover)
    return fair_lasso(run, member(data, "loop"))


def fair_lasso(run: FollowedRun, data: object) -> "Lasso":
    """Return a run that goes on for ever from where a certificate says; fail unless it is fair."""
    run.must_leave_nothing_open()
    lasso = Lasso(run, _loop(run, data))
    members, system = run.world.members, run.world.system
    for number in (None, *range(len(members))):
        require(lasso.treats_fairly(number), f"{_who(number)} is not treated fairly")
    for fair in system.fairness:
        agents = [n for n, name in enumerate(members) if name == fair.template]
        for who in agents if fair.template else (None,):
            require(lasso.sees(fair.condition, who), "what is fair is not seen time and again")
    return lasso


def branches(query: OverTime) -> bool:
    """Return whether it takes more than one run to answer a question."""
    return any(isinstance(part, (f.All, f.Exists)) for part in f.walk(_sought(query)))


def _sought(query: OverTime) -> f.Formula:
    match query.formula:
        case f.All(path):
            return one_path(f.Not(path))
        case f.Exists(path):
            return one_path(path)
        case _:
            raise Rejected("this is a question neither about all runs nor about some run")


def _loop(run: FollowedRun, data: object) -> int | None:
    """Return where the loop begins, None where nothing can happen at the end."""
    if data is None:
        for number in (None, *range(len(run.world.members))):
            require(not run.world.able(number, run.last), "the run can go on")
        return None
    if type(data) is not int or not 0 <= data < len(run.events):
        raise Rejected(f"no such position: {shown(data)}")
    require(run.configurations[data] == run.last, "the run does not come back")
    return data


class Lasso:
    """A run that comes back to a position, or stays for ever where it ends."""

    def __init__(self, run: FollowedRun, loop: int | None) -> None:
        """Go round from a position, or stay at the end."""
        self._run = run
        self.world = run.world
        #: The configurations of the run, position by position.
        # Without an end, the last configuration is that of the loop's beginning.
        self.states = run.configurations if loop is None else run.configurations[:-1]
        self._loop = len(self.states) - 1 if loop is None else loop
        self._ends = loop is None

    def _around(self) -> Iterator[Configuration]:
        """Yield the configurations that recur."""
        yield from self.states[self._loop :]

    def treats_fairly(self, number: int | None) -> bool:
        """Return whether an agent (None: the environment) acts as often as was promised."""
        world = self.world
        events = () if self._ends else self._run.events[self._loop :]
        doing = ((e.environment if number is None else e.agents[number]) for e in events)
        if any(action is not None for action in doing):
            return True
        match world.system.promise:
            case "none":
                return True
            case "weak":
                return not all(world.able(number, now) for now in self._around())
            case "strong":
                return not any(world.able(number, now) for now in self._around())

    def sees(self, condition: Condition, who: int | None) -> bool:
        """Return whether a condition holds time and again."""
        return any(self._holds(condition, now, who) for now in self._around())

    def _holds(self, condition: Condition, now: Configuration, who: int | None) -> bool:
        named: dict[str, int | None] = {ENVIRONMENT: None}
        if who is not None:
            named[SELF] = who
        return self.world.holds(condition, now, named) is True

    def satisfies(self, path: f.Formula, query: OverTime) -> bool:
        """Return whether a path formula that speaks of no other paths holds on the run."""
        who = 0 if query.template else None

        def value(formula: f.Formula, position: int) -> bool | None:
            now = self.states[position]
            return settled(
                formula,
                lambda number: self._holds(query.conditions[number], now, who),
                _no_other_paths,
            )

        return self.is_so(path, value)

    def is_so(self, path: f.Formula, value: Callable[[f.Formula, int], bool | None]) -> bool:
        """Return whether a path formula holds, where it is known what is so in which position."""
        return path_value(path, len(self.states), self._loop, value) is True


def _no_other_paths(_path: f.Formula) -> bool | None:
    raise AssertionError(_path)


def _who(number: int | None) -> str:
    return "the environment" if number is None else f"agent {number}"
