"""What is asked, as one value: a text with its constants, formulae, and how to check them.

Every way in makes one of these, and everything that is asked of a model is in it, so that two questions are
the same exactly if their digests are. `read` finds the model and the formulae in it, or says what is wrong,
all at once; `Asked.check` decides them, whatever kind of model it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final

from gnomon.checking.check import check
from gnomon.checking.decider import Decision
from gnomon.checking.load import (
    Loaded,
    limited,
    load_source,
    read_predicate,
    read_specification,
)
from gnomon.checking.options import Options
from gnomon.checking.policy import judged
from gnomon.checking.refusals import contradictory_axioms, refusals
from gnomon.checking.selection import FormulaChoice, as_choice, chosen, is_choice
from gnomon.checking.session import verdict_on
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, Report
from gnomon.model.formula import Formula
from gnomon.model.system import System
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source
from gnomon.text.spelling import spelled

FORMAT: Final = "gnomon question"
VERSION: Final = 1
#: Options that are no part of a question: who listens, and what stands elsewhere in it.
_NOT_ASKED: Final = ("report", "predicates")
#: Options that digests have always been made of; others are in them where they are not what they were before.
_ALWAYS_DIGESTED: Final = frozenset(
    "engine order diagrams strategies uniform_group evidence check_deadlock check_overflow timeout memory "
    "max_states account certificate paranoid refine".split()
)


@dataclass(frozen=True, repr=False)
class Question:
    """What is asked of a model: of a text, or of a `system` that was built and has none.

    `formulae` stand in the place of the model's own; without them, `only` chooses some of these by their
    numbers, from 1, by their names, or by patterns such as `safe[*]`. `predicates` are conditions that cells
    of states are to be told apart by. The name is that of the text, and no part of what is asked.

    >>> import gnomon
    >>> question = gnomon.load("examples/tickets.ispl").question("EF full", timeout=10)
    >>> question.name, question.formulae, question.options
    ('examples/tickets.ispl', ('EF full',), Options(timeout=10))
    >>> len(question.digest), sorted(question.to_data())[:3]
    (64, ['constants', 'format', 'formulae'])
    """

    __repr__ = brief_fields

    text: str
    name: str = "<text>"
    constants: tuple[tuple[str, int], ...] = ()
    formulae: tuple[str, ...] = ()
    only: tuple[FormulaChoice, ...] = ()
    predicates: tuple[str, ...] = ()
    options: Options = Options()
    system: System | None = None

    def __hash__(self) -> int:
        """Go by all that is asked, the name of the text included."""
        return hash((self.name, self.digest))

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        object.__setattr__(self, "only", tuple(map(as_choice, self.only)))
        wrong = []
        if self.formulae and self.only:
            wrong.append(
                "`only` chooses among the model's own formulae: it does not go with others"
            )
        given: dict[str, tuple[Any, ...]] = {
            "formulae": self.formulae,
            "predicates": self.predicates,
        }
        for field, texts in given.items():
            wrong += [
                f"{text!r} in {field} is no text" for text in texts if not isinstance(text, str)
            ]
        wrong += [
            f"constant {name}={value!r} is no whole number"
            for name, value in self.constants
            if type(value) is not int
        ]
        wrong += [
            f"only={choice!r} is no number from 1 on, and no name of a formula"
            for choice in self.only
            if not is_choice(choice)
        ]
        if self.options.report is not None or self.options.predicates:
            wrong.append("who listens is no part of a question, and predicates are given as texts")
        if wrong:
            source = Source(self.name, "")
            raise InputError(tuple(Diagnostic("G0816", each, source) for each in wrong))

    @cached_property
    def digest(self) -> str:
        """What tells this question from others: the same on every machine, and for every name of the text."""
        import hashlib  # a plain check needs neither of them
        import json

        data = {name: value for name, value in self._data().items() if name != "name"}
        usual = _options_data(Options())
        data["options"] = {
            name: value
            for name, value in data["options"].items()
            if name in _ALWAYS_DIGESTED or value != usual[name]
        }
        if self.system is not None:
            data["system"] = spelled(self.system)
        text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """Return it ready for JSON, in the shape that `schema/question.json` publishes."""
        if self.system is not None:
            raise InputError((no_text(self.name),))
        return self._data()

    def _data(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "text": self.text,
            "constants": dict(self.constants),
            "formulae": list(self.formulae),
            "only": list(self.only),
            "predicates": list(self.predicates),
            "options": _options_data(self.options),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> "Question":
        """Return the question that data stands for; raise `InputError` where it is none of ours."""
        _expect(isinstance(data, Mapping), "it is no object")
        _expect(data.get("format") == FORMAT, "it is no question of gnomon's")
        _expect(data.get("version") == VERSION, "it is a question of another version")
        _expect(isinstance(data.get("text"), str), "it has no text")
        _expect(isinstance(data.get("name"), str), "it has no name")
        constants, options = data.get("constants"), data.get("options")
        _expect(isinstance(constants, Mapping), "it has no constants")
        _expect(isinstance(options, Mapping), "it has no options")
        for name in ("formulae", "only", "predicates"):
            _expect(isinstance(data.get(name), list | tuple), f"it has no {name}")
        assert isinstance(constants, Mapping) and isinstance(options, Mapping)
        _expect(all(isinstance(name, str) for name in constants), "a constant has no name")
        known = {field.name for field in fields(Options)} - set(_NOT_ASKED)
        unknown = [str(name) for name in options if name not in known]
        _expect(not unknown, f"there is no option {', '.join(sorted(unknown))}")
        return Question(
            data["text"],
            data["name"],
            tuple(sorted(constants.items())),  # no two have the same name
            tuple(data["formulae"]),
            tuple(data["only"]),
            tuple(data["predicates"]),
            Options(**{name: _listed(value) for name, value in options.items()}),
        )


def _options_data(options: Options) -> dict[str, Any]:
    return {
        field.name: _as_data(getattr(options, field.name))
        for field in fields(Options)
        if field.name not in _NOT_ASKED
    }


def _as_data(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _listed(value: Any) -> Any:
    """Return lists as what they are here."""
    return tuple(value) if isinstance(value, list) else value


def no_text(name: str) -> Diagnostic:
    """Return a word on what only a text can be asked for."""
    message = "a certificate is about a text, and a model that was built has none"
    help_ = "load its program: gnomon.load_text(model.to_ispl()).check(certificate=True)"
    return Diagnostic("G0817", message, Source(name, ""), help=help_)


def _expect(condition: object, what: str) -> None:
    if not condition:
        raise _unreadable(what)


def _unreadable(what: str) -> InputError:
    message = f"this question cannot be read: {what}"
    return InputError((Diagnostic("G0816", message, Source("<question>", "")),))


@dataclass(frozen=True, repr=False)
class Asked:
    """A question that was read: the model, what is asked of it, and all that is to be said about either.

    Where there are errors among the diagnostics, nothing can be checked.
    """

    __repr__ = brief_fields

    question: Question
    loaded: Loaded | None
    diagnostics: tuple[Diagnostic, ...]
    items: tuple[tuple[int, AnySpecification], ...] = ()
    predicates: tuple[Formula, ...] = ()
    #: Reading it took so many seconds, which count.
    seconds: float = 0.0

    @property
    def constants(self) -> tuple[tuple[str, int], ...]:
        """Return what the constants are worth; where nothing could be read, those that were set."""
        return self.loaded.in_force if self.loaded else self.question.constants

    @property
    def has_errors(self) -> bool:
        """Return whether it cannot be answered."""
        return any(item.is_error for item in self.diagnostics)

    def refused(self, more: tuple[Diagnostic, ...] = ()) -> Result:
        """Return the result that only says what is wrong."""
        kind = self.loaded.kind if self.loaded else "finite"
        said = (*self.diagnostics, *more)
        return Result(
            self.question.name,
            kind,
            "",
            None,
            self.seconds,
            (),
            diagnostics=said,
            constants=self.constants,
        )

    def begun(self) -> Result:
        """Return what is known before anything is decided: every verdict is open."""
        if self.loaded is None or self.loaded.model is None:
            return self.refused()
        model, options = self.loaded.model, self.question.options
        nothing = Decision(Value.UNKNOWN)
        verdicts = (verdict_on(*item, options, "", nothing) for item in self.items)
        return Result(
            self.question.name,
            model.kind,
            "",
            None,
            0.0,
            tuple(verdicts),
            system=model.fixed,
            constants=self.constants,
        )

    def check(
        self,
        report: Report | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> Result:
        """Decide all of it; raise `InputError` where there are errors, or where an engine cannot take it.

        `on_verdict` hears of every verdict when it is found, in whatever order; `meanwhile` is called many
        times a second.
        """
        if self.loaded is None or self.has_errors:
            raise InputError(tuple(item for item in self.diagnostics if item.is_error))
        question = self.question
        assert self.loaded.model is not None
        result = check(
            self.loaded.model,
            [formula for _, formula in self.items],
            replace(question.options, report=report, predicates=self.predicates),
            name=question.name,
            diagnostics=self.diagnostics,
            policy=self.loaded.policy(question.options),
            source=self.loaded.source,
            constants=dict(question.constants),
            numbers=None if question.formulae else [number for number, _ in self.items],
            already=self.seconds,
            on_verdict=on_verdict,
            meanwhile=meanwhile,
        )
        return replace(result, constants=self.constants)


def read(question: Question, loaded: Loaded | None = None) -> Asked:
    """Read the model and the formulae of a question, unless the model was read before.

    Raises `LimitReached` where a limit of the question is reached on the way.
    """
    budget = Budget(question.options.timeout, question.options.memory)
    with limited(budget):
        if loaded is None:
            loaded = _loaded(question)
        policy = loaded.policy(question.options)
        if loaded.has_errors:
            said_of_it = judged(loaded.diagnostics, policy)
            return Asked(question, loaded, said_of_it, seconds=budget.spent())
        said = list(loaded.diagnostics)
        if question.system is not None and question.options.certificate:
            said.append(no_text(question.name))
        items = tuple(_items(question, loaded, said))
        predicates = tuple(_predicates(question, loaded, said))
        if loaded.model is not None:
            formulae = [formula for _, formula in items]
            said += refusals(loaded.model, formulae, question.options, loaded.source)
            said += contradictory_axioms(loaded.model, loaded.source)
    return Asked(question, loaded, judged(said, policy), items, predicates, budget.spent())


def _loaded(question: Question) -> Loaded:
    source = Source(question.name, question.text)
    if question.system is not None:
        return Loaded(source, None, question.system, question.system.kind)
    return load_source(source, dict(question.constants))


def _items(
    question: Question, loaded: Loaded, said: list[Diagnostic]
) -> Iterator[tuple[int, AnySpecification]]:
    own: Sequence[AnySpecification] = () if loaded.model is None else loaded.model.specifications
    if question.formulae:
        yield from _typed(question, loaded, own, said)
        return
    items, missed = chosen(question.only, own, loaded.source)
    said += missed
    yield from items


def _typed(
    question: Question,
    loaded: Loaded,
    own: Sequence[AnySpecification],
    said: list[Diagnostic],
) -> Iterator[tuple[int, AnySpecification]]:
    """Yield the formulae that were given; a name means one formula, and the model's names mean its own."""
    meanings = {item.name: item.parsed for item in own}
    given: set[str] = set()
    for number, text in enumerate(question.formulae, 1):
        try:
            found = read_specification(loaded, text)
        except InputError as error:
            said += error.diagnostics
            continue
        name = found.name
        if name and (name in given or meanings.get(name, found.parsed) != found.parsed):
            whose = "given" if name in given else "of the model"
            message = f"another formula {whose} is named `{name}`"
            source = Source("<formula>", text)
            said.append(Diagnostic("G0607", message, source, help="choose another name"))
        given.add(name)
        yield number, found


def _predicates(question: Question, loaded: Loaded, said: list[Diagnostic]) -> Iterator[Formula]:
    for text in question.predicates:
        try:
            yield read_predicate(loaded, text)
        except InputError as error:
            said += [item for item in error.diagnostics if item not in said]
