"""What agents know, of any number: formulae of any shape under one `AG` or `EF`."""

from collections.abc import Iterator
from typing import Final, Protocol

from gnomon.language import syntax
from gnomon.model.elaborate.problems import unknown_agent
from gnomon.model.elaborate.templates.forms import FIX
from gnomon.model.elaborate.templates.indices import PopulationNames
from gnomon.model.elaborate.templates.temporal import BoundIndex
from gnomon.model.parameterised import knowing as k
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.levels import in_levels
from gnomon.model.parameterised.query import Epistemic, Knowledge
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import walk as parts_of
from gnomon.text.source import Span

_FORMS: Final = (
    "i is an index, or a template, for each of its agents: `AG (Robot.room = C -> K(Robot, b))`",
    "`GK(Robot, b)`: all know; `GCK(Robot, b)`: it is common knowledge; `DK(Robot, b)`: they know together",
)

_RIGID: Final = (
    "where it looks the same to an agent, other agents may be there instead: nobody knows which of "
    "them is which"
)


class ReadsConditions(Protocol):
    """What questions about knowledge share with all others: conditions, indices, and names."""

    names: PopulationNames
    diagnostics: Diagnostics

    def agents(self, binders: tuple[syntax.Binder, ...]) -> list[BoundIndex]:
        """Return the indices that a quantifier binds."""
        ...

    def plain(
        self,
        formula: syntax.Formula,
        bound: tuple[BoundIndex, ...],
        template: str | None = None,
    ) -> Condition:
        """Return a formula without operators of time."""
        ...


