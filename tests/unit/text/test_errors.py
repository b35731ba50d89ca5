import re
from pathlib import Path

import gnomon
from gnomon.text import errors

SOURCES = sorted(Path(gnomon.__file__).parent.rglob("*.py"))
CLASS = re.compile(r"^ *class (\w+)\(([^)]*)\)", re.MULTILINE)
#: What stands beside the tree, as its docstring says.
BESIDE = {"Terminated", "ChildError", "OutputLost", "Disagreeing"}
FOREIGN = {"BaseException", "Exception", "RuntimeError", "ValueError", "ClickException"}


def bases() -> dict[str, set[str]]:
    """Return the bases of every class of ours, by name."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        for name, above in CLASS.findall(path.read_text(encoding="utf-8")):
            names = {base.strip().rsplit(".", 1)[-1] for base in above.split(",")}
            found.setdefault(name, set()).update(names)
    return found


def test_every_exception_of_ours_hangs_on_the_tree() -> None:
    roots = {name for name, above in bases().items() if above & FOREIGN}

    assert {"GnomonError", *BESIDE} == roots


def test_the_drawing_has_every_branch() -> None:
    drawn = errors.__doc__ or ""
    branches = [name for name, above in bases().items() if "GnomonError" in above]

    assert [] == [name for name in branches if name not in drawn]
