"""Pages about Python's names, from their docstrings and signatures."""

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import gnomon
from gnomon_site.places import DOCS

FOLDER: Final = DOCS / "reference" / "api"

#: What public names return and take beside each other, where it is worth a page; a name may go away.
RETURNED: Final = (
    "gnomon.api.certificates.CheckedProof",
    "gnomon.api.certificates.Verification",
    "gnomon.api.parts.ModelAgent",
    "gnomon.api.parts.ModelFormula",
    "gnomon.campaign.answer.Provenance",
    "gnomon.checking.coverage.Coverage",
    "gnomon.checking.question.Question",
    "gnomon.checking.verdict.SanityCheck",
    "gnomon.model.evidence.Evidence",
    "gnomon.model.evidence.Explanation",
    "gnomon.model.evidence.Run",
    "gnomon.model.evidence.Step",
    "gnomon.model.evidence.Strategy",
    "gnomon.model.operand.Operand",
    "gnomon.results.groups.GroupSurvey",
    "gnomon.text.diagnostic.Diagnostic",
    "gnomon.text.diagnostic.Severity",
)

_INDEX: Final = """\
# Every name of Python

Generated from the code. [The Python interface](../python.md) tells how the names go together.
`import gnomon` has all of them but those of the last table, which come out of calls.

## Functions

{functions}

## Classes

{classes}

## What else comes out of calls

{returned}

```{{toctree}}
:hidden:

functions
{names}
```
"""
_OPTIONS: Final = "   :members:\n   :inherited-members: {bases}\n   :member-order: bysource\n"
#: What pages say nothing about, being Python's own.
_BASES: Final = (
    "Exception, BaseException, Enum, IntEnum, StrEnum, tuple, str, int, dict, list, object, Record, "
    "Interned, Sequence, Mapping, Collection, Iterable, Executor"
)


def public_names() -> dict[str, Any]:
    """Return what `import gnomon` gives, by its names."""
    return {name: getattr(gnomon, name) for name in gnomon.__all__ if not name.startswith("__")}


def returned_names() -> dict[str, Any]:
    """Return the other classes that have a page, by the places where they are."""
    found = {}
    for path in RETURNED:
        module, _, name = path.rpartition(".")
        thing = getattr(import_module(module), name, None)
        if thing is not None and thing not in public_names().values():
            found[path] = thing
    return found


def api_pages() -> dict[str, str]:
    """Return the pages of the folder `reference/api`."""
    names, returned = public_names(), returned_names()
    classes = {name: thing for name, thing in names.items() if inspect.isclass(thing)}
    functions = {name: thing for name, thing in names.items() if name not in classes}
    pages = {f"{name}.rst": _class_page(f"gnomon.{name}") for name in classes}
    pages |= {f"{path.rpartition('.')[2]}.rst": _class_page(path) for path in returned}
    pages["functions.rst"] = _functions_page(functions)
    pages["index.md"] = _INDEX.format(
        functions=_table({f"gnomon.{name}": thing for name, thing in functions.items()}),
        classes=_table({f"gnomon.{name}": thing for name, thing in classes.items()}),
        returned=_table(returned),
        names="\n".join(sorted([*classes, *(path.rpartition(".")[2] for path in returned)])),
    )
    return pages


def _table(things: Mapping[str, Any]) -> str:
    rows = [
        f"| {{py:obj}}`{path.rpartition('.')[2]} <{path}>` | {_first_sentence(thing)} |"
        for path, thing in things.items()
    ]
    return "\n".join(["| Name | What it is |", "|---|---|", *rows])


def _first_sentence(thing: Any) -> str:
    first = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return " ".join(first.split()).replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


def _class_page(path: str) -> str:
    name = path.rpartition(".")[2]
    return f"{name}\n{'=' * len(name)}\n\n.. autoclass:: {path}\n{_OPTIONS.format(bases=_BASES)}"


def _functions_page(names: Iterable[str]) -> str:
    parts = [f".. autofunction:: gnomon.{name}\n" for name in names]
    return "Functions\n=========\n\n" + "\n".join(parts)


# Docstrings are prose with code between backticks, as in Markdown.


def as_restructured_text(lines: list[str], known: Mapping[str, str]) -> list[str]:
    r"""Return the lines of a docstring for Sphinx; names that have a page become links to it.

    >>> as_restructured_text(["See `Model.check` and `x*y`, a*b."], {"Model.check": "gnomon.Model.check"})
    ['See :py:obj:`Model.check <gnomon.Model.check>` and ``x*y``, a\\*b.']
    """
    return list(_converted(lines, known))


def _converted(lines: list[str], known: Mapping[str, str]) -> Iterator[str]:
    code = False  # after a prompt, up to an empty line
    fenced = False
    for line in lines:
        if line.strip().startswith("```"):
            fenced = not fenced
            yield from ([".. code-block:: text", ""] if fenced else [""])
            continue
        code = line.lstrip().startswith(">>>") or (code and bool(line.strip()))
        if fenced:
            yield f"   {line}"
        elif code or line.startswith("    "):
            yield line
        else:
            yield _line(line, known)


def _line(line: str, known: Mapping[str, str]) -> str:
    pieces = re.split(r"(``[^`]+``|`[^`]+`)", line)
    return "".join(_piece(piece, known) for piece in pieces)


def _piece(piece: str, known: Mapping[str, str]) -> str:
    if piece.startswith("``"):
        return piece
    if piece.startswith("`"):
        word = piece.strip("`")
        if word.removesuffix("()") in known:
            return f":py:obj:`{word} <{known[word.removesuffix('()')]}>`"
        return f"``{word}``"
    return re.sub(r"([*|])|(?<=\w)_(?!\w)", lambda match: f"\\{match[0]}", piece)


def linked_names() -> dict[str, str]:
    """Return the names that docstrings may link to: public ones, and what classes among them have."""
    found: dict[str, str] = {}
    for name, thing in public_names().items():
        found[name] = f"gnomon.{name}"
        if inspect.isclass(thing):
            methods = [each for each in dir(thing) if not each.startswith("_")]
            found |= {
                f"{name}.{each}": f"gnomon.{name}.{each}"
                for each in methods
                if _is_ours(thing, each)
            }
    return found


def _is_ours(thing: type, name: str) -> bool:
    member = inspect.getattr_static(thing, name)
    if isinstance(member, property):
        member = member.fget
    module = getattr(member, "__module__", None) or getattr(
        getattr(member, "__func__", None), "__module__", ""
    )
    return str(module).startswith("gnomon")


def public_paths() -> Mapping[str, str]:
    """Return how each class is called on the pages, by the place where it is written."""
    found = {
        f"{thing.__module__}.{thing.__qualname__}": f"gnomon.{name}"
        for name, thing in public_names().items()
        if hasattr(thing, "__qualname__")
    }
    return MappingProxyType(found | {path: path for path in returned_names()})


def python_address(name: str) -> str | None:
    """Return where Python's own documentation has one of its names.

    >>> python_address("collections.abc.Sequence")
    'https://docs.python.org/3/library/collections.abc.html#collections.abc.Sequence'
    """
    parts = [part for part in name.split(".") if not part.startswith("_")]
    if len(parts) < 2 or parts[0] not in sys.stdlib_module_names:
        return None
    module = ".".join(parts[:-1])
    return f"https://docs.python.org/3/library/{module}.html#{'.'.join(parts)}"
