"""The Python interface: load a model or build one, check it, look at the answers.

Everything shows itself in a notebook, and as plain text when printed.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.load import Loaded
from gnomon.checking.load import load as load_file
from gnomon.checking.load import load_text as load_program
from gnomon.checking.options import Options, Strategies
from gnomon.checking.question import Question, read
from gnomon.checking.sizes import measure
from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.model.budget import Budget, Report
from gnomon.model.builder import SystemBuilder
from gnomon.model.evidence import Evidence
from gnomon.model.expression import TRUE
from gnomon.model.system import Kind, System
from gnomon.results.data import of_result
from gnomon.results.graph import StateGraph, reachable_graph
from gnomon.results.render import model as model_page
from gnomon.results.render import text as text_page
from gnomon.results.render.evidence import dot as evidence_dot
from gnomon.results.render.evidence import html as html_page
from gnomon.results.render.evidence import itf
from gnomon.results.render.evidence import mermaid as evidence_mermaid
from gnomon.results.render.evidence import svg as evidence_svg
from gnomon.results.render.evidence import text as story_page
from gnomon.results.render.graph import dot, mermaid, svg
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

__all__ = [
    "Answer",
    "CheckResult",
    "InputError",
    "Model",
    "OpenModel",
    "Options",
    "Picture",
    "SystemBuilder",
    "Value",
    "check",
    "load",
    "load_text",
]

#: Printing a model counts its states, but only as long as that takes no time.
_COUNTED = 10_000
#: Nor does drawing one take longer than this.
_SECONDS = 20.0
_AT_ONCE = 2.0


class Picture:
    """A graph that shows itself in a notebook."""

    def __init__(self, graph: StateGraph) -> None:
        """Draw this graph."""
        self.graph = graph

    def svg(self) -> str:
        """Return the picture as SVG."""
        return svg.render(self.graph)

    def dot(self) -> str:
        """Return the graph for Graphviz."""
        return dot.render(self.graph)

    def mermaid(self) -> str:
        """Return the graph for Mermaid."""
        return mermaid.render(self.graph)

    def _repr_svg_(self) -> str:
        return self.svg()


class EvidencePicture:
    """The runs of a piece of evidence, which show themselves in a notebook.

    Where `agents` are given, only their variables and actions are shown.
    """

    def __init__(self, evidence: Evidence, system: System, agents: tuple[str, ...] | None) -> None:
        """Draw this evidence."""
        self._given = (system, evidence, agents)

    def svg(self) -> str:
        """Return the picture as SVG."""
        return evidence_svg.render(*self._given)

    def dot(self) -> str:
        """Return the picture for Graphviz."""
        return evidence_dot.render(*self._given)

    def mermaid(self) -> str:
        """Return the picture for Mermaid."""
        return evidence_mermaid.render(*self._given)

    def _repr_svg_(self) -> str:
        return self.svg()


class EvidenceView:
    """The witness, counterexample or strategy behind an answer."""

    def __init__(self, evidence: Evidence, system: System) -> None:
        """Show this evidence about this system."""
        self.data = evidence
        self.system = system

    @property
    def kind(self) -> str:
        """Return "witness", "counterexample" or "strategy"."""
        return self.data.kind

    def graph(self, *agents: str) -> EvidencePicture:
        """Return a picture of its runs and of the states that agents cannot tell apart."""
        return EvidencePicture(self.data, self.system, agents or None)

    def itf(self, run: int = 1, *agents: str) -> str:
        """Return one of its runs, from 1, as a trace in Apalache's format."""
        count = itf.count(self.data)
        if not 1 <= run <= count:
            msg = f"there is no run {run}: the evidence has {count}"
            raise ValueError(msg)
        return itf.render(self.system, self.data, agents or None, run)

    def __str__(self) -> str:
        """Show it as the command line does."""
        return text_page.render_evidence(self.data, self.system).plain().strip("\n")

    def __repr__(self) -> str:
        """Show what it is."""
        return f"<{self.kind}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>{self.graph().svg()}"


class Answer:
    """The verdict on one formula."""

    def __init__(self, verdict: Verdict, given: System | None) -> None:
        """Show this verdict about a system; for any number of agents it has one of its own, or none."""
        self.verdict = verdict
        self.formula = verdict.formula
        self.parsed = verdict.parsed
        self.value = verdict.value
        self.seconds = verdict.seconds
        self.engine = verdict.engine
        self.strategies = verdict.strategies
        self.reason = verdict.reason
        self.line = verdict.line
        self.numbers = verdict.numbers
        self._system = verdict.system or given
        evidence = verdict.evidence
        self.evidence = (
            None
            if evidence is None or self._system is None
            else EvidenceView(evidence, self._system)
        )

    def story(self, *agents: str) -> str:
        """Return why the formula has its value, in sentences and with all runs."""
        system = self._system or _nobody()
        return story_page.render(system, self.verdict, agents=agents or None).plain().rstrip()

    def html(self, *agents: str) -> str:
        """Return the same as a page of HTML that needs nothing else."""
        return html_page.render(self._system or _nobody(), self.verdict, agents or None)

    @property
    def holds(self) -> bool | None:
        """Return True or False where that is the answer, None where it is open."""
        return {Value.TRUE: True, Value.FALSE: False}.get(self.value)

    def __bool__(self) -> bool:
        """Refuse: an answer may also be open."""
        msg = "an answer may be undefined or unknown: ask for `.value` or `.holds`"
        raise TypeError(msg)

    def __repr__(self) -> str:
        """Show the formula and the value."""
        return f"<{self.formula}: {self.value}>"


