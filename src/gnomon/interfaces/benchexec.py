"""Gnomon for BenchExec: how it is called, and what its results mean there.

A benchmark definition names it with `tool="gnomon.interfaces.benchexec"`, and a task the formula that it is
about, by `options: {formula: safe}` in its definition. Without one, the result is about all formulae: whether
they are as their author expects.
"""

from typing import Any, Final

from benchexec import result
from benchexec.tools.template import BaseTool2

from gnomon.interfaces.cli.status import Status

#: So much of the memory that BenchExec allows is for the check itself.
_SHARE: Final = 0.9


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no types
    """The tool-info module of Gnomon."""

    def name(self) -> str:
        """Return what people call it."""
        return "Gnomon"

    def executable(self, tool_locator: Any) -> str:
        """Return where the program is."""
        found: str = tool_locator.find_executable("gnomon", subdir="bin")
        return found

    def version(self, executable: str) -> str:
        """Return which version that is."""
        said: str = self._version_from_tool(executable)
        return said.rsplit(maxsplit=1)[-1] if said else ""

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """Return the command line: BenchExec's limits are ours, too, so that what is known is still said."""
        added = []
        if rlimits.cputime and not _has(options, "--timeout"):
            added += ["--timeout", f"{rlimits.cputime:g}"]
        if rlimits.memory and not _has(options, "--memory"):
            added += ["--memory", f"{_SHARE * rlimits.memory / 2**20:.0f}"]
        if isinstance(task.options, dict) and "formula" in task.options:
            # The result is whether the formula holds, whatever its author expects.
            added += ["--only", str(task.options["formula"]), "--expect", "true"]
        if not _has(options, "--evidence"):
            added.append("--no-evidence")
        return [executable, "check", *options, *added, *task.input_files]

    def determine_result(self, run: Any) -> str:
        """Return what the exit status says."""
        if run.was_timeout:
            timeout: str = result.RESULT_TIMEOUT
            return timeout
        said: dict[int, str] = {
            Status.DONE: result.RESULT_TRUE_PROP,
            Status.REFUTED: result.RESULT_FALSE_PROP,
            Status.OPEN: result.RESULT_UNKNOWN,
            Status.BAD_INPUT: "ERROR (bad input)",
            Status.BUG: "ERROR (bug)",
        }
        code = run.exit_code.value
        error: str = result.RESULT_ERROR
        return error if code is None else said.get(code, error)


def _has(options: list[str], name: str) -> bool:
    return any(option == name or option.startswith(f"{name}=") for option in options)
