"""Verdicts by predicate abstraction: what is refused, what is decided, and what is said where it is not."""

from collections.abc import Callable
from functools import cached_property

from gnomon.certificate.plain import FormulaValue
from gnomon.certificate.rejection import TooManyAnswers, Unproved, require
from gnomon.certificate.replay import replay
from gnomon.certificate.strategy import PlayNode, StrategyPlay
from gnomon.checking.refusals import is_abstractable
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.concrete import Cell, cell_of, local_part, pick_cell
from gnomon.engines.abstraction.decide import Decider, Decision, Round, smallest_open
from gnomon.engines.abstraction.influence import with_little_shown
from gnomon.engines.abstraction.labels import Labels
from gnomon.engines.abstraction.partition import Origin, Partition, first_partition
from gnomon.engines.abstraction.refine import Split, splits
from gnomon.logic.concretely import evidence_on_cells, value_on_cells
from gnomon.model.budget import Budget
from gnomon.model.evidence import Evidence, Strategy
from gnomon.model.expression import Read, show
from gnomon.model.formula import (
    Formula,
    Next,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.record import replace
from gnomon.text.source import Source

_MOST_SHOWN = 6
#: So many states of the outcomes of a strategy are played.
_MOST_PLAYED = 500


class Abstractly:
    """One model checked by predicate abstraction."""

    def __init__(
        self,
        system: System,
        specifications: tuple[Specification, ...],
        budget: Budget,
        refine: int | None = None,
        given: tuple[Formula, ...] = (),
        strategies: str = "perfect",
    ) -> None:
        """Check these formulae; `given` are conditions that the user wants to be told apart."""
        self.system = system
        self._formulae = [
            (specification.formula, _origin(number, specification))
            for number, specification in enumerate(specifications, 1)
            if is_abstractable(specification)
        ]
        self._budget = budget
        self._refine = refine
        self._given = given
        self._uniform = strategies == "uniform"
        self.rounds: list[Round] = []

    @cached_property
    def partition(self) -> Partition:
        """The cells before any refinement."""
        section = Origin("Predicates")
        given = [(p.condition, Origin(section.text, p.line)) for p in self.system.predicates]
        typed_in = [(formula, Origin("given by the user")) for formula in self._given]
        found = first_partition(self.system, [*self._formulae, *typed_in], given)
        return with_little_shown(found, [formula for formula, _ in self._formulae])

    @cached_property
    def decider(self) -> Decider:
        """The engine."""
        formulae = [formula for formula, _ in self._formulae]
        return Decider(
            self.partition,
            formulae,
            self._budget,
            self._refine,
            self.rounds.append,
            uniform=self._uniform,
        )

    @property
    def states(self) -> int:
        """How many cells are reachable before any refinement."""
        space = self.decider.space
        return space.count(space.reachable)

    def refuse_stuck(self, source: Source) -> None:
        """Raise `InputError` where an agent may have nothing to do."""
        space = self.decider.space
        if space.stuck == space.diagrams.false:
            return
        diagnostics = []
        for name, enabled in space.moves.enabled.items():
            stuck = space.diagrams.minus(space.stuck, enabled.alive)
            if stuck != space.diagrams.false:
                shown = _shown(pick_cell(space, stuck).show(space.partition))
                lines = [line.line for line in self.system.agent(name).protocol]
                diagnostics.append(
                    Diagnostic(
                        "G0812",
                        f"no protocol line of `{name}` may apply, and it has no `Other` line",
                        source,
                        source.line_span(lines[-1]) if lines else None,
                        notes=(f"where {shown}",),
                        help="add `Other : { … };` to its protocol",
                    )
                )
        raise InputError(tuple(diagnostics))

    def decide(
        self,
        specification: Specification,
        *,
        evidence: bool = False,
    ) -> tuple[Value, str, Evidence | None]:
        """Return the verdict on a formula, where it is open why, and else what supports it."""
        decision = self.decider.decide(specification.formula)
        if decision.value == "undefined":
            return Value.UNDEFINED, why_open(decision, specification.formula), None
        shown = supported(decision, specification.formula) if evidence else None
        return Value(decision.value), "", shown

    def surely_lively(self) -> bool:
        """Return whether something can happen in every reachable state, as far as cells tell."""
        space = self.decider.space
        return bool(space.diagrams.minus(space.reachable, space.lively) == space.diagrams.false)

    def surely_within_ranges(self) -> bool:
        """Return whether no value can leave its range, as far as cells tell."""
        space = self.decider.space
        over = space.diagrams.both(space.moves.overflow, space.reachable)
        return bool(over == space.diagrams.false)

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what was done, for those who want to know."""
        space = self.decider.space
        numbers = len(space.partition.predicates)
        return (
            ("predicates", f"{numbers} from the model and the formulae"),
            ("hidden", f"{len(space.partition.hidden)} variables at first"),
            ("cells", f"{self.states:,} reachable of {space.count(space.all):,}"),
            *(("refinement", str(each)) for each in self.rounds),
        )

    def predicates(self) -> tuple[tuple[str, str], ...]:
        """Return all predicates with where each comes from, those of refinements included."""
        found = [*self.partition.predicates, *(p for r in self.rounds for p in r.added)]
        return tuple(dict.fromkeys((str(p), str(p.origin)) for p in found))


def _origin(number: int, specification: Specification) -> Origin:
    return Origin(f"formula {number}", specification.line)


def why_open(decision: Decision, formula: Formula) -> str:
    """Say which part of a formula is open where, and what would help."""
    labels = decision.labels
    part = smallest_open(labels, formula)
    where = _shown(decision.open.show(labels.space.partition)) if decision.open else ""
    text = f"the abstraction cannot tell whether `{show_formula(part)}`"
    if where:
        text += f" holds where {where}"
    helpful = next(iter(splits(labels, part)), None)
    if decision.endless is not None:
        text += f"; refinement diverges: {decision.endless}"
        text += ", and a --predicate that says what bounds it may help"
    elif helpful is not None:
        text += f"; {_step(labels.space.system, helpful)} may lead to either side"
        text += f", and --predicate '{helpful.predicate}' may help"
    tried = len(decision.rounds)
    text += f" ({tried} refinement{'' if tried == 1 else 's'} tried)" if tried else ""
    return text


def _step(system: System, split: Split) -> str:
    """Return in words which step a split is about: the lines, where there are any, and what they do."""
    lines = sorted(
        {
            line.line
            for agent in system.agents
            for line in agent.evolution
            for item in line.assignments
            if Read(agent.name, item.variable) in split.form.reads and line.line
        }
    )
    change = f"{split.form} := {show(split.value)}"
    return f"line {', '.join(map(str, lines[:3]))} ({change})" if lines else change


def _shown(where: tuple[tuple[str, str], ...]) -> str:
    shown = [f"{name} {_condition(value)}" for name, value in where[:_MOST_SHOWN]]
    return ", ".join(shown) + (" …" if len(where) > _MOST_SHOWN else "")


def _condition(value: str) -> str:
    return value if value.startswith(("<", ">")) else f"= {value}"


def supported(decision: Decision, formula: Formula) -> Evidence | None:
    """Return the evidence for a verdict, replayed without the engine as far as that can be done."""
    found = evidence_on_cells(decision, formula)
    if found is None:
        return None
    labels = decision.labels
    system = labels.space.system
    concrete = replace(found, strategies=())

    def value(part: Formula, state: State) -> bool:
        return value_on_cells(labels, part, state)

    try:
        replay(system, concrete, value)
        for strategy in found.strategies:
            require(_plays_well(labels, strategy, value), "a strategy by cells does not win")
    except (TooManyAnswers, Unproved):
        # There is more to it than can be played, or than cells tell of single states.
        return None
    return found


def _plays_well(labels: Labels, strategy: Strategy, value: FormulaValue) -> bool:
    """Play a strategy by cells from its state, all answers, for as many states as there is time for.

    What follows a state is taken from the reference; the engine only says which cell a state is in, and
    whether parts of the formula hold there.
    """
    assert strategy.about is not None and strategy.state is not None
    space = labels.space
    told = _told(labels, strategy)
    game = StrategyPlay(space.system, strategy, value, ())
    first = "first" if isinstance(strategy.about.path, Next) else "open"
    start = (strategy.state, first) if first == "first" else game.enter(strategy.state, "open")
    waiting = [start]
    seen: set[PlayNode] = set()
    while waiting and len(seen) < _MOST_PLAYED:
        node = waiting.pop(0)
        if node is None or node in seen:
            continue
        if node[1] == "broken":
            return False
        seen.add(node)
        chosen = told(cell_of(space, node[0]))
        if chosen is None or not game.can(node[0], chosen):
            return False
        waiting.extend(game.after(node, chosen))
    return True


def _told(labels: Labels, strategy: Strategy) -> Callable[[Cell], dict[str, str] | None]:
    """Return what gives the actions that a strategy tells for a cell."""
    space = labels.space
    if strategy.reading == "cells":
        rows = {row.where: dict(row.actions) for row in strategy.choices}
        return lambda cell: rows.get(cell.show(space.partition))
    own = {(row.actions[0][0], row.where): row.actions[0][1] for row in strategy.choices}
    members = [name for name in strategy.members if space.system.agent(name).actions]

    def by_sight(cell: Cell) -> dict[str, str] | None:
        found: dict[str, str] = {}
        for name in members:
            seen = local_part(space, cell, (name,)).show(space.partition)
            action = own.get((name, seen))
            if action is None:
                return None
            found[name] = action
        return found

    return by_sight
