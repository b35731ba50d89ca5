"""A small program, and commands that are run on it for the pages that show what they print."""

import contextlib
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from click.testing import CliRunner

from gnomon.interfaces.cli.main import main

LIGHT: Final = """\
Constants n = 3;

Agent Light
  Vars:
    on : boolean;
  end Vars
  Actions = { press, wait };
  Protocol:
    Other : { press, wait };
  end Protocol
  Evolution:
    on = !on if Action = press;
  end Evolution
end Agent

Evaluation
  lit if Light.on = true;
end Evaluation

InitStates
  Light.on = false;
end InitStates

Formulae
  EF lit;
end Formulae
"""
_NONE: Final[Mapping[str, bytes]] = MappingProxyType({})


def run_command(words: str, files: Mapping[str, bytes] = _NONE) -> tuple[int, str]:
    """Return the status and the output of `gnomon ...` in a folder with `light.ispl` and these files."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, data in {"light.ispl": LIGHT.encode(), **files}.items():
            Path(name).write_bytes(data)
        answer = CliRunner().invoke(main, shlex.split(words)[1:])
    return answer.exit_code, answer.output
