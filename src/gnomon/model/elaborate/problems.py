"""What is wrong with a program, reported in one way wherever it is found."""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from gnomon.language import syntax
from gnomon.model.elaborate.names import AgentNames
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

#: Longer lists of propositions help nobody.
_LISTED = 20

Written = TypeVar("Written")
Meaning = TypeVar("Meaning")


def each(read: Callable[[Written], Meaning], items: Iterable[Written]) -> tuple[Meaning, ...]:
    """Return what is read of every item; all of them report their mistakes before one is raised."""
    results: list[Meaning] = []
    problem: Reported | None = None
    for item in items:
        try:
            results.append(read(item))
        except Reported as caught:
            problem = caught
    if problem is not None:
        raise problem
    return tuple(results)


def unknown_agent(
    diagnostics: Diagnostics,
    name: str,
    span: Span,
    known: Collection[str],
    hint: str = "",
    what: str = "agent",
) -> Reported:
    """Report that there is no such agent or template."""
    return diagnostics.fail(
        "G0203",
        f"there is no {what} `{name}`",
        span,
        label=f"unknown {what}",
        notes=diagnostics.listing(f"the {what}s", known),
        help=hint or diagnostics.did_you_mean(name, known),
    )


def unknown_action(diagnostics: Diagnostics, owner: AgentNames, action: syntax.Name) -> Reported:
    """Report that an agent has no such action."""
    return diagnostics.fail(
        "G0204",
        f"action `{action.text}` is not an action of agent `{owner.name}`",
        action.span,
        label="not declared",
        notes=diagnostics.listing(f"{owner.name} declares", owner.actions, none="no action"),
        help=diagnostics.did_you_mean(action.text, owner.actions),
    )


def unknown_variable(
    diagnostics: Diagnostics,
    whose: str,
    name: str,
    span: Span,
    known: Collection[str],
    hint: str = "",
) -> Reported:
    """Report that an agent has no such variable."""
    return diagnostics.fail(
        "G0202",
        f"{whose} has no variable `{name}`",
        span,
        label="unknown variable",
        notes=diagnostics.listing("its variables", known),
        help=hint or diagnostics.did_you_mean(name, known),
    )


def unknown_proposition(
    diagnostics: Diagnostics, name: str, span: Span, known: Collection[str], hint: str = ""
) -> Reported:
    """Report that there is no such proposition; `hint` is for where no other name is like it."""
    return diagnostics.fail(
        "G0601",
        f"there is no proposition `{name}`",
        span,
        label="not defined in `Evaluation`",
        notes=diagnostics.listing("the propositions", known) if len(known) <= _LISTED else (),
        help=diagnostics.did_you_mean(name, known) or hint,
    )