class CheckResult:
    """The answers about one model, in the order of its formulae."""

    def __init__(self, result: Result, system: System | None) -> None:
        """Show this result about this system, None for any number of agents."""
        self.result = result
        self.answers = tuple(Answer(verdict, system) for verdict in result.verdicts)
        self.states = result.states
        self.seconds = result.seconds

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the warnings about the model and the run."""
        return self.result.diagnostics

    @property
    def checks(self) -> tuple[SanityCheck, ...]:
        """Return the deadlock and overflow checks that were asked for."""
        return self.result.checks

    @property
    def certificate(self) -> dict[str, Any] | None:
        """Return the proofs, ready for JSON, where `certificate=True` asked for them."""
        return self.result.certificate

    def to_dict(self) -> dict[str, Any]:
        """Return what `gnomon check --json` prints."""
        return of_result(self.result)

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers."""
        return iter(self.answers)

    def __len__(self) -> int:
        """Return how many formulae were checked."""
        return len(self.answers)

    def __getitem__(self, index: int) -> Answer:
        """Return the answer at `index`, from 0."""
        return self.answers[index]

    def __str__(self) -> str:
        """Show it as the command line does."""
        return text_page.render([self.result]).plain().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        marks = {"true": "✓", "false": "✗"}
        rows = "".join(
            f"<tr><td>{marks.get(str(answer.value), '?')}</td>"
            f"<td style='text-align:left'><code>{escape(answer.formula)}</code></td>"
            f"<td>{answer.value}</td><td>{answer.seconds:.3f} s</td></tr>"
            for answer in self
        )
        return f"<table>{rows}</table>"


class Model:
    """A model that can be checked: an interpreted system and what there was to say about it."""

    def __init__(
        self, system: System, diagnostics: tuple[Diagnostic, ...] = (), loaded: Loaded | None = None
    ) -> None:
        """Wrap a system; `load`, `load_text` and `SystemBuilder` make them."""
        self.system = system
        self.diagnostics = diagnostics
        source = Source(system.name, "")
        self._loaded = loaded or Loaded(source, None, system, system.kind, diagnostics)

    @property
    def name(self) -> str:
        """Return where it came from."""
        return self.system.name

    @property
    def kind(self) -> Kind:
        """Return "finite" or "unbounded"."""
        return self.system.kind

    def check(
        self,
        *formulae: str,
        only: Sequence[int] = (),
        engine: Engine = "auto",
        strategies: Strategies = "perfect",
        uniform_group: str | None = None,
        evidence: bool = True,
        certificate: bool = False,
        paranoid: bool = False,
        check_deadlock: bool = False,
        check_overflow: bool = False,
        timeout: float | None = None,
        formula_timeout: float | None = None,
        memory: float | None = None,
        max_states: int | None = None,
        refine: int | None = None,
        predicates: Sequence[str] = (),
        order: OrderChoice = "auto",
        diagrams: LibraryChoice = "auto",
        account: bool = False,
        report: Report | None = None,
    ) -> CheckResult:
        """Check the model's own formulae, all or `only` some, or those given here."""
        options = Options(
            engine=engine,
            strategies=strategies,
            uniform_group=uniform_group,
            evidence=evidence,
            certificate=certificate,
            paranoid=paranoid,
            check_deadlock=check_deadlock,
            check_overflow=check_overflow,
            timeout=timeout,
            formula_timeout=formula_timeout,
            memory=memory,
            max_states=max_states,
            refine=refine,
            order=order,
            diagrams=diagrams,
            account=account,
        )
        loaded = self._loaded
        question = Question(
            loaded.source.text,
            loaded.source.name,
            tuple(sorted(loaded.constants.items())),
            formulae,
            tuple(only),
            (predicates,) if isinstance(predicates, str) else tuple(predicates),
            options,
            self.system if loaded.program is None else None,
        )
        return CheckResult(read(question, loaded).check(report), self._shown)

    @property
    def _shown(self) -> System | None:
        """The system that evidence is about, where it is known beforehand."""
        return self.system

    def ispl(self) -> str:
        """Return the model as a program that Gnomon and MCMAS read."""
        from gnomon.results.export.ispl import render

        return render(self.system)

    def graph(self, limit: int = 200) -> Picture:
        """Return a picture of the reachable states, up to `limit` of them."""
        return Picture(reachable_graph(self.system, limit, budget=Budget(_SECONDS)))

    def __str__(self) -> str:
        """Show what the model is, as a table."""
        sizes = measure(self.system, _COUNTED, _AT_ONCE)
        return model_page.render(self.name, self.system, sizes).plain().rstrip()

    def __repr__(self) -> str:
        """Show its name and kind."""
        return f"<{self.kind} model {self.name}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class OpenModel(Model):
    """A model in which the number of agents is open: `open` has the templates, `system` nobody yet."""

    def __init__(self, loaded: Loaded) -> None:
        """Wrap a program with templates; `load` and `load_text` make them."""
        assert loaded.templates is not None
        super().__init__(_nobody(loaded.templates.name), loaded.diagnostics, loaded)
        self.open = loaded.templates

    @property
    def kind(self) -> Kind:
        """Return "parameterised"."""
        return "parameterised"

    @property
    def _shown(self) -> System | None:
        return None

    def graph(self, limit: int = 200) -> Picture:
        """Refuse: how many states there are depends on how many agents there are."""
        del limit
        msg = "the number of agents is open: `with_agents(Robot=3).graph()` has a picture"
        raise ValueError(msg)

    def with_agents(self, **numbers: int) -> Model:
        """Return the ordinary model with so many agents of each template."""
        from gnomon.model.parameterised.grounding import NotFinite
        from gnomon.model.parameterised.instance import instance

        names = [part.name for part in self.open.templates]
        unknown = [name for name in numbers if name not in names]
        if unknown:
            msg = f"there is no template `{unknown[0]}`: there are {', '.join(names)}"
            raise ValueError(msg)
        members = tuple(name for name in names for _ in range(numbers.get(name, 0)))
        try:
            return Model(instance(self.open, members))
        except NotFinite as problem:
            raise ValueError(str(problem)) from None

    def __str__(self) -> str:
        """Show its templates."""
        names = ", ".join(part.name for part in self.open.templates)
        return f"{self.name}  parameterised: any number of agents of {names}"


