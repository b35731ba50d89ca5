"""Options of pictures: whose values and actions they show, and how much of them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from gnomon.interfaces.cli.shared_options import Command, completing
from gnomon.text.diagnostic import closest

if TYPE_CHECKING:
    from gnomon.model.system import System
    from gnomon.results.projection import PictureStyle


def agents(help_text: str) -> Callable[[Command], Command]:
    """Return what adds `--agents A,B`."""
    return agents_option("--agents", help_text)


def agents_option(name: str, help_text: str) -> Callable[[Command], Command]:
    """Return what adds an option that lists agents."""
    return click.option(
        name,
        multiple=True,
        callback=_read_agents,
        metavar="A,B",
        shell_complete=completing("agents"),
        help=help_text,
    )


def details(function: Command) -> Command:
    """Add what a picture may leave out or have in full."""
    function = click.option(
        "--hide-action",
        "hidden",
        multiple=True,
        metavar="NAME",
        help="In pictures, leave this action out, such as wait or Sender.wait (repeatable).",
    )(function)
    return click.option(
        "--full-states",
        is_flag=True,
        help="In pictures, write all values into every state, not only those that differ.",
    )(function)


def know_agents(system: "System", names: Sequence[str] | None, option: str = "--agents") -> None:
    """Refuse agents that there are not."""
    known = [agent.name for agent in system.agents]
    for name in names or ():
        if name not in known:
            near = closest(name, known)
            hint = f"did you mean `{near}`?" if near else f"there are: {', '.join(known)}"
            raise click.UsageError(f"{option} {name}: no such agent; {hint}")


def know_actions(system: "System", style: "PictureStyle") -> None:
    """Refuse actions that there are not."""
    known = [
        name
        for agent in system.agents
        for action in agent.actions
        for name in (action, f"{agent.name}.{action}")
    ]
    for name in style.hidden:
        if name not in known:
            near = closest(name, known)
            hint = f"; did you mean `{near}`?" if near else ""
            raise click.UsageError(f"--hide-action {name}: nobody has such an action{hint}")


def _read_agents(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the names in all lists; commas inside brackets belong to a name."""
    names: list[str] = []
    for item in given:
        name, depth = "", 0
        for sign in item + ",":
            depth += (sign == "[") - (sign == "]")
            if sign != "," or depth > 0:
                name += sign
                continue
            if not name.strip():
                message = f"`{item}` is not a list of names, such as A,B"
                raise click.BadParameter(message, context, option)
            names.append(name.strip())
            name = ""
    return tuple(dict.fromkeys(names)) or None
