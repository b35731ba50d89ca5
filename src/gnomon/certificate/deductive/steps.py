"""One step of a system as a solver sees it: what is done, which lines are taken, and what comes of it.

Who may do what is split into cases, so that most lines fall away before anything is written: of a step in
which one counter is counted down, nothing else is left.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

from gnomon.certificate.deductive.protocols import EventProtocols, Protocols
from gnomon.certificate.deductive.script import Script
from gnomon.certificate.deductive.symbolic_moment import NOTHING_KNOWN, SymbolicMoment, chosen
from gnomon.certificate.smt_terms import (
    FALSE,
    TRUE,
    SmtText,
    conj,
    disj,
    neg,
    number,
    same,
    sort_of,
)
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, EvolutionLine
from gnomon.model.expression import Expression, Read, actors
from gnomon.model.scheduled import ScheduledSystem
from gnomon.model.system import System

#: What agents do is split into at most so many cases.
_MOST_CASES: Final = 600
#: So many cases are kept to be looked at again.
_MOST_KEPT: Final = 5_000


class LineUnit(NamedTuple):
    """The lines of which one is taken: those of an agent, or of one of its variables."""

    number: int
    agent: Agent
    #: The variable, where lines are picked for each one; "" for those of the whole agent.
    variable: str
    lines: tuple[EvolutionLine, ...]
    #: What each line surely wants some agents to do.
    wanted: tuple[tuple[tuple[str, str], ...], ...]

    @property
    def name(self) -> tuple[str, str]:
        """What it is called."""
        return self.agent.name, self.variable

    @property
    def writes(self) -> frozenset[Read]:
        """The variables that some line gives a value to."""
        return frozenset(
            Read(self.agent.name, item.variable) for line in self.lines for item in line.assignments
        )

    @property
    def watched(self) -> frozenset[str]:
        """The agents whose actions matter."""
        return actors(
            *(line.guard for line in self.lines),
            *(item.value for line in self.lines for item in line.assignments),
        )


#: Of some units, the lines one of which is taken; none of them where it is empty.
ChosenLines = Mapping[tuple[str, str], frozenset[int]]
NO_LINES: Final[ChosenLines] = {}


def units_of(system: System) -> tuple[LineUnit, ...]:
    """Return the units of a system."""
    found: list[LineUnit] = []
    for agent in system.agents:
        if system.semantics == "SingleAssignment":
            for variable in agent.variables:
                lines = tuple(
                    line
                    for line in agent.evolution
                    if line.assignments[0].variable == variable.name
                )
                if lines:
                    wanted = tuple(_wanted(line.guard) for line in lines)
                    found.append(LineUnit(len(found), agent, variable.name, lines, wanted))
        elif agent.evolution:
            wanted = tuple(_wanted(line.guard) for line in agent.evolution)
            found.append(LineUnit(len(found), agent, "", agent.evolution, wanted))
    return tuple(found)


def _wanted(guard: Expression) -> tuple[tuple[str, str], ...]:
    """Return what some agents have to do for a guard to hold, where it says so at once."""
    match guard:
        case typed.Does(agent, action):
            return ((agent, action),)
        case typed.And(operands):
            return tuple(each for operand in operands for each in _wanted(operand))
        case _:
            return ()


class LineUnits:
    """The units of a system, and what is asked of them time and again."""

    def __init__(self, system: System) -> None:
        """Go through all lines once."""
        self.listed = units_of(system)
        #: Which unit gives a value to a variable.
        self.writing = {read: unit for unit in self.listed for read in unit.writes}
        self._watched = [unit.watched for unit in self.listed]

    def watched_for(self, looked_at: frozenset[Read]) -> Iterator[frozenset[str]]:
        """Yield the agents whose actions matter to some variables, unit by unit."""
        found = {self.writing[read].number for read in looked_at if read in self.writing}
        return (self._watched[place] for place in sorted(found))


class SymbolicStep:
    """What may happen where some agents do what is given, and some lines are taken."""

    def __init__(
        self,
        protocols: Protocols,
        script: Script,
        units: LineUnits,
        actions: Mapping[str, str] = NOTHING_KNOWN,
        lines: ChosenLines = NO_LINES,
        now: SymbolicMoment | None = None,
    ) -> None:
        """Look at the steps in which these actions are done and these lines taken, perhaps from elsewhere."""
        self._protocols = protocols
        self._script = script
        self._lines = lines
        self.now = SymbolicMoment(script, actions=actions) if now is None else now
        self._units = units.listed
        self._writing = units.writing
        self._live: dict[int, list[tuple[EvolutionLine, SmtText]]] = {}
        self._changes: dict[int, dict[Read, SmtText]] = {}
        self._moments: dict[frozenset[Read], SymbolicMoment] = {}
        #: Where what variables would be worth is a whole number.
        self._whole: dict[Read, SmtText] = {}

    def done(self) -> SmtText:
        """Return that what is given may be done."""
        return self.enabled(self.now.actions)

    def enabled(self, actions: Mapping[str, str]) -> SmtText:
        """Return that some agents may do something."""
        agent = self._script.system.agent
        return conj(self.may(agent(name), action) for name, action in actions.items())

    def may(self, agent: Agent, action: str) -> SmtText:
        """Return that an agent may do something."""
        return self._protocols.may(agent, action, self.now)

    def acting(self, agents: Iterable[Agent]) -> SmtText:
        """Return that what some agents do, whatever it is, is what they may do."""
        return conj(
            self._protocols.acting(agent, self.now)
            for agent in agents
            if agent.name not in self.now.actions
        )

    # What comes of it

    def _alive(self, unit: LineUnit) -> list[tuple[EvolutionLine, SmtText]]:
        """Return the lines that may be taken, each with its guard."""
        found = self._live.get(unit.number)
        if found is None:
            known = self.now.actions
            guards = [
                (line, self.now.condition(line.guard))
                for line, wanted in zip(unit.lines, unit.wanted, strict=True)
                # Most lines are for other actions, which is seen before anything is written.
                if all(known.get(name, action) == action for name, action in wanted)
            ]
            found = self._live[unit.number] = [each for each in guards if each[1] != FALSE]
        return found

    def _taken(self, unit: LineUnit) -> list[tuple[EvolutionLine, SmtText]]:
        """Return which line may be taken, and when it is; otherwise none is."""
        fixed = self._lines.get(unit.name)
        if fixed is not None:
            return [(unit.lines[min(fixed)], TRUE)] if fixed else []
        alive = self._alive(unit)
        if len(alive) <= 1:
            return alive
        choice = self._script.choice(unit.number)
        return [(line, same(choice, number(place))) for place, (line, _) in enumerate(alive)]

    def _among_alive(self, unit: LineUnit) -> SmtText:
        """Return that the line which is taken may be taken, where there is a choice."""
        alive = self._alive(unit)
        if unit.name in self._lines or len(alive) <= 1:
            return TRUE
        choice = self._script.choice(unit.number)
        options = [
            conj((same(choice, number(place)), guard)) for place, (_, guard) in enumerate(alive)
        ]
        nothing = conj((f"(< {choice} 0)", neg(disj(guard for _, guard in alive))))
        return self._script.named(disj([*options, nothing]))

    def after(self, looked_at: frozenset[Read]) -> SymbolicMoment:
        """Return the moment after the step, as far as some variables are concerned."""
        values = {
            read: value
            for unit in self._concerned(looked_at)
            for read, value in self._changed(unit).items()
            if read in looked_at
        }
        key = frozenset(values)
        found = self._moments.get(key)
        if found is None:
            whole = {read: self._whole[read] for read in values}
            found = SymbolicMoment(self._script, values, self.now.actions, self.now, whole)
            self._moments[key] = found
        return found

    def _concerned(self, looked_at: frozenset[Read]) -> list[LineUnit]:
        """Return the units that give values to some variables, in their order."""
        found = {self._writing[read].number for read in looked_at if read in self._writing}
        return [self._units[place] for place in sorted(found)]

    def _changed(self, unit: LineUnit) -> dict[Read, SmtText]:
        """Return the variables that a unit may change, each with what becomes of it."""
        found = self._changes.get(unit.number)
        if found is None:
            taken = self._taken(unit)
            names = dict.fromkeys(i.variable for line, _ in taken for i in line.assignments)
            reads = (Read(unit.agent.name, name) for name in names)
            values = {read: self._value_after(taken, read) for read in reads}
            found = {r: value for r, value in values.items() if value != self.now.variable(r)}
            self._changes[unit.number] = found
        return found

    def _value_after(self, taken: list[tuple[EvolutionLine, SmtText]], read: Read) -> SmtText:
        value = unchanged = self.now.variable(read)
        whole = TRUE
        for line, when in reversed(taken):
            new, fits = next(
                (
                    self.now.assigned(i.value)
                    for i in line.assignments
                    if i.variable == read.variable
                ),
                (unchanged, TRUE),
            )
            value, whole = chosen(when, new, value), chosen(when, fits, whole)
        self._whole[read] = self._script.named(whole)
        return self._script.named(value, sort_of(self.now.domain(read)))

    def known(self, looked_at: frozenset[Read]) -> SmtText:
        """Return what is known of a step that has a result, as far as some variables are concerned."""
        return conj((self.choices(looked_at), self.fits(looked_at)))

    def fits(self, looked_at: frozenset[Read]) -> SmtText:
        """Return that what some variables are worth then are values of theirs."""
        after = self.after(looked_at)
        return conj(after.fits(read) for read in sorted(after.values, key=_name))

    def choices(self, looked_at: frozenset[Read]) -> SmtText:
        """Return that the lines which are taken may be taken, as far as some variables are concerned."""
        return conj(map(self._among_alive, self._concerned(looked_at)))

    def everything(self) -> list[SmtText]:
        """Return all that is known of a step that has a result."""
        choices, fits = self.has_result()
        return [self.done(), self.acting(self._protocols.agents), choices, fits]

    def results(self) -> dict[Read, SmtText]:
        """Return what becomes of the variables that do not stay as they are."""
        found: dict[Read, SmtText] = {}
        for unit in self._units:
            found.update(self._changed(unit))
        return found

    # That something can be done

    def taken(self) -> SmtText:
        """Return that the lines which are given may be taken."""
        parts: list[SmtText] = []
        for unit in self._units:
            fixed = self._lines.get(unit.name)
            if fixed is None:
                continue
            guards = [self.now.condition(unit.lines[place].guard) for place in sorted(fixed)]
            everything = [self.now.condition(line.guard) for line in unit.lines]
            parts.append(disj(guards) if fixed else neg(disj(everything)))
        return conj(parts)

    @cached_property
    def _results(self) -> SymbolicMoment:
        return self.after(frozenset(self._writing))

    def has_result(self) -> tuple[SmtText, SmtText]:
        """Return what is known of lines that may be taken, and that all values then are of their types."""
        choices = conj(map(self._among_alive, self._units))
        found = self._results
        return choices, conj(found.fits(read) for read in sorted(found.values, key=_name))


class SymbolicSteps:
    """The steps of one system, by cases of what is done."""

    def __init__(self, script: Script, members: Collection[str] = ()) -> None:
        """Tell them to one solver; without members that choose, they are the steps of paths."""
        self.script = script
        self._all = LineUnits(script.system)
        self.units = self._all.listed
        now = SymbolicMoment(script)
        self._by_events = isinstance(script.system, ScheduledSystem)
        self._protocols = EventProtocols(now, members) if self._by_events else Protocols(now)
        self._known: dict[object, SymbolicStep] = {}
        self._of: dict[frozenset[str], SymbolicSteps] = {}

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Those who do something in these steps."""
        return self._protocols.agents

    def of(self, members: Collection[str]) -> "SymbolicSteps":
        """Return the steps in which some members choose; where all move at once, they are the same."""
        if not (members and self._by_events):
            return self
        key = frozenset(members)
        if key not in self._of:
            self._of[key] = SymbolicSteps(self.script, key)
        return self._of[key]

    def step(self, actions: Mapping[str, str], lines: ChosenLines = NO_LINES) -> SymbolicStep:
        """Return what may happen where some agents do what is given, and some lines are taken."""
        key = frozenset(actions.items()), frozenset(lines.items())
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[key] = SymbolicStep(
                self._protocols, self.script, self._all, actions, lines
            )
        return found

    def step_from(self, before: SymbolicMoment, lines: ChosenLines) -> SymbolicStep:
        """Return what happens at a moment at which it is known what everybody does."""
        protocols = self._protocols.at(before)
        return SymbolicStep(protocols, self.script, self._all, before.actions, lines, before)

    def cases(
        self,
        looked_at: frozenset[Read],
        watched: Iterable[str] = (),
        actions: Mapping[str, str] = NOTHING_KNOWN,
        lines: ChosenLines = NO_LINES,
    ) -> Iterator[tuple[SymbolicStep, SmtText]]:
        """Yield the steps that can change some variables, each with what is known of what is done.

        `watched` are further agents whose actions matter.
        """
        system = self.script.system
        names = set(watched).union(*self._all.watched_for(looked_at))
        open_ = [a for a in self.agents if a.name in names and a.name not in actions]
        split: list[Agent] = []
        count = 1
        for agent in sorted(open_, key=lambda a: -len(a.actions)):
            if count * len(agent.actions) <= _MOST_CASES:
                split.append(agent)
                count *= len(agent.actions)
        left = [agent for agent in open_ if agent not in split]
        for done in product(*(agent.actions for agent in split)):
            own = {agent.name: action for agent, action in zip(split, done, strict=True)}
            step = self.step({**actions, **own}, lines)
            allowed = conj(step.may(system.agent(name), action) for name, action in own.items())
            yield step, conj((allowed, step.acting(left)))


def _name(read: Read) -> tuple[str, str]:
    return read.agent, read.variable