class KnowledgeReader:
    """Reads one question about knowledge, with what reads all questions."""

    def __init__(self, reader: ReadsConditions) -> None:
        """Read conditions and indices as it does."""
        self._reader = reader
        #: The template whose name stands for each of its agents, or for some agent.
        self._owner: str | None = None
        #: How often everybody was spoken of so far.
        self._everybody = 0

    def question(
        self, body: syntax.Formula, bound: tuple[BoundIndex, ...], *, reach: bool
    ) -> Epistemic | Knowledge:
        """Return what is asked of all that can be reached, or whether it can `reach` something."""
        outside = frozenset(index.name for index in bound)
        owners = _owners(body, tuple(self._reader.names.templates), outside)
        if len(owners) > 1:
            first, second = list(owners)[:2]
            raise self._cannot(
                owners[second].span,
                f"`{first}` and `{second}` both stand for each of their agents here",
                help=f"name them: `forall i : {first} ( … K(i, …) … )`",
            )
        self._owner = next(iter(owners), None)
        formula = self._read(body, bound)
        if self._owner is not None:
            kind = k.SomeAgent if reach else k.EveryAgent
            formula = kind(SELF, self._owner, formula)
        for index in reversed(bound):
            kind = k.SomeAgent if reach else k.EveryAgent
            formula = kind(index.name, index.template, formula)
        query = Epistemic(k.normal(formula), reach)
        if isinstance(query.formula, k.Common) and not reach:
            self._warn(body, query.formula.template)
        return in_levels(query) or query

    def _warn(self, body: syntax.Formula, template: str) -> None:
        """Say that common knowledge everywhere is no more than what always holds."""
        self._reader.diagnostics.add(
            "G0728",
            f"this says no more of the agents of `{template}` than that it always holds where there is one",
            body.span,
            notes=(
                "what always holds is common knowledge: nobody takes anything else for possible",
            ),
            help=f"say when: `AG (a -> GCK({template}, b))`",
        )

    def _read(
        self, formula: syntax.Formula, bound: tuple[BoundIndex, ...], knower: str | None = None
    ) -> k.EpistemicFormula:
        """Read a formula; inside what a `knower` knows no other agent can be named."""
        if not asks_knowledge(formula):
            owner = self._owner if knower in (None, SELF) else None
            condition = self._reader.plain(formula, bound, owner)
            return k.Here(condition)
        match formula:
            case syntax.Negation(body):
                return k.OppositeOf(self._read(body, bound, knower))
            case syntax.Connective(operator, operands):
                parts = tuple(self._read(each, bound, knower) for each in operands)
                return k.AllOf(parts) if operator == "and" else k.AnyOf(parts)
            case syntax.Implication(left, right):
                premise = k.OppositeOf(self._read(left, bound, knower))
                return k.AnyOf((premise, self._read(right, bound, knower)))
            case syntax.Equivalence(left, right):
                one, other = (self._read(each, bound, knower) for each in (left, right))
                both = k.AllOf((one, other))
                return k.AnyOf((both, k.AllOf((k.OppositeOf(one), k.OppositeOf(other)))))
            case syntax.IndexedFormula(quantifier, binders, body):
                found = tuple(self._reader.agents(binders))
                read = self._read(body, (*bound, *found), knower)
                kind = k.SomeAgent if quantifier == "exists" else k.EveryAgent
                for index in reversed(found):
                    read = kind(index.name, index.template, read)
                return read
            case syntax.Modality(operator, syntax.Name() as who, body):
                return self._known(operator, who, body, bound)
            case syntax.Modality(_, who):
                raise self._cannot(who.span, "who there is is open, and so is who is in a list")
            case _:
                raise self._cannot(formula.span, "this cannot be said of what agents know")

    def _known(
        self,
        operator: str,
        who: syntax.Name,
        body: syntax.Formula,
        bound: tuple[BoundIndex, ...],
    ) -> k.EpistemicFormula:
        match operator:
            case "K":
                index, template = self._agent(who, bound)
                known = self._inside(body, bound, index)
                return k.AgentKnows(index, template, known)
            case "GK":
                self._must_be_template(who)
                self._everybody += 1
                index = f"{k.EACH}{self._everybody}"  # no program can have it
                known = self._inside(body, bound, None)
                return k.EveryAgent(index, who.text, k.AgentKnows(index, who.text, known))
            case "GCK" | "DK":
                self._must_be_template(who)
                kind = k.Common if operator == "GCK" else k.JointlyKnown
                return kind(who.text, self._inside(body, bound, None))
            case _:
                raise self._cannot(who.span, f"`{operator}` speaks of agents that are given")

    def _agent(self, who: syntax.Name, bound: tuple[BoundIndex, ...]) -> tuple[str, str]:
        """Return the index of the agent that knows, and its template."""
        for index in bound:
            if index.name == who.text:
                return index.name, index.template
        if who.text == self._owner:
            return SELF, who.text
        if who.text in self._reader.names.templates:
            raise self._cannot(
                who.span,
                f"`K({who.text}, …)` inside what another agent knows does not say which agent",
                help=f"write `GK({who.text}, …)`, or `exists j : {who.text} (K(j, …))`",
            )
        template = who.text.partition("[")[0]
        if template in self._reader.names.templates:
            raise self._cannot(
                who.span,
                f"`{who.text}` would be the same agent wherever it looks the same to somebody",
                _RIGID,
                help="bind an index: `forall i : Robot ( … K(i, …) … )`",
            )
        raise self._unknown(who)

    def _inside(
        self, body: syntax.Formula, bound: tuple[BoundIndex, ...], knower: str | None
    ) -> k.EpistemicFormula:
        """Return what somebody knows, which names nobody else."""
        known = self._read(body, bound, knower or "")
        others = k.named(known) - {knower}
        if others:
            name = min(others)
            known_by = "all of them know" if knower is None else f"`{knower}` knows"
            raise self._cannot(
                body.span,
                f"what {known_by} cannot speak of `{name}`",
                _RIGID,
                help="look for agents inside: `K(i, exists j : Robot (j.room = C))`",
            )
        return known

    def _must_be_template(self, who: syntax.Name) -> None:
        if who.text not in self._reader.names.templates:
            raise self._unknown(who)

    def _unknown(self, who: syntax.Name) -> Reported:
        templates = self._reader.names.templates
        return unknown_agent(
            self._reader.diagnostics, who.text, who.span, templates, what="template"
        )

    def _cannot(self, span: Span, message: str, *notes: str, help: str = "") -> Reported:
        return self._reader.diagnostics.fail(
            "G0715", message, span, notes=notes or _FORMS, help=help or FIX
        )


def _owners(
    formula: syntax.Formula, templates: tuple[str, ...], bound: frozenset[str]
) -> dict[str, syntax.Name]:
    """Return the templates whose names stand for one agent each, outside of what others know."""
    match formula:
        case syntax.Modality("K", syntax.Name(text) as who):
            return {text: who} if text in templates and text not in bound else {}
        case syntax.Negation(body):
            operands: tuple[syntax.Formula, ...] = (body,)
        case syntax.Connective(_, operands):
            pass
        case syntax.Implication(left, right) | syntax.Equivalence(left, right):
            operands = (left, right)
        case syntax.IndexedFormula(_, binders, body):
            operands = (body,)
            bound |= {binder.variable for binder in binders}
        case syntax.Modality():
            return {}
        case _:
            read = (part.owner for part in parts_of(formula) if isinstance(part, syntax.Reference))
            named = (who for who in read if who is not None and who.text in templates)
            return {who.text: who for who in named if who.text not in bound}
    found: dict[str, syntax.Name] = {}
    for each in operands:
        found = {**_owners(each, templates, bound), **found}
    return found


def asks_knowledge(formula: syntax.Formula) -> bool:
    """Return whether a formula says what somebody knows."""
    return next(knowledge_in(formula), None) is not None


def knowledge_in(formula: syntax.Formula) -> Iterator[syntax.Modality]:
    """Yield the parts of a formula that say what somebody knows."""
    return (part for part in parts_of(formula) if isinstance(part, syntax.Modality))
