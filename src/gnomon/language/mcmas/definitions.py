"""Definitions and initial values in MCMAS's words: bodies in their places, conditions in `InitStates`.

It is done on the text, so that comments and everything else stay as they are, and compared with the same done
on the tree.
"""

import re
from collections.abc import Iterator
from typing import Final

from gnomon.language import syntax
from gnomon.language.inline import Inliner, inlined, named_in_formulae
from gnomon.language.mcmas.actions import fairness_on_actions
from gnomon.language.mcmas.edits import COMMENT, Edit, Sections, TranslationBug, edited
from gnomon.language.parse import parse
from gnomon.language.syntax import each_line
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.errors import TooLarge
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import replace, same, walk
from gnomon.text.source import Source

_SINGLE: Final = re.compile(r"[\w.]+")


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

    All stay where fairness looks at actions: no proposition could stand for what it looks at. They stay as
    well where a formula still compares one with something: there a comparison begins with a variable, which
    the body of a definition need not do.
    """
    if program.definitions is None or program.is_parameterised or any(fairness_on_actions(program)):
        return None
    defined = {line.name.text for line in each_line(program.definitions.lines)}
    formulae = walk((program.fairness, program.formulae))
    compared = (part for part in formulae if isinstance(part, syntax.StateCondition))
    if any(
        isinstance(part, syntax.Name) and part.text in defined for part in walk(tuple(compared))
    ):
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
        self.sections = Sections(source)
        self.edits: list[Edit] = []

    def result(self) -> Source:
        expected = self.program
        added = ""
        if (lines := _definitions(self.program)) is not None:
            expected = self._without_definitions(self.program)
            added = self._write_bodies(lines)
        expected = self._move_values(expected, added)
        result = Source(self.source.name, edited(self.source.text, self.edits))
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

    def _write_bodies(self, lines: tuple[syntax.Definition, ...]) -> str:
        """Put bodies in the places of names; return propositions for those that formulae name."""
        section = self.program.definitions
        assert section is not None
        comments = COMMENT.findall(self.source.text[slice(*section.span)])
        self.edits.append(Edit(*section.span, "\n".join(["", *comments, ""]) if comments else ""))
        bodies: dict[str, str] = {}
        for line in lines:
            bodies[line.name.text] = self._body(line.body, bodies)
        for start, end, name in self._uses(replace(self.program, definitions=None), bodies):
            self.edits.append(Edit(start, end, _bracketed(bodies[name])))
        asked = named_in_formulae(self.program, bodies)
        return "".join(f"{name} if {bodies[name]};\n" for name in asked)

    def _body(self, body: syntax.Expression, bodies: dict[str, str]) -> str:
        text, start = "", body.span.start
        for use_start, use_end, name in self._uses(body, bodies):
            text += self.source.text[start:use_start] + _bracketed(bodies[name])
            start = use_end
        text += self.source.text[start : body.span.end]
        return " ".join(COMMENT.sub("", text).split())

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
            self.edits.append(Edit(line.type.span.end, line.span.end, ""))
        texts = [
            f"{agent.name.text}.{line.name.text} = {_text_of(line.initial)}"
            for agent, line in moved
        ]
        if propositions:
            self.edits.append(self.sections.with_lines("Evaluation", propositions))
        self._add_initial(texts)
        return _without_values(program, moved) if moved else program

    def _add_initial(self, texts: list[str]) -> None:
        if not texts:
            return
        condition = " and ".join(texts)
        if self.sections.end_of("InitStates") is None or self.program.initial is None:
            self.edits.append(self.sections.with_lines("InitStates", f"{condition};\n"))
            return
        kinds, starts = self.sections.tokens.kinds, self.sections.tokens.starts
        begin = kinds.index("InitStates") + 1
        begin += kinds[begin] == ":"
        last = begin + kinds[begin:].index(";")
        if _says_nothing(self.program.initial):
            self.edits.append(Edit(*self.program.initial.span, condition))
            return
        self.edits.append(Edit(starts[begin], starts[begin], "("))
        self.edits.append(Edit(starts[last], starts[last], f") and {condition}"))


def _bracketed(body: str) -> str:
    """Return a body in brackets, unless it is one name or number."""
    return body if _SINGLE.fullmatch(body) else f"({body})"


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
