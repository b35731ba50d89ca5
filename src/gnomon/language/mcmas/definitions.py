"""Definitions and initial values in MCMAS's words: bodies in their places, conditions in `InitStates`.

It is done on the text, so that comments and everything else stay as they are, and compared with the same done
on the tree.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final, NamedTuple, get_args

from gnomon.language import syntax
from gnomon.language.inline import Inliner, inlined, named_in_formulae
from gnomon.language.lexer import Tokens, tokenize
from gnomon.language.mcmas.actions import fairness_on_actions
from gnomon.language.parse import parse
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.errors import Bug, TooLarge
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import Record, replace, same, walk
from gnomon.text.source import Source, Span

_COMMENT: Final = re.compile(r"--[^\n]*")
_SINGLE: Final = re.compile(r"[\w.]+")
#: Sections before which a new one may stand.
_LATER: Final = ("Groups", "Fairness", "Formulae")


#: Nodes with formulae in them.
_FORMULAE: Final = (syntax.Program, syntax.Repeat, syntax.FormulaLine, *get_args(syntax.Formula))


class TranslationBug(Bug):
    """The text in MCMAS's words does not say what the text said: it must not be used."""


class _Edit(NamedTuple):
    """A piece of text that becomes another."""

    start: int
    end: int
    text: str


def has_definitions(program: syntax.Program) -> bool:
    """Return whether there is something to say in other words."""
    return _definitions(program) is not None or any(_moved(program))


def without_definitions(source: Source) -> Source:
    """Return a text without definitions and initial values, as far as it has no families of them."""
    parsed = parse(source)
    if parsed.diagnostics.has_errors or not has_definitions(parsed.program):
        return source
    with room_to_recurse():
        return _McmasText(source, parsed.program).result()


def _definitions(program: syntax.Program) -> tuple[syntax.Definition, ...] | None:
    """Return the definitions, if none of them is a family: families stay what they are.

    All stay where fairness looks at actions: no proposition could stand for what it looks at.
    """
    if program.definitions is None or program.is_parameterised or any(fairness_on_actions(program)):
        return None
    lines = tuple(
        line
        for line in program.definitions.lines
        if isinstance(line, syntax.Definition) and not line.name.indices
    )
    return lines if len(lines) == len(program.definitions.lines) else None


def _moved(program: syntax.Program) -> list[tuple[syntax.Agent, syntax.VariableDeclaration]]:
    """Return the variables whose initial values can stand in `InitStates`."""
    return [
        (agent, line)
        for agent in program.agents
        if not agent.name.indices and agent.kind != "template"
        for line in _declarations(agent)
        if not line.name.indices and _text_of(line.initial)
    ]


def _declarations(agent: syntax.Agent) -> Iterator[syntax.VariableDeclaration]:
    """Yield the declarations of an agent that stand in no `for`."""
    lines: tuple[object, ...] = (*(agent.observed or ()), *(agent.variables or ()))
    return (line for line in lines if isinstance(line, syntax.VariableDeclaration))


def _text_of(value: syntax.Expression | None) -> str:
    """Return a value as MCMAS reads it in `InitStates`, "" where it has to be worked out."""
    match value:
        case syntax.Number(number):
            return str(number)
        case syntax.Truth(truth):
            return "true" if truth else "false"
        case syntax.Reference(None, syntax.Name(name, ())):
            return name
        case _:
            return ""


