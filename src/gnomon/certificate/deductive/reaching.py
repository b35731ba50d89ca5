"""That all states of a set are reached: each is initial, or what comes of a step from another one of them.

A proof says for each state which one was before it: what variables were worth then, as terms over what they
are worth now, and the step that was taken. And it argues that nobody goes back for ever without coming to an
initial state: `ending` has the rules, for which it does not matter that time runs backwards.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gnomon.certificate.arithmetic_data import known_variable, read_value
from gnomon.certificate.deductive.assertions import (
    NEVER,
    Assertion,
    condition_of,
    every,
    of_the_model,
    opposite,
    some,
)
from gnomon.certificate.deductive.conduct import Entry, Mover, read_conduct
from gnomon.certificate.deductive.ending import Ending, read_stages
from gnomon.certificate.deductive.steps import SymbolicStep
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.temporal_rules import Setting
from gnomon.certificate.rejection import require
from gnomon.certificate.shape import items, member, row
from gnomon.certificate.smt_terms import TRUE, SmtText, conj, disj, same
from gnomon.model.expression import Expression, Read

#: Whoever looks back says what everybody did.
_EVERYBODY = Mover((), forces=False)


class PreviousState(NamedTuple):
    """Where a state comes from another one: conditions on both, which one that is, and the step."""

    where: Assertion
    earlier: Assertion
    values: Mapping[Read, Expression]
    step: Entry


class _ProvedStep:
    """The states to which a state before is given, and that state, for a solver."""

    def __init__(self, setting: Setting, found: PreviousState, later: Assertion) -> None:
        self._script = setting.steps.script
        self._found = found
        starts = of_the_model(setting.system, setting.system.initial)
        self._reached = some((starts, setting.reached))
        self.now = SymbolicMoment(self._script, actions=found.step.actions)
        values = {read: self.now.text(value) for read, value in found.values.items()}
        self.before = SymbolicMoment(self._script, values, found.step.actions, self.now)
        here = found.where.text(self.now), found.earlier.text(self.before)
        #: Where this is the step to be taken back.
        self.where = conj(here)
        self._given = [later.text(self.now), self.where]

    def after(self, _: frozenset[Read]) -> tuple[SymbolicMoment, list[SmtText]]:
        """Return the state before, which is where going back leads to, and what is known of it."""
        return self.before, [self._reached.text(self.before)]

    def prove(self, given: Iterable[SmtText], goal: SmtText, what: str) -> None:
        """Have it proved that something follows for these states."""
        if goal != TRUE:
            self._script.prove([*self._given, *given], goal, what)

    def check(self, step: SymbolicStep) -> None:
        """Have it proved that there is such a state before, and that the step leads here."""
        before, values = self.before, self._found.values
        fits = conj(before.fits(read) for read in values)
        self.prove((), fits, "what is said to be before is no state")
        able = conj((step.done(), step.taken()))
        self.prove((), able, "a step that is said to lead somewhere cannot be taken")
        results = step.results()
        # What comes of a quotient is written down as a whole number even where it is none.
        self.prove((), step.fits(frozenset(results)), "a step has no result")
        for read in {**dict.fromkeys(values), **dict.fromkeys(results)}:
            result = results.get(read, before.variable(read))
            goal = same(result, self.now.variable(read))
            self.prove((), goal, "a step leads to another state than it should")
        again = self._reached.text(before)
        self.prove((), again, "a state that is said to be reached comes from one that is not")


def check_reached(setting: Setting, data: object) -> Assertion:
    """Return a condition all states of which are reached, after that has been checked."""
    if data is None:
        return NEVER
    written = setting.written
    reached = condition_of(written, written.ref(member(data, "where")))
    setting = setting._replace(reached=reached)
    later = every((reached, opposite(of_the_model(setting.system, setting.system.initial))))
    ending = Ending(read_stages(written, member(data, "stages"), 1))
    known = [_previous(setting, each) for each in items(member(data, "steps"))]
    steps = [_ProvedStep(setting, each, later) for each in known]
    script, now = setting.steps.script, SymbolicMoment(setting.steps.script)
    covered = disj(each.where for each in steps)
    script.prove(
        [later.text(now)], covered, "a state that is said to be reached has none before it"
    )
    for found, each in zip(known, steps, strict=True):
        each.check(setting.steps.step_from(each.before, found.step.lines))
        ending.prove(each, (later,))
    return reached


def _previous(setting: Setting, data: object) -> PreviousState:
    system, written = setting.system, setting.written
    [step] = read_conduct(setting.steps, written, _EVERYBODY, [member(data, "step")]).entries
    for unit in setting.steps.units:
        require(unit.name in step.lines, "it is not said which lines are taken")
    values: dict[Read, Expression] = {}
    for each in items(member(data, "values")):
        agent, variable, value = row(each, 3)
        read = known_variable(system, agent, variable)
        values[read] = read_value(system, read, value)
    earlier = condition_of(written, written.ref(member(data, "earlier")))
    return PreviousState(condition_of(written, step.where), earlier, values, step)
