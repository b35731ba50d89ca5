"""What is wrong with a program, reported in one way wherever it is found."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from gnomon.language import syntax
from gnomon.model.elaborate.names import AgentNames
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

#: Longer lists of propositions help nobody.
_LISTED = 20
#: So many actions are named in a type that is proposed.
_VALUES = 6

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
        try:
            raise problem
        finally:
            problem = None  # a frame and its own exception would be kept until the next collection
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
        help=meant_operators(name, known) or diagnostics.did_you_mean(name, known) or hint,
    )


def meant_operators(name: str, known: Collection[str]) -> str:
    """Return what to write for `AGp` and for `TRUE`, if a proposition that is unknown is such a one."""
    if name.lower() in ("true", "false"):
        return f"write `{name.lower()}`"
    found = re.fullmatch(r"((?:[AE][GFX])+|[GFX]+)(\w+)", name)
    if found is None or found[2] not in known:
        return ""
    operators = re.findall(r"[AE][GFX]|[GFX]", found[1])
    return f"operators are written apart: `{' '.join(operators)} {found[2]}`"


def meant_word(name: str) -> str:
    """Return what to write for a word of another language that is used as a value or a condition."""
    if name.lower() in ("true", "false"):
        return f"write `{name.lower()}`"
    if name.lower() in ("else", "otherwise", "others", "other", "default"):
        return "what is left is written `Other : { actions };`, as the last line of the protocol"
    if name.lower() == "action":
        return "what an agent does is written `Action`, with a capital letter"
    return ""


def remember_action(owner: AgentNames, action: str) -> str:
    """Return how to ask about an action in a state, where no action is being taken."""
    actions = list(owner.actions)
    if action not in actions:
        action = actions[0] if actions else "action"
    # The name must be free, and the values are those that count.
    free = (word for word in ("last", "last_action") if word not in owner.variables)
    name = next(free, f"last_of_{owner.name}")
    values = ", ".join(actions[:_VALUES]) + (", …" if len(actions) > _VALUES else "")
    return (
        f"let `{owner.name}` remember it: `{name} : {{ {values} }};` in its `Vars` and "
        f"`{name} = {action} if Action = {action};` in its `Evolution`; then ask for "
        f"`{owner.name}.{name} = {action}`"
    )