class _McmasText:
    """Writes a text again."""

    def __init__(self, source: Source, program: syntax.Program) -> None:
        self.source = source
        self.program = program
        self.diagnostics = Diagnostics(source)
        self.tokens: Tokens = tokenize(source, self.diagnostics)
        self.edits: list[_Edit] = []

    def result(self) -> Source:
        expected = self.program
        added = ""
        if (lines := _definitions(self.program)) is not None:
            named = self._name_conditions({line.name.text for line in lines})
            expected = self._without_definitions(self.program)
            added = self._write_bodies(lines, named)
        expected = self._move_values(expected, added)
        text = self.source.text
        for edit in sorted(self.edits, reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
        result = Source(self.source.name, text)
        read = parse(result)
        if read.diagnostics.has_errors or not same(*map(_normal, (read.program, expected))):
            msg = (
                f"`{self.source.name}` in MCMAS's words would not be the same; it is left as it is"
            )
            raise TranslationBug(msg)
        return result

    # Definitions

    def _without_definitions(self, program: syntax.Program) -> syntax.Program:
        try:
            result = inlined(program, self.diagnostics)
        except TooLarge:
            result = program
        if self.diagnostics.has_errors:
            raise InputError(self.diagnostics.sorted())
        return result

    def _name_conditions(self, defined: set[str]) -> list[syntax.Proposition]:
        """Let formulae name what they compare definitions with, and return these propositions.

        In a formula a comparison begins with a variable, which the body of a definition need not do.
        """
        free = (f"holds{number}" for number in count(1))
        unused = (name for name in free if name not in self.tokens.texts)
        named = {
            part.span: syntax.Proposition(syntax.Name(next(unused)), part.condition)
            for part in walk((self.program.fairness, self.program.formulae))
            if isinstance(part, syntax.StateCondition) and _names_any(part, defined)
        }
        atoms = {span: syntax.Atom(line.name, span) for span, line in named.items()}
        self.edits += [_Edit(*span, f" {atom.name.text} ") for span, atom in atoms.items()]
        changed = _replaced(self.program, atoms)
        assert isinstance(changed, syntax.Program)
        added = (*(changed.evaluation or ()), *named.values())
        self.program = replace(changed, evaluation=added) if named else changed
        return list(named.values())

    def _write_bodies(
        self, lines: tuple[syntax.Definition, ...], named: list[syntax.Proposition]
    ) -> str:
        """Put bodies in the places of names; return propositions for those that formulae name."""
        section = self.program.definitions
        assert section is not None
        comments = _COMMENT.findall(self.source.text[slice(*section.span)])
        self.edits.append(_Edit(*section.span, "\n".join(["", *comments, ""]) if comments else ""))
        bodies: dict[str, str] = {}
        for line in lines:
            bodies[line.name.text] = self._body(line.body, bodies)
        own = (self.program.evaluation or ())[: -len(named) or None]
        rest = replace(self.program, definitions=None, evaluation=own)
        for start, end, name in self._uses(rest, bodies):
            self.edits.append(_Edit(start, end, _bracketed(bodies[name])))
        conditions = [(line.name.text, self._body(line.condition, bodies)) for line in named]
        conditions += [(name, bodies[name]) for name in named_in_formulae(self.program, bodies)]
        return "".join(f"{name} if {body};\n" for name, body in conditions)

    def _body(self, body: syntax.Expression, bodies: dict[str, str]) -> str:
        text, start = "", body.span.start
        for use_start, use_end, name in self._uses(body, bodies):
            text += self.source.text[start:use_start] + _bracketed(bodies[name])
            start = use_end
        text += self.source.text[start : body.span.end]
        return " ".join(_COMMENT.sub("", text).split())

    def _uses(self, tree: object, bodies: dict[str, str]) -> list[tuple[int, int, str]]:
        """Return where definitions are used, and which; an index of the same name is none."""
        hidden = [
            part.span
            for part in walk(tree)
            if isinstance(part, (syntax.Quantified, syntax.IndexedFormula, syntax.Repeat))
            and any(binder.variable in bodies for binder in part.binders)
        ]
        found = [
            (*part.span, part.name.text)
            for part in walk(tree)
            if isinstance(part, syntax.Reference)
            and part.owner is None
            and not part.name.indices
            and part.name.text in bodies
            and not any(span.start <= part.span.start < span.end for span in hidden)
        ]
        return sorted(found)

    # Initial values

    def _move_values(self, program: syntax.Program, propositions: str) -> syntax.Program:
        moved = _moved(self.program)
        for _, line in moved:
            self.edits.append(_Edit(line.type.span.end, line.span.end, ""))
        texts = [
            f"{agent.name.text}.{line.name.text} = {_text_of(line.initial)}"
            for agent, line in moved
        ]
        self._add_section("Evaluation", propositions)
        self._add_initial(texts)
        return _without_values(program, moved) if moved else program

    def _add_section(self, section: str, lines: str) -> None:
        if not lines:
            return
        place = self._end_of(section)
        if place is None:
            new = f"\n{section}\n{lines}end {section}\n"
            first = self._first("InitStates", *_LATER)
            self.edits.append(_Edit(first, first, new))
        else:
            begun = self.source.text[:place].rstrip(" \t")[-1:] != "\n"
            self.edits.append(_Edit(place, place, f"\n{lines}" if begun else lines))

    def _add_initial(self, texts: list[str]) -> None:
        if not texts:
            return
        condition = " and ".join(texts)
        end = self._end_of("InitStates")
        if end is None or self.program.initial is None:
            if end is not None:
                self.edits.append(_Edit(end, end, f"{condition};\n"))
            else:
                first = self._first(*_LATER)
                new = f"\nInitStates\n{condition};\nend InitStates\n"
                self.edits.append(_Edit(first, first, new))
            return
        kinds, starts = self.tokens.kinds, self.tokens.starts
        begin = kinds.index("InitStates") + 1
        begin += kinds[begin] == ":"
        last = begin + kinds[begin:].index(";")
        if _says_nothing(self.program.initial):
            self.edits.append(_Edit(*self.program.initial.span, condition))
            return
        self.edits.append(_Edit(starts[begin], starts[begin], "("))
        self.edits.append(_Edit(starts[last], starts[last], f") and {condition}"))

    def _end_of(self, section: str) -> int | None:
        """Return where the `end` of a section stands, whose word is reserved."""
        kinds = self.tokens.kinds
        for number, kind in enumerate(kinds):
            if kind == "end" and kinds[number + 1] == section:
                return self.tokens.starts[number]
        return None

    def _first(self, *sections: str) -> int:
        """Return where the first of some sections begins, or the end of the text."""
        for kind, start in zip(self.tokens.kinds, self.tokens.starts, strict=True):
            if kind in sections:
                return start
        return len(self.source.text)


def _bracketed(body: str) -> str:
    """Return a body in brackets, unless it is one name or number."""
    return body if _SINGLE.fullmatch(body) else f"({body})"


def _names_any(tree: object, names: set[str]) -> bool:
    return any(isinstance(part, syntax.Name) and part.text in names for part in walk(tree))


def _replaced(tree: object, instead: Mapping[Span, syntax.Atom]) -> object:
    """Return a tree with other nodes in the places of conditions in formulae."""
    if isinstance(tree, syntax.StateCondition):
        return instead.get(tree.span, tree)
    if isinstance(tree, tuple):
        return tuple(_replaced(item, instead) for item in tree)
    if not isinstance(tree, Record) or not isinstance(tree, _FORMULAE):
        return tree
    names: tuple[str, ...] = type(tree).__match_args__
    return replace(tree, **{name: _replaced(getattr(tree, name), instead) for name in names})


def _normal(program: syntax.Program) -> object:
    """Return a tree to compare with: `-v` where v is 1 is read as -1, and nobody cares about families."""
    return Inliner((), Diagnostics(Source("", ""))).tree(replace(program, uses_families=False))


def _without_values(
    program: syntax.Program, moved: list[tuple[syntax.Agent, syntax.VariableDeclaration]]
) -> syntax.Program:
    """Return the tree of the program with these values in `InitStates`."""
    places = {line.span for _, line in moved}

    def plain(
        lines: tuple[syntax.VariableDeclaration, ...] | None,
    ) -> tuple[syntax.VariableDeclaration, ...] | None:
        return lines and tuple(
            replace(line, initial=None) if line.span in places else line for line in lines
        )

    agents = tuple(
        replace(agent, variables=plain(agent.variables), observed=plain(agent.observed))
        for agent in program.agents
    )
    conditions = [_condition(agent, line) for agent, line in moved]
    if program.initial is not None and not _says_nothing(program.initial):
        conditions.insert(0, program.initial)
    initial = conditions[0] if len(conditions) == 1 else syntax.Chain("and", tuple(conditions))
    return replace(program, agents=agents, initial=initial)


def _says_nothing(condition: syntax.Expression) -> bool:
    return isinstance(condition, syntax.Truth) and condition.value


def _condition(agent: syntax.Agent, line: syntax.VariableDeclaration) -> syntax.Expression:
    assert line.initial is not None
    variable = syntax.Reference(agent.name, line.name)
    return syntax.Binary("=", variable, line.initial)
