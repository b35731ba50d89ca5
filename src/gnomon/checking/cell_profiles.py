"""The reading `uniform-model` on cells: each profile of strategies leaves a system of its own to be decided.

A profile says what each agent does by conditions on what that agent sees, so the model pruned to it is a
system again, with other protocols, and all that is known of cells holds of it: what is reachable there, and
what is known, is found anew. Views that no run of it comes to need no choice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace as with_fields
from functools import cached_property
from typing import Final, NamedTuple

from gnomon.checking.decider import Decision
from gnomon.checking.options import Options
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.pruned import profiled
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.concretise import Cell, local_part, pick_cell
from gnomon.engines.abstraction.view_cells import ViewCells
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, ProtocolLine
from gnomon.model.budget import Budget
from gnomon.model.evidence import Choice, Evidence, Strategy
from gnomon.model.expression import Expression
from gnomon.model.formula import StateCondition, show_formula
from gnomon.model.fragment import coalition_members
from gnomon.model.scheduled import enabled_when, scheduled
from gnomon.model.system import Specification, System
from gnomon.text.errors import Abandoned
from gnomon.text.record import replace

#: So many profiles, and parts of profiles, are tried for one formula.
_MOST_TRIED: Final = 1_000
#: Where cells leave it open of so many of them, they are likely to leave it open of all.
_MOST_OPEN: Final = 40
_UNTOLD: Final = "cells do not tell whether it holds in some of the pruned models"
_ROUGH: Final = "agents may act on numbers that cells do not tell apart"


class ProfileChoice(NamedTuple):
    """What an agent does in one view, if anything; `exact` where all strategies are tried."""

    agent: str
    view: Expression
    action: str | None
    exact: bool
    shown: tuple[tuple[str, str], ...]


class UnclearView(Abandoned):
    """What looks the same, as far as cells tell, may have nothing in common that can be done there."""


class ProfileSearch:
    """Looks for a profile of uniform strategies that leaves a system in which a formula holds."""

    def __init__(
        self, system: System, formula: Specification, options: Options, budget: Budget
    ) -> None:
        """Go through the profiles of all agents, or of those that are to be uniform."""
        self._system = system
        self._formula = formula
        self._options = options
        self._budget = budget
        self._agents = profiled(system, options.uniform_group)
        #: What is left to be tried, with what was found out of the last when the search was interrupted.
        self._waiting = [self._pruned(())]
        self._tried = 0
        self._doubtful = 0
        #: Why it is open, if it is not true of some profile.
        self._open = ""
        #: The system in which it was found to be true.
        self.found: PrunedSystem | None = None

    def decide(self) -> Decision:
        """Return what is known in the end; where that was interrupted, go on from there."""
        while self._waiting and self._doubtful < _MOST_OPEN:
            self._budget.check("profiles", self._tried)
            if self._tried == _MOST_TRIED:
                self._open = f"more than {_MOST_TRIED:,} parts of profiles were tried"
                break
            pruned = self._waiting[-1]
            further = self._further(pruned)
            value = Value.FALSE if further or further is None else self._value(pruned)
            self._waiting.pop()
            self._tried += 1
            if value is Value.TRUE:
                self.found = pruned
                return Decision(Value.TRUE, evidence=self._shown(pruned.choices))
            self._waiting += further or []
        return Decision(Value.UNDEFINED, self._open) if self._open else Decision(Value.FALSE)

    def _pruned(self, choices: tuple[ProfileChoice, ...]) -> "PrunedSystem":
        return PrunedSystem(
            self._system, self._agents, choices, self._formula, self._options, self._budget
        )

    def _further(self, pruned: "PrunedSystem") -> list["PrunedSystem"] | None:
        """Return what to try next instead, the likeliest last, where more has to be chosen.

        None where it is not clear what can be chosen. What is left there, an agent that does nothing, is no
        profile.
        """
        try:
            found = pruned.next_choices()
        except UnclearView:
            self._open = self._open or _ROUGH
            return None
        return [self._pruned((*pruned.choices, *each)) for each in reversed(found)]

    def _value(self, pruned: "PrunedSystem") -> Value:
        value = pruned.abstraction.decide(self._formula).value
        if value not in (Value.TRUE, Value.FALSE):
            self._doubtful += 1
            self._open = self._open or _UNTOLD
        elif value is Value.FALSE and not all(each.exact for each in pruned.choices):
            self._open = self._open or _ROUGH
        return value

    def _shown(self, choices: Sequence[ProfileChoice]) -> Evidence | None:
        """Return the profile, which is all that the verdict is about."""
        if not self._options.evidence:
            return None
        choosing = [name for name in self._agents if len(self._system.agent(name).actions) > 1]
        rows = tuple(
            Choice(each.shown, ((each.agent, each.action),))
            for each in choices
            if each.action and each.agent in choosing
        )
        text = show_formula(self._formula.formula)
        return Evidence("strategy", None, (Strategy(text, "uniform-model", tuple(choosing), rows),))


class PrunedSystem:
    """What some choices leave of a system: in all other views of the agents nothing can be done."""

    def __init__(
        self,
        system: System,
        agents: Sequence[str],
        choices: Sequence[ProfileChoice],
        formula: Specification,
        options: Options,
        budget: Budget,
    ) -> None:
        self._whole = system
        #: Those who choose.
        self.agents = [name for name in agents if system.agent(name).actions]
        self.choices = choices
        self._formula = formula
        self._options = options
        self._budget = budget

    @cached_property
    def abstraction(self) -> PredicateAbstraction:
        """The cells of what is left; they tell apart what protocols do, whatever of them is left."""
        system: System = with_fields(
            self._whole, agents=tuple(map(self._bound, self._whole.agents))
        )
        if system.interleaved:
            formula = self._formula
            choosing = coalition_members([formula.formula]) if formula.has_coalition else ()
            system = scheduled(system, choosing)
        guards = (line.condition for name in self.agents for line in self._protocol(name))
        given = (*self._options.predicates, *map(StateCondition, guards))
        asked, refine = (self._formula,), self._options.refine
        found = PredicateAbstraction(system, asked, self._budget, refine, given)
        # A strategy may go by anything that an agent sees.
        found.partition = found.partition.refined((), frozenset())
        return found

    def _protocol(self, name: str) -> tuple[ProtocolLine, ...]:
        return self._whole.agent(name).protocol

    def _bound(self, agent: Agent) -> Agent:
        """Return an agent that does what was chosen, and nothing in other views."""
        if agent.name not in self.agents:
            return agent
        lines: list[ProtocolLine] = []
        before: list[Expression] = []
        for choice in self.choices:
            if choice.agent == agent.name:
                if choice.action is not None:
                    here = typed.And((choice.view, *map(typed.Not, before)))
                    lines.append(ProtocolLine(here, (choice.action,)))
                before.append(choice.view)
        # Without any line, the environment could do anything.
        nothing = ProtocolLine(typed.FALSE, agent.actions)
        return replace(agent, protocol=(*lines, nothing), other=None)

    def next_choices(self) -> list[tuple[ProfileChoice, ...]]:
        """Return the ways to go on: what can be done in one more view; none if all views have an action.

        Views in which there is nothing to choose are settled on the way.
        """
        settled: list[ProfileChoice] = []
        for name in self.agents:
            for cell in self._unsettled(name):
                options = self._options_in(name, cell)
                if len(options) > 1:
                    return [(*settled, each) for each in options]
                settled += options
        return [tuple(settled)] if settled else []

    def _unsettled(self, name: str) -> Iterator[Cell]:
        """Yield what an agent sees where runs come to, in views that nothing was chosen for."""
        space = self.abstraction.decider.space
        d, views = space.diagrams, ViewCells(space, (name,))
        left = space.reachable
        for choice in self.choices:
            if choice.agent == name:
                left = d.minus(left, space.cells.condition(choice.view).must)
        while left != d.false:
            seen = local_part(space, pick_cell(space, left), (name,))
            yield seen
            left = d.minus(left, views.where((name, seen)))

    def _options_in(self, name: str, seen: Cell) -> list[ProfileChoice]:
        """Return what an agent can do in a view."""
        space = self.abstraction.decider.space
        d, views, sight = space.diagrams, ViewCells(space, (name,)), (name, seen)
        here = d.both(views.where(sight), space.all)
        possible: list[str] = []
        surely: list[str] = []
        for action in self._whole.agent(name).actions:
            enabled = space.cells.condition(enabled_when(self._whole.agent(name), action))
            if d.both(here, enabled.may) != d.false:
                possible.append(action)
            if d.minus(here, enabled.must) == d.false:
                surely.append(action)
        if possible and not surely:
            raise UnclearView
        # Where only one thing can be done, every strategy does that.
        exact = possible == surely and (len(surely) <= 1 or views.is_exact(sight))
        partition = space.partition
        view, shown = seen.condition(partition), seen.show(partition)
        done: list[str | None] = [*surely] or [None]
        return [ProfileChoice(name, view, action, exact, shown) for action in done]