def _nobody(name: str = "") -> System:
    """Return a system without agents, for what has nobody to show."""
    return System(name, (), TRUE)


def load(path: str, **constants: int) -> Model:
    """Read a model from a file; keyword arguments override its `Constants`."""
    return _model(load_file(str(path), _whole(constants)))


def load_text(text: str, name: str = "<text>", **constants: int) -> Model:
    """Read a model from a text; keyword arguments override its `Constants`."""
    return _model(load_program(text, name, _whole(constants)))


def _whole(constants: dict[str, int]) -> dict[str, int]:
    """Return constants that are whole numbers, or say which is none."""
    wrong = tuple(
        Diagnostic(
            "G0816", f"constant {name}={value!r} is no whole number", Source("<constants>", "")
        )
        for name, value in constants.items()
        if type(value) is not int
    )
    if wrong:
        raise InputError(wrong)
    return constants


def _model(loaded: Loaded) -> Model:
    if loaded.has_errors:
        raise InputError(loaded.diagnostics)
    if loaded.system is None:
        return OpenModel(loaded)
    return Model(loaded.system, loaded.diagnostics, loaded)


def check(
    model: Model | System,
    *formulae: str,
    only: Sequence[int] = (),
    engine: Engine = "auto",
    strategies: Strategies = "perfect",
    uniform_group: str | None = None,
    evidence: bool = True,
    certificate: bool = False,
    paranoid: bool = False,
    check_deadlock: bool = False,
    check_overflow: bool = False,
    timeout: float | None = None,
    formula_timeout: float | None = None,
    memory: float | None = None,
    max_states: int | None = None,
    refine: int | None = None,
    predicates: Sequence[str] = (),
    order: OrderChoice = "auto",
    diagrams: LibraryChoice = "auto",
    account: bool = False,
    report: Report | None = None,
) -> CheckResult:
    """Check a model's own formulae, all or `only` some, or those given here."""
    subject = Model(model) if isinstance(model, System) else model
    return subject.check(
        *formulae,
        only=only,
        engine=engine,
        strategies=strategies,
        uniform_group=uniform_group,
        evidence=evidence,
        certificate=certificate,
        paranoid=paranoid,
        check_deadlock=check_deadlock,
        check_overflow=check_overflow,
        timeout=timeout,
        formula_timeout=formula_timeout,
        memory=memory,
        max_states=max_states,
        refine=refine,
        predicates=predicates,
        order=order,
        diagrams=diagrams,
        account=account,
        report=report,
    )
