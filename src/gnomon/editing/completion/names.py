"""The names that a program declares, with what there is to say of each, as completion offers them."""

import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis
from gnomon.language import syntax
from gnomon.language.syntax import each_line
from gnomon.model.agent import ENVIRONMENT
from gnomon.text.record import walk
from gnomon.text.source import Span

#: More characters of a declaration are not shown.
_MOST: Final = 200


class KnownVariable(NamedTuple):
    """A variable, or a family of them; `observed` where all agents see it."""

    owner: str
    name: str
    type: syntax.Type
    indices: int
    observed: bool
    span: Span


@dataclass(slots=True)
class KnownAgent:
    """What an agent, the environment or a template declares."""

    name: str
    kind: str
    indices: int = 0
    variables: dict[str, KnownVariable] = field(default_factory=dict)
    #: Its actions, each with the number of its indices.
    actions: dict[str, int] = field(default_factory=dict)
    #: Those that it does together with others.
    together: list[str] = field(default_factory=list)
    #: What it lists in `Lobsvars`.
    local: set[str] = field(default_factory=set)
    sections: set[str] = field(default_factory=set)
    #: Actions that its protocol lists.
    used: dict[str, int] = field(default_factory=dict)


class _Looks(NamedTuple):
    """What a definition looks at: variables with their agents, other definitions, actions."""

    variables: frozenset[tuple[str, str]]
    uses: frozenset[str]
    acts: bool


class KnownNames:
    """The names of one version of a text."""

    def __init__(self, analysis: Analysis) -> None:
        """Collect them."""
        program = analysis.program
        self.source = analysis.source
        self.worth = dict(analysis.loaded.in_force)
        self.agents: dict[str, KnownAgent] = {}
        for agent in program.agents:
            self._agent(agent)
        self.constants = {each.name: each for each in program.constants}
        self.parameters = [name.text for line in program.parameters for name in line.names]
        self.types = {each.name.text: each.type for each in program.types}
        self.relations = {each.name.text: each for each in program.relations}
        lines = () if program.definitions is None else program.definitions.lines
        self._defined = tuple(each_line(lines))
        self.definitions = {each.name.text: each for each in self._defined}
        self.propositions = {each.name.text: each for each in each_line(program.evaluation or ())}
        self.groups = {each.name.text: each for each in each_line(program.groups)}
        self.semantics = program.semantics
        self.sections = _sections(program)
        self._visible: dict[tuple[str, bool], frozenset[str]] = {}

    @cached_property
    def templates(self) -> frozenset[str]:
        """Return the names of the templates."""
        return frozenset(name for name, agent in self.agents.items() if agent.kind == "template")

    @property
    def environment(self) -> KnownAgent:
        """Return the environment, an empty one where none is written."""
        return self.agents.get(ENVIRONMENT) or KnownAgent(ENVIRONMENT, "environment")

    @cached_property
    def players(self) -> tuple[KnownAgent, ...]:
        """Return all agents but the environment, and templates."""
        return tuple(agent for agent in self.agents.values() if agent.kind != "environment")

    def _agent(self, written: syntax.Agent) -> None:
        name = written.name.text
        agent = self.agents.setdefault(name, KnownAgent(name, written.kind))
        agent.indices = agent.indices or len(written.name.indices)
        for lines, observed in ((written.observed, True), (written.variables, False)):
            for each in each_line(lines or ()):
                known = KnownVariable(
                    name, each.name.text, each.type, len(each.name.indices), observed, each.span
                )
                agent.variables.setdefault(each.name.text, known)
        together = [each.name for each in written.synchronised or ()]
        agent.together += [each.text for each in together]
        for action in (*(written.actions or ()), *together):
            agent.actions.setdefault(action.text, len(action.indices))
        agent.local.update(each.text for each in written.local_observed or ())
        agent.sections |= _parts(written)
        for line in each_line(written.protocol or ()):
            agent.used.update((each.text, len(each.indices)) for each in line.actions)

    # Who sees what

    def seen(self, reader: KnownAgent) -> list[KnownVariable]:
        """Return the variables of the environment that an agent may read in its protocol."""
        everything = self.environment.variables.values()
        if self.templates or reader.kind == "environment":
            return list(everything)
        return [each for each in everything if each.observed or each.name in reader.local]

    def visible_definitions(self, reader: KnownAgent | None, *, actions: bool) -> frozenset[str]:
        """Return the definitions all of which an agent sees, or everybody in the sections of the program."""
        key = ("" if reader is None else reader.name, actions)
        if key not in self._visible:
            seen = None if reader is None else {each.name for each in self.seen(reader)}
            found: set[str] = set()
            for name, looks in self._looks.items():
                hidden = reader is not None and any(
                    owner != reader.name and not (owner == ENVIRONMENT and variable in (seen or ()))
                    for owner, variable in looks.variables
                )
                hidden = hidden and not self.templates  # whose agents look for others
                if not hidden and (actions or not looks.acts) and looks.uses <= found:
                    found.add(name)
            self._visible[key] = frozenset(found)
        return self._visible[key]

    @cached_property
    def _looks(self) -> dict[str, _Looks]:
        """Return what definitions look at, each behind those that it uses."""
        found: dict[str, _Looks] = {}
        nothing = _Looks(frozenset(), frozenset(), acts=False)
        for each in self._defined:
            name, looks = each.name.text, _looks(each.body, self.definitions)
            before = found.get(name, nothing)
            found[name] = _Looks(
                looks.variables | before.variables,
                (looks.uses | before.uses) - {name},
                looks.acts or before.acts,
            )
        return found

    # What to say

    def shown(self, span: Span) -> str:
        """Return a piece of the text on one line, shortened."""
        text = self.source.on_one_line(span)
        return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def known_names(analysis: Analysis) -> KnownNames:
    """Return the names of a text; they are collected once."""
    key = id(analysis)
    found = _COLLECTED.get(key)
    if found is not None and found[0]() is analysis:
        return found[1]
    names = KnownNames(analysis)
    _COLLECTED[key] = (weakref.ref(analysis, _forget(key)), names)
    return names


