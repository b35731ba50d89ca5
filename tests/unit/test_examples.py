"""The examples in docstrings: they run, and every public name of the Python interface has one."""

import doctest
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

import pytest

import gnomon
from gnomon.api import (
    answers,
    certificates,
    coverage,
    parts,
    pictures,
    plots,
    thresholds,
    traces,
    walk_views,
)
from gnomon.campaign import answer
from gnomon.checking import question, verdict
from gnomon.model import builder, evidence, operand
from gnomon.results import groups
from gnomon.text import diagnostic
from tests.support import ROOT

SOURCES = ROOT / "src"

#: Examples that need a library which need not be there, by a word that occurs in them.
NEEDED = {
    "to_frame": "pandas",
    "account_frame": "pandas",
    "networkx": "networkx",
    "matplotlib": "matplotlib",
    "plot(": "matplotlib",
    "altair": "altair",
}


def with_examples() -> list[str]:
    return [
        path.relative_to(SOURCES).with_suffix("").as_posix().replace("/", ".")
        for path in sorted(SOURCES.rglob("*.py"))
        if ">>> " in path.read_text(encoding="utf-8") and path.name != "__main__.py"
    ]


@pytest.mark.parametrize("name", with_examples())
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = import_module(name.removesuffix(".__init__"))
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    for example in doctest.DocTestFinder().find(module):
        words = example.docstring or ""
        missing = [each for word, each in NEEDED.items() if word in words and not find_spec(each)]
        if example.examples and not missing:
            runner.run(example, out=said.append)

    assert "" == "".join(said)


# Every public name

#: What is met as a part of something public, and has no name in `gnomon`.
MET: list[type] = [
    answers.EvidenceView,
    certificates.CheckedProof,
    certificates.Verification,
    coverage.CoverageView,
    parts.ModelAgent,
    parts.ModelFormula,
    pictures.EvidencePicture,
    plots.SweepPlot,
    thresholds.ThresholdsView,
    traces.TraceStep,
    walk_views.AlikeStates,
    walk_views.WalkHistory,
    walk_views.WalkMove,
    walk_views.WalkMoves,
    builder.AgentBuilder,
    operand.Operand,
]
#: Data that is found in these, whose fields need no example each.
FOUND: list[type] = [
    diagnostic.Diagnostic,
    diagnostic.Severity,
    evidence.Evidence,
    evidence.Explanation,
    evidence.Run,
    evidence.Step,
    evidence.Strategy,
    groups.GroupSurvey,
    answer.Provenance,
    question.Question,
    verdict.SanityCheck,
]
#: What is for the modules of the package alone, and what is only kept for a while.
INNER = {"finish", "finished", "ispl", "of", "csv", "rows", "frame"}


def public() -> Iterator[object]:
    yield from (getattr(gnomon, name) for name in gnomon.__all__ if name != "__version__")
    yield from MET
    yield from FOUND


def examples_of(thing: object) -> str:
    """Return the examples in the docstring of something, as one text."""
    text = inspect.getdoc(thing) or ""
    return "".join(each.source for each in doctest.DocTestParser().get_examples(text))


def methods(kind: type) -> Iterator[tuple[str, object]]:
    """Yield what a class of ours, or one that it comes from, defines for others."""
    for name in dir(kind):
        ours = [
            each
            for each in kind.__mro__
            if name in vars(each) and each.__module__.startswith("gnomon.")
        ]
        member = inspect.getattr_static(kind, name)
        is_asked = isinstance(member, property | staticmethod) or callable(member)
        if ours and is_asked and not name.startswith("_") and name not in INNER:
            yield name, member


def lacking(kind: type) -> Iterator[str]:
    """Yield the names of a class that neither have an example nor occur in one of the class."""
    shown = "".join(examples_of(each) for each in kind.__mro__ if each is not object)
    shown += "".join(examples_of(member) for _, member in methods(kind))
    for name, member in methods(kind):
        if not inspect.getdoc(member):
            yield f"{kind.__name__}.{name} has no docstring"
        elif not re.search(rf"\b{name}\b", shown):
            yield f"{kind.__name__}.{name} has no example"


def test_every_public_name_has_a_docstring_with_an_example() -> None:
    said = []
    for thing in public():
        if not examples_of(thing):
            said.append(f"{thing} has no example")
        if isinstance(thing, type) and thing not in FOUND:
            said += lacking(thing)

    assert [] == said


def test_help_is_a_tour() -> None:
    tour = gnomon.__doc__
    named = {"load", "check", "SystemBuilder", "sweep", "who", "walk", "Campaign", "notebook"}

    assert all(word in tour for word in named)
    assert len(tour.splitlines()) < 100


def test_a_name_without_an_example_is_found() -> None:
    class Bare:
        """Something.

        >>> Bare().shown()
        """

        def shown(self) -> None:
            """Do it."""

        def hidden(self) -> None:
            """Do it."""

    Bare.__module__ = "gnomon.bare"

    assert ["Bare.hidden has no example"] == list(lacking(Bare))
