"""Nobody asks what kind a model is but the place that chooses."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "gnomon"
KINDS = {"finite", "unbounded", "parameterised"}
TYPES = {"System", "OpenSystem"}
#: Here it is decided who reads, refuses and answers a question.
CHOOSING = {
    "checking/choose.py",
    "checking/attempts.py",
    "checking/refusals.py",
    "checking/load.py",
}
#: `gnomon.check` takes a model that was loaded, or a system that was built.
TAKES_BOTH = {"api.py"}


def modules() -> Iterator[str]:
    for folder in ("checking", "results", "campaign", "interfaces"):
        for path in (SOURCE / folder).rglob("*.py"):
            yield path.relative_to(SOURCE).as_posix()
    yield "api.py"


def asks_for_the_kind(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=ast.Attribute(attr="kind"), comparators=[ast.Constant(value=value)]):
            return value in KINDS
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.Name(id=name)]):
            return name in TYPES
        case ast.MatchClass(cls=ast.Name(id=name)):
            return name in TYPES
        case _:
            return False


@pytest.mark.parametrize("module", sorted(set(modules()) - CHOOSING - TAKES_BOTH))
def test_a_module_does_not_ask_what_kind_a_model_is(module: str) -> None:
    tree = ast.parse((SOURCE / module).read_text())

    assert [] == [ast.unparse(node) for node in ast.walk(tree) if asks_for_the_kind(node)]


@pytest.mark.parametrize("text", ["x.kind == 'unbounded'", "isinstance(model, OpenSystem)"])
def test_asking_is_noticed(text: str) -> None:
    assert any(asks_for_the_kind(node) for node in ast.walk(ast.parse(text)))
