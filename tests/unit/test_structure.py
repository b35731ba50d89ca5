"""The shape of the code: sizes, names with one meaning, and a map that shows what is there."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from tests.support import ROOT

SOURCES = ROOT / "src" / "gnomon"
MOST_LINES = 500
MOST_LINES_OF_A_CLASS = 300
#: Nine of ten modules are no longer than that.
MOST_LINES_AS_A_RULE = 300

#: A table has as many lines as it has rows, and a tree as many as it has nodes.
TABLES = {"text/codes.py", "language/syntax.py"}

#: Its nodes are the words of the grammar, and are always written `syntax.X`.
ALWAYS_QUALIFIED = {"language/syntax.py"}
#: What connects formulae, expressions and conditions on agents has the same name in the three sorts of trees.
SORTS = {"model/formula.py", "model/expression.py", "model/parameterised/condition.py"}
CONNECTIVES = {"And", "Or", "Not", "Exists", "Forall"}


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module by its path inside the package."""
    return {
        path.relative_to(SOURCES).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCES.rglob("*.py"))
    }


def lines_of(module: str) -> int:
    lines = (SOURCES / module).read_text(encoding="utf-8").splitlines()
    return len(lines) - examples_in(modules()[module])


def examples_in(tree: ast.AST) -> int:
    """Return how many lines are examples in docstrings: of what shows how to use it there can be enough."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    texts = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
    return sum(len(text[text.index(">>>") :].splitlines()) + 1 for text in texts if ">>>" in text)


# Sizes


def test_no_module_is_too_long() -> None:
    long = {name for name in modules() if lines_of(name) > MOST_LINES} - TABLES

    assert set() == long


def test_nine_of_ten_modules_are_short() -> None:
    sizes = sorted(lines_of(name) for name in modules() if name not in TABLES)
    tenth = sizes[len(sizes) * 9 // 10]

    assert tenth <= MOST_LINES_AS_A_RULE


def test_no_class_is_too_long() -> None:
    long = {
        f"{module} {node.name}"
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and (node.end_lineno or 0) - node.lineno - examples_in(node) >= MOST_LINES_OF_A_CLASS
    }

    assert set() == long


# Names


def types_of(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the classes and of the types that a module defines, private ones like others."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                yield name.lstrip("_")
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                yield name.lstrip("_")
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name("NewType"))):
                yield name.lstrip("_")
            case _:
                pass


def test_the_name_of_a_type_has_one_meaning() -> None:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module, tree in modules().items():
        if module not in ALWAYS_QUALIFIED:
            for name in types_of(tree):
                if not (name in CONNECTIVES and module in SORTS):
                    places[name].append(module)
    doubled = {name for name, defined in places.items() if len(defined) > 1}

    assert set() == doubled


def test_definitions_of_types_are_found() -> None:
    text = """
class A: ...
class _B:
    class C: ...
D: TypeAlias = int
_E: "TypeAlias" = int
F = NewType("F", int)
g: int = 1
"""

    assert ["A", "B", "D", "F", "C"] == list(types_of(ast.parse(text)))


# The map

#: Constants and doors that stand beside the stages, and are told of in prose.
BESIDE = {"__init__.py", "__main__.py", "api.py", "testing.py", "version.py"}

ROW = re.compile(r"^\| (?P<names>`[a-z_]+/.*?) \| (?P<story>.*) \|$", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")


def rows() -> Iterator[tuple[list[str], str]]:
    """Yield the rows of CONTRIBUTING's map: modules and folders, and what is said of them.

    A name without a folder is in the folder of the name before it.
    """
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, rest = text.partition("### Module by module")
    for row in ROW.finditer(rest.partition("\n## ")[0]):
        names: list[str] = []
        for name in QUOTED.findall(row["names"]):
            if "/" in name.rstrip("/") or (name.endswith("/") and not names):
                names.append(name)
            else:
                names.append(f"{names[-1].rstrip('/').rpartition('/')[0]}/{name}")
        yield names, row["story"]


def test_the_map_shows_nothing_that_is_not_there() -> None:
    missing = set()
    for names, story in rows():
        missing |= {name for name in names if not (SOURCES / name).exists()}
        if len(names) == 1 and names[0].endswith("/"):
            # The story of a folder tells of its modules by their names.
            for word in QUOTED.findall(story):
                inside = SOURCES / names[0] / word
                if not (inside.is_dir() or inside.with_suffix(".py").exists()):
                    missing.add(f"{names[0]}{word}")

    assert set() == missing


def test_the_map_shows_everything() -> None:
    shown = [name for names, _ in rows() for name in names]
    folders = tuple(name for name in shown if name.endswith("/"))
    hidden = {
        name
        for name in modules()
        if name not in BESIDE
        and not name.endswith("__init__.py")
        and name not in shown
        and not name.startswith(folders)
    }

    assert set() == hidden


def test_the_map_has_its_rows() -> None:
    assert len(list(rows())) > 30


def test_the_map_of_the_page_shows_what_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## The page of the studio")[2].partition("\n## ")[0]
    table = "\n".join(line.split(" | ")[0] for line in section.splitlines() if "`" in line)
    named = set(QUOTED.findall(table)) - {"web"}
    beside = {"main.tsx", "workbench.tsx", "style.css"}  # where it begins
    inside = (ROOT / "web" / "src").iterdir()
    there = {f"{path.name}/" if path.is_dir() else path.name for path in inside} - beside

    assert there == named
