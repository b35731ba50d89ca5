"""Runs of pytest inside tests: with our plugin, and with no other than those that come with pytest."""

import pytest

from gnomon.interfaces.pytest import plugin

PLUGIN = "gnomon.interfaces.pytest.plugin"

#: The model of the guide, which is as it should be.
DOOR = """Agent Door
  Vars:
    locked : boolean;
    open : boolean;
  end Vars
  Actions = { push, turn, rest };
  Protocol:
    Other : { push, turn, rest };
  end Protocol
  Evolution:
    open = !open if Action = push and locked = false;
    locked = !locked if Action = turn and open = false;
  end Evolution
end Agent
Evaluation
  locked if Door.locked = true;
  open if Door.open = true;
end Evaluation
InitStates
  Door.locked = true and Door.open = false;
end InitStates
Formulae
  safe : AG !(locked and open);
  can_open : EF open;
  stays_shut : AG !open expect false;
end Formulae
"""

#: The same with a mistake: whoever pushes gets in.
LEAKY = DOOR.replace(" and locked = false", "")


def run_here(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in this process: it finds no plugins by their entry points, and warnings are no errors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.setenv("COLUMNS", "80")
        for name in ("CI", "BUILD_NUMBER"):  # there pytest cuts nothing off
            patch.delenv(name, raising=False)
        return pytester.runpytest_inprocess("-Wdefault", *arguments, plugins=[plugin])