#: An analysis is equal to another with the same content, which takes long to tell: here one is itself alone.
_COLLECTED: Final[dict[int, tuple["weakref.ref[Analysis]", KnownNames]]] = {}


def _forget(key: int) -> "Callable[[weakref.ref[Analysis]], None]":
    def forget(gone: "weakref.ref[Analysis]") -> None:
        found = _COLLECTED.get(key)
        if found is not None and found[0] is gone:
            del _COLLECTED[key]

    return forget


def _looks(body: syntax.Expression, definitions: Mapping[str, syntax.Definition]) -> _Looks:
    variables: set[tuple[str, str]] = set()
    uses: set[str] = set()
    acts = False
    for part in walk(body):
        match part:
            case syntax.Reference(syntax.Name(owner), name):
                variables.add((owner, name.text))
            case syntax.Reference(None, name) if name.text in definitions:
                uses.add(name.text)
            case syntax.ActionIs() | syntax.ActionOf():
                acts = True
            case _:
                pass
    return _Looks(frozenset(variables), frozenset(uses), acts)


def _parts(agent: syntax.Agent) -> set[str]:
    """Return the words of the sections that an agent has."""
    written: Iterable[tuple[str, object]] = (
        ("Obsvars", agent.observed),
        ("Vars", agent.variables),
        ("Lobsvars", agent.local_observed),
        ("RedStates", agent.red),
        ("Actions", agent.actions),
        ("Sync", agent.synchronised),
        ("Protocol", agent.protocol),
        ("Evolution", agent.evolution),
    )
    return {word for word, section in written if section is not None}


def _sections(program: syntax.Program) -> set[str]:
    """Return the words of the sections that a program has, agents not counted."""
    written: Iterable[tuple[str, object]] = (
        ("Semantics", program.semantics),
        ("Constants", program.constants),
        ("Parameters", program.parameters),
        ("Assume", program.assumptions),
        ("Types", program.types),
        ("Relations", program.relations),
        ("Axioms", program.axioms),
        ("Predicates", program.predicates),
        ("Evaluation", program.evaluation is not None),
        ("InitStates", program.initial),
        ("TerminalStates", program.terminal),
        ("Groups", program.groups),
        ("Fairness", program.fairness),
        ("Formulae", program.formulae is not None),
        ("Definitions", program.definitions),
    )
    return {word for word, section in written if section}
