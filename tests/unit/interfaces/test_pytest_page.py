"""The guide to pytest shows what pytest prints, and knows every option."""

import os
import re
from collections.abc import Iterator

import pytest

from gnomon.api.models import load_text
from gnomon.checking.supervise import work_here
from gnomon.interfaces.pytest import collecting
from gnomon.interfaces.pytest.command_line import OPTIONS
from gnomon.testing import assert_as_expected
from tests.pytest_runs import LEAKY, run_here
from tests.support import ROOT

pytest_plugins = ["pytester"]

#: They are loaded for the same reason as in `test_pytest_plugin`.
LOADED = (collecting,)
PAGE = ROOT / "docs" / "how-to" / "pytest.md"
SESSION = re.compile(r"^```text\n\$ pytest (?P<options>.*)\n(?P<shown>[^`]*)^```$", re.MULTILINE)
TIME = re.compile(r"in \d+\.\d\ds")


@pytest.fixture(scope="module", autouse=True)
def _loaded_before() -> Iterator[None]:
    with work_here():
        with pytest.raises(AssertionError):
            assert_as_expected(load_text(LEAKY).check())
        yield


def test_the_sessions_are_what_pytest_prints(pytester: pytest.Pytester) -> None:
    text = PAGE.read_text(encoding="utf-8")
    [model] = re.findall(r"^```ispl file=door.ispl\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    [test] = re.findall(r"^```python\n# test_door.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (pytester.path / "door.ispl").write_text(model, encoding="utf-8")
    (pytester.path / "test_door.py").write_text(test, encoding="utf-8")
    (pytester.path / "conftest.py").write_text(
        "def pytest_ignore_collect(collection_path, config):\n"
        "    return True if collection_path.suffix == '.py' and not config.args[0].endswith('.py')"
        " else None\n"
    )

    def shown(session: re.Match[str]) -> str:
        run = run_here(pytester, *session["options"].split())
        lines = [TIME.sub("in … s", line).rstrip() for line in run.outlines]
        return f"```text\n$ pytest {session['options']}\n" + "\n".join([*lines, "```"])

    found = SESSION.sub(shown, text)
    if os.environ.get("GNOMON_UPDATE_SPECS") == "1":
        PAGE.write_text(found, encoding="utf-8")

    assert 2 == len(SESSION.findall(text))
    assert found == text


def test_the_page_has_every_option() -> None:
    rows = re.findall(r"^\| `(--gnomon[a-z-]*)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    real = [f"--gnomon-{option.name.replace('_', '-')}" for option in OPTIONS]

    assert sorted(["--gnomon", *real]) == sorted(rows)
