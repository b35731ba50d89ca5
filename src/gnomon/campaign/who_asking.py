"""From a goal and some names to questions about groups: read, checked, and written as formulae.

What is wrong is said before anything is asked, and points into the text that was given.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import translate
from math import comb
from typing import Final

from gnomon.checking.load import Loaded, read_specification
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.verdict import Value
from gnomon.model import formula as f
from gnomon.model.any import AnySpecification
from gnomon.model.system import System
from gnomon.results.groups import Direction, GroupMask, KnownWhen, SurveyKind
from gnomon.text.diagnostic import Diagnostic, InputError, Label, closest
from gnomon.text.source import Source, Span

#: More groups than these nobody looks at; where each has to be asked about, fewer.
MOST_GROUPS: Final = 1 << 16
MOST_ASKED: Final = 1 << 12
#: A formula that can be asked of every model, to read it before there is a goal.
ANYTHING: Final = "AG !false"
#: How knowledge of a group is written.
_OPERATORS: Final[dict[SurveyKind, str]] = {
    "distributed": "DK",
    "everybody": "GK",
    "common": "GCK",
}
#: A formula is asked in every initial state, and something is known at some time if that is so from one of
#: them: so it is asked whether it never is.
_WHEN: Final[dict[KnownWhen, str]] = {
    "ever": "AG ({0} -> !{1})",
    "always": "AG ({0} -> {1})",
    "initially": "{0} -> {1}",
}
_INDICES: Final = re.compile(r"(?P<stem>[^\[\]]+)\[(?P<low>-?\d{1,9})\.\.(?P<high>-?\d{1,9})\]")


@dataclass(frozen=True)
class WhoQuestion:
    """Who can enforce a goal, or who knows something, of the model of a question (whose formulae stay out).

    `among` are names of agents, of families (`Player`), patterns (`Player[*]`) and ranges (`Player[1..3]`);
    without them it is about all agents, with the environment only where that is wanted.
    """

    question: Question
    goal: str
    knows: bool = False
    when: KnownWhen = "ever"
    among: tuple[str, ...] = ()
    environment: bool = False
    at_most: int | None = None


@dataclass(frozen=True)
class ReadWhoQuestion:
    """An inquiry that was read: the model, the agents that may be in groups, and the texts of formulae."""

    inquiry: WhoQuestion
    asked: Asked
    agents: tuple[str, ...]
    largest: int
    #: What stands behind `<…>`, or what may be known, in brackets where it needs them.
    text: str

    @property
    def without_environment(self) -> bool:
        """Whether the environment has a choice and is in no group."""
        assert self.asked.loaded is not None and self.asked.loaded.system is not None
        environment = self.asked.loaded.system.environment
        return len(environment.actions) > 1 and environment.name not in self.agents

    def formula(self, kind: SurveyKind, group: GroupMask) -> str:
        """Return what is asked about a group."""
        members = [name for place, name in enumerate(self.agents) if group >> place & 1]
        return self._written(kind, ", ".join(members), alone=len(members) == 1)

    def pattern(self, kind: SurveyKind) -> str:
        """Return the same with `…` for the members."""
        return self._written(kind, "…", alone=False)

    def _written(self, kind: SurveyKind, members: str, *, alone: bool) -> str:
        if kind == "enforces":
            return f"<{members}>{self.text}"
        # All kinds of knowledge are the same for one agent.
        who = f"K({members}, " if alone else f"{_OPERATORS[kind]}({{{members}}}, "
        return _WHEN[self.inquiry.when].format(self.text, f"{who}{self.text})")

    def holds(self, value: Value) -> bool | None:
        """Return whether a group has what is asked for, where its formula has this value."""
        found = {Value.TRUE: True, Value.FALSE: False}.get(value)
        negated = self.inquiry.knows and self.inquiry.when == "ever"
        return found if found is None else found != negated

    def direction(self, kind: SurveyKind) -> Direction | None:
        """Return what follows from one group for others; decision 0034 has the proofs and refutations."""
        if kind == "distributed":
            return "up"
        if kind in {"everybody", "common"}:
            return "down"
        reading = self.inquiry.question.options.strategies
        assert self.asked.loaded is not None and self.asked.loaded.system is not None
        interleaved = self.asked.loaded.system.interleaved
        monotone = reading in {"perfect", "uniform-model"} or (
            reading == "uniform" and not interleaved
        )
        return "up" if monotone else None


def read_inquiry(inquiry: WhoQuestion, loaded: Loaded | None = None) -> ReadWhoQuestion:
    """Read the model, the goal and the names; raise `InputError` with what is wrong.

    Raises `LimitReached` where a limit of the question is reached on the way.
    """
    asked = read(replace(inquiry.question, formulae=(ANYTHING,), only=()), loaded)
    if asked.has_errors or asked.loaded is None:
        raise InputError(asked.diagnostics)
    loaded, system = asked.loaded, asked.loaded.system
    if system is None:
        raise InputError((_open_number(inquiry, loaded),))
    agents = _agents(inquiry, system)
    text = _secret(inquiry, loaded) if inquiry.knows else _goal(inquiry, loaded)
    largest = min(inquiry.at_most or len(agents), len(agents))
    found = ReadWhoQuestion(inquiry, asked, agents, largest, text)
    _keep_small(found)
    # What is refused of one group (by an engine, say) is refused of all.
    kind: SurveyKind = "distributed" if inquiry.knows else "enforces"
    whole = found.formula(kind, (1 << len(agents)) - 1)
    trial = read(replace(inquiry.question, formulae=(whole,), only=()), loaded)
    if trial.has_errors:
        raise InputError(trial.diagnostics)
    return replace(found, asked=trial)


def _open_number(inquiry: WhoQuestion, loaded: Loaded) -> Diagnostic:
    asked = "AG (f -> K(T, f))" if inquiry.knows else "AG !bad"
    return Diagnostic(
        "G0814",
        "the number of agents is open, and groups are made of agents that are known",
        loaded.source,
        help=f"fix the number: gnomon export --agents 3; of any number, `{asked}` can be checked",
    )


# Who


def _agents(inquiry: WhoQuestion, system: System) -> tuple[str, ...]:
    everybody = [agent for agent in system.agents if not agent.observer]
    proper = [agent.name for agent in everybody if not agent.is_environment]
    known = [agent.name for agent in everybody]
    if not inquiry.among:
        found = known if inquiry.environment else proper
    else:
        named = {name for given in inquiry.among for name in _named(given, known)}
        if inquiry.environment:
            named |= set(known) - set(proper)
        found = [name for name in known if name in named]
    if not found:
        raise _refused("the model has no agents that could be in a group", "--environment has one")
    for name in found:
        # In a formula the name would mean the group: verdicts would be about others than they are told of.
        if name in system.groups and system.groups[name].members != (name,):
            message = f"`{name}` is an agent and a group, and a coalition of that name is the group"
            raise _refused(message, "give the group another name, or leave the agent out (--among)")
    return tuple(found)


def _named(given: str, known: Sequence[str]) -> list[str]:
    """Return the agents that a name, the name of a family, a pattern or a range stands for."""
    bare = "".join(given.split())
    if match := _INDICES.fullmatch(bare):
        low, high = int(match["low"]), int(match["high"])
        wanted = [name for name in known if _index_within(name, match["stem"], low, high)]
    else:
        fits = re.compile(translate(bare.replace("[", "[[]")))
        wanted = [name for name in known if name == bare or fits.match(name.replace(" ", ""))]
        wanted = wanted or [name for name in known if name.partition("[")[0] == bare]
    if not wanted:
        near = closest(given, list(known))
        help_ = f"did you mean `{near}`?" if near else f"there are: {', '.join(known[:12])}"
        raise _refused(f"there is no agent `{given}`", help_)
    return wanted


def _index_within(name: str, stem: str, low: int, high: int) -> bool:
    found = re.fullmatch(r"([^\[\]]+)\[(-?\d+)\]", name)
    return found is not None and found[1] == stem and low <= int(found[2]) <= high


def _keep_small(found: ReadWhoQuestion) -> None:
    """Refuse more groups than can be looked at."""
    kind: SurveyKind = "distributed" if found.inquiry.knows else "enforces"
    groups = sum(comb(len(found.agents), size) for size in range(1, found.largest + 1))
    most = MOST_GROUPS if found.direction(kind) else MOST_ASKED
    if groups <= most:
        return
    why = "" if found.direction(kind) else ", each of which has to be asked about in this reading"
    message = f"{len(found.agents)} agents have {groups:,} groups{why}: {most:,} are the most"
    raise _refused(message, "--among A,B,C looks at some agents, --at-most 2 at small groups")


# What


def _goal(inquiry: WhoQuestion, loaded: Loaded) -> str:
    """Return the goal as it stands behind `<…>`; it has to be one path operator, all of it."""
    goal = _bare(inquiry.goal, "goal")
    if goal.startswith(("<", "[[")):
        raise _no_goal(goal, "leave the coalition out: who it may be is what is asked")
    plain = "<>", goal, ""
    # `p U q` needs brackets there; what cannot be read either way is reported as it was written.
    first = not re.match(r"[XFG(]", goal)
    ways = [("<>(", goal, ")"), plain] if first else [plain, ("<>(", goal, ")")]
    problems: list[InputError] = []
    for before, text, after in ways:
        try:
            found = read_specification(loaded, before + text + after)
        except InputError as error:
            problems.append(_moved(error, "<goal>", goal, len(before)))
            continue
        if _is_goal(found):
            return (before + text + after).removeprefix("<>")
    if len(problems) == len(ways):
        if _is_about_states(loaded, goal):
            raise _no_goal(goal, f"`F ({goal})`: that it comes about; `G ({goal})`: that it stays")
        raise problems[0]
    raise _no_goal(goal, "put what has to hold in brackets: `F (a and b)`")


def _is_goal(found: AnySpecification) -> bool:
    """Return whether a formula is what nobody enforces, and nothing besides."""
    formula = getattr(found, "formula", None)
    return isinstance(formula, f.Enforces) and not formula.group.members


def _is_about_states(loaded: Loaded, text: str) -> bool:
    try:
        return read_specification(loaded, text).logic == "CTL"
    except InputError:
        return False


def _no_goal(goal: str, help_: str) -> InputError:
    return InputError(
        (
            Diagnostic(
                "G0905",
                f"`{goal}` is no goal of a coalition",
                Source("<goal>", goal),
                Span(0, len(goal)),
                label="it has to be `X f`, `F f`, `G f` or `f U g` as a whole",
                help=help_,
            ),
        )
    )


def _secret(inquiry: WhoQuestion, loaded: Loaded) -> str:
    """Return what may be known, in brackets unless it is a name; it has to be about states."""
    if inquiry.question.options.strategies == "uniform-model":
        message = "with uniform-model, one model is chosen for each formula: who knows is not asked of one"
        raise _refused(message, "leave --strategies out")
    text = _bare(inquiry.goal, "formula")
    try:
        found = read_specification(loaded, text)
    except InputError as error:
        raise _moved(error, "<known>", text, 0) from None
    if found.name or found.expected or found.logic != "CTL":
        raise InputError(
            (
                Diagnostic(
                    "G0905",
                    f"`{text}` is nothing that could be known in a state",
                    Source("<known>", text),
                    Span(0, len(text)),
                    label="it has to be a formula about states, without a name or an expectation",
                ),
            )
        )
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _bare(text: str, what: str) -> str:
    """Return a text without blanks and `;` around it; a comment would hide what comes behind."""
    bare = text.strip().removesuffix(";").strip()
    if not bare:
        raise _refused(f"there is no {what}", "such as `F done`" if what == "goal" else "")
    if (place := bare.find("--")) >= 0:
        source = Source(f"<{what}>", bare)
        message = f"a {what} has no comments"
        raise InputError((Diagnostic("G0905", message, source, Span(place, len(bare))),))
    return bare


def _refused(message: str, help_: str = "") -> InputError:
    return InputError((Diagnostic("G0905", message, Source("<groups>", ""), help=help_),))


def _moved(error: InputError, name: str, text: str, by: int) -> InputError:
    """Return what is wrong with a formula at the places in the part of it that was given."""
    source = Source(name, text)
    return InputError(tuple(_at(item, source, by) for item in error.diagnostics))


def _at(item: Diagnostic, source: Source, by: int) -> Diagnostic:
    def move(span: Span) -> Span:
        low, high = (min(max(place - by, 0), len(source.text)) for place in (span.start, span.end))
        return Span(low, high)

    related = tuple(Label(move(each.span), each.text) for each in item.related)
    span = None if item.span is None else move(item.span)
    return replace(item, source=source, span=span, related=related)
