"""A file to a model, with everything there is to say about it."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from gnomon.checking.policy import Policy, judged, report_rules
from gnomon.checking.selection import as_choice
from gnomon.language import syntax
from gnomon.language.expand import constants_in_force, expand, expand_formula
from gnomon.language.parse import Parsed, parse, parse_formula
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.budget import Budget
from gnomon.model.elaborate import elaborate, elaborate_formula
from gnomon.model.formula import Formula
from gnomon.model.fragment import is_propositional
from gnomon.model.lint import lint
from gnomon.model.system import Kind, Specification, System
from gnomon.text.brief import brief_fields
from gnomon.text.diagnostic import Diagnostic, Diagnostics, InputError, closest
from gnomon.text.errors import TooLarge
from gnomon.text.limits import MAX_FILE_BYTES, paused_collection, watch
from gnomon.text.source import Source, Span

if TYPE_CHECKING:
    from gnomon.checking.options import Options
    from gnomon.model.answers import Answers
    from gnomon.model.elaborate.memory import MeaningMemory
    from gnomon.model.parameterised.system import OpenSystem

#: What goes wrong because something else could not be read.
_CONSEQUENCES = frozenset(
    "G0112 G0113 G0201 G0202 G0203 G0204 G0206 G0208 G0210 G0211 G0301 G0302 G0307 G0406 G0410 G0601 "
    "G0603 G0702 G0703 G0705 G0706".split()
)

_LONE_RETURN = re.compile(r"\r(?!\n)")

#: Of a folder with more files than these, the first are looked at for a name that was mistyped.
_MOST_NAMES = 1000

_NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, repr=False)
class Loaded:
    """A program that was read: its tree, its model (None with errors), its diagnostics.

    A system that was built in Python has no program.
    """

    __repr__ = brief_fields

    source: Source
    program: syntax.Program | None
    model: "AnyModel | None"
    kind: Kind
    diagnostics: tuple[Diagnostic, ...] = ()
    #: What was set from outside.
    constants: Mapping[str, int] = field(default_factory=dict)
    #: What all constants are worth, those that were set included.
    in_force: tuple[tuple[str, int], ...] = ()

    @property
    def has_errors(self) -> bool:
        """Return whether the program cannot be used."""
        return any(item.is_error for item in self.diagnostics)

    def policy(self, options: "Options | None" = None) -> Policy:
        """Return what becomes of warnings: by what the file says, and by what is asked for."""
        if options is None:
            return self.policy_with()
        return self.policy_with(options.allow, options.deny, strict=options.strict)

    def policy_with(
        self, allow: Sequence[str] = (), deny: Sequence[str] = (), *, strict: bool = False
    ) -> Policy:
        """Return the same where only this is asked for."""
        rules = () if self.program is None else self.program.code_rules
        return Policy.of(rules, allow, deny, strict=strict)

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """Return what to show of the diagnostics where nothing is decided: all but what the file allows."""
        return judged(self.diagnostics, self.policy().lenient())

    @property
    def system(self) -> System | None:
        """Return the system whose agents are known; None where their number is open."""
        return None if self.model is None else self.model.fixed

    @property
    def templates(self) -> "OpenSystem | None":
        """Return the templates where the number of agents is open; None where it is known."""
        return None if self.model is None else self.model.open


def read_source(path: str) -> Source:
    """Return the text of a file, or of standard input for `-`."""
    return decoded(path, read_bytes(path))


def read_bytes(path: str) -> bytes:
    """Return what is in a file, or in standard input for `-`; of one that is too large, too much."""
    if path == "-":
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    try:
        with open(path, "rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        folder = isinstance(problem, IsADirectoryError)
        help_ = "`gnomon test` takes folders, and tests all models below them" if folder else ""
        if isinstance(problem, FileNotFoundError) and (near := _near(path)):
            help_ = f"did you mean `{near}`?"
        said = f"`{path}` cannot be opened: {reason.lower()}"
        raise _unreadable(path, "G0001", said, help_) from None


def _near(path: str) -> str:
    """Return a file beside one that is not there, with a name like it; "" where there is none."""
    folder, wanted = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = [each.name for each in islice(entries, _MOST_NAMES) if each.is_file()]
    except OSError:
        return ""
    stem, ending = os.path.splitext(wanted)
    found = closest(stem, [name.removesuffix(ending) for name in names if name.endswith(ending)])
    return os.path.join(folder, f"{found}{ending}") if found else ""


def decoded(path: str, data: bytes) -> Source:
    """Return what was read from a file or from standard input as text: UTF-8, with or without a mark."""
    name = "<stdin>" if path == "-" else path
    if len(data) > MAX_FILE_BYTES:
        limit = MAX_FILE_BYTES // 2**20
        raise _unreadable(name, "G0003", f"`{name}` is larger than {limit} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        message = f"`{name}` is not UTF-8 text: byte {data[problem.start]:#04x} in line {line}"
        raise _unreadable(name, "G0002", message) from None
    if "\0" in text:
        raise _unreadable(name, "G0002", f"`{name}` is not a text file: it holds zero bytes")
    # Old files end their lines with a carriage return alone; a comment would never end there.
    return Source(name, _LONE_RETURN.sub("\n", text) if "\r" in text else text)


def _unreadable(name: str, code: str, message: str, help: str = "") -> InputError:
    return InputError((Diagnostic(code, message, Source(name, ""), help=help),))


@contextmanager
def limited(budget: Budget) -> Iterator[None]:
    """Let what is read inside raise `LimitReached` when a budget is used up."""
    token = watch.set(partial(budget.check, "reading"))
    try:
        yield
    finally:
        watch.reset(token)


def load(path: str, constants: Mapping[str, int] = _NOTHING) -> Loaded:
    """Read a program from a file; `constants` override those it declares."""
    return load_source(read_source(path), constants)


def load_text(text: str, name: str = "<text>", constants: Mapping[str, int] = _NOTHING) -> Loaded:
    """Read a program from a text."""
    return load_source(Source(name, text), constants)


def load_source(source: Source, constants: Mapping[str, int] = _NOTHING) -> Loaded:
    """Read a program: parse, write out families, elaborate, look for what is suspicious."""
    with paused_collection():
        return load_parsed(source, parse(source), constants)


def load_parsed(
    source: Source,
    parsed: Parsed,
    constants: Mapping[str, int],
    memory: "MeaningMemory | None" = None,
    answers: "Answers | None" = None,
) -> Loaded:
    """Write out the families of a program that was parsed, elaborate it, look for what is suspicious.

    What is in `memory` need not be elaborated again, and what is in `answers` need not be looked for.
    """
    program, diagnostics = parsed.program, parsed.diagnostics
    report_rules(program.code_rules, diagnostics)
    kind: Kind = "parameterised" if program.is_parameterised else "finite"
    in_force = constants_in_force(program, constants)
    try:
        plain = expand(program, constants, diagnostics, None if memory is None else memory.units)
        if program.is_parameterised and program.definitions is not None:
            from gnomon.language.inline import for_templates  # most programs have no definitions

            plain = for_templates(plain, diagnostics)
    except TooLarge:
        return Loaded(source, program, None, kind, diagnostics.sorted(), constants, in_force)
    broken = diagnostics.has_errors
    model = elaborate(plain, diagnostics, has_templates=program.is_parameterised, memory=memory)
    if broken:
        _drop_consequences(diagnostics)
    if not diagnostics.has_errors and model.fixed is not None:
        lint(model.fixed, diagnostics, answers)
    usable = None if diagnostics.has_errors else model
    # Formulae that are typed in are about the templates as they are written out.
    names = plain if program.is_parameterised else program
    return Loaded(source, names, usable, model.kind, diagnostics.sorted(), constants, in_force)


def _drop_consequences(diagnostics: Diagnostics) -> None:
    """Where lines could not be read, what they declared is missing: do not complain of that too."""
    unread = [item for item in diagnostics.items if item.code.startswith(("G01", "G05"))]
    first = min((item.span.start for item in unread if item.span), default=0)
    diagnostics.items[:] = [
        item
        for item in diagnostics.items
        if item.code not in _CONSEQUENCES or (item.span is not None and item.span.end < first)
    ]


def read_formula(loaded: Loaded, text: str) -> Specification:
    """Return a formula that a user typed about a system whose agents are known."""
    found = read_specification(loaded, text)
    assert isinstance(found, Specification)
    return found


def read_specification(loaded: Loaded, text: str) -> AnySpecification:
    """Return a formula that a user typed, read with the names of a loaded program."""
    line, diagnostics = parse_formula(Source("<formula>", text))
    if line is not None:
        # Names may have indices in systems that were built, too.
        program = loaded.program or syntax.Program()
        line = expand_formula(line, program, loaded.constants, diagnostics)
    found = None
    if line is not None and loaded.model is not None:
        found = elaborate_formula(line, loaded.model, diagnostics, loaded.program)
    if found is None or diagnostics.has_errors:
        raise InputError(_or_a_name(loaded, text, diagnostics.sorted()))
    return found


def _or_a_name(loaded: Loaded, text: str, said: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a formula; whoever typed the name of one is told how to ask for that."""
    name = as_choice(text)
    own = () if loaded.model is None else loaded.model.specifications
    if not said or not any(item.name == name for item in own if item.name):
        return said
    help_ = (
        "this is the name of a formula of the model, which "
        f'`--only {name}` asks, in Python `only="{name}"`'
    )
    return (replace(said[0], help=help_), *said[1:])


def read_predicate(loaded: Loaded, text: str) -> Formula:
    """Return a condition on the state that a user typed, read with the names of a loaded program."""
    if loaded.system is None:
        message = "the model has templates, and nothing is abstracted there"
        help_ = "leave --predicate out"
        raise InputError((Diagnostic("G0814", message, loaded.source, help=help_),))
    found = read_formula(loaded, text)
    said = found.name or found.expected
    if is_propositional(found.formula) and not said:
        return found.formula
    source = Source("<predicate>", text)
    message = "a predicate is a condition on one state: it has no operators of time or knowledge"
    if said:
        message = "a predicate is a condition on one state: it has no name and no expectation"
    raise InputError((Diagnostic("G0606", message, source, Span(0, len(text))),))
