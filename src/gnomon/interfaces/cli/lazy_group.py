"""A command with commands of its own, of which only the one that is used is imported."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for: its module has a `command`."""

    #: Each command, and what the list of commands says about it.
    listed: ClassVar[Mapping[str, str]]
    #: What stands before the names of their modules.
    prefix: ClassVar[str] = "gnomon.interfaces.cli."

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        """Return the names of the commands."""
        return list(self.listed)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """Return a command, imported now."""
        if cmd_name not in self.listed:
            return None
        module = import_module(f"{self.prefix}{module_name(cmd_name)}")
        command: click.Command = module.command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Return the commands that begin so, without importing any of them, and options."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=said)
            for name, said in self.listed.items()
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant, or say which there are."""
        if args and args[0] not in self.listed and not args[0].startswith("-"):
            raise click.UsageError(self._no_such_command(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.listed.items()))

    def hint(self, word: str) -> str:  # noqa: ARG002 - others may know more
        """Return what else could be meant by a word that is no command, in brackets."""
        return ""

    def _no_such_command(self, word: str) -> str:
        from gnomon.text.diagnostic import closest

        near = closest(word, list(self.listed))
        if near:
            return f"there is no command `{word}`: did you mean `{near}`?"
        return f"there is no command `{word}`{self.hint(word)}; there are: {', '.join(self.listed)}"


def module_name(command: str) -> str:
    """Return the name of a command's module."""
    return command.replace("-", "_")
