"""Definitions written out: their bodies in the places of their names.

Ordinary systems share the node of a definition. Templates and MCMAS know none: there each use becomes a copy,
and a definition that a formula of the program names becomes a proposition.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar, cast

from gnomon.language import syntax
from gnomon.language.cursor import MAX_NESTING
from gnomon.language.taken_names import report_taken
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.errors import Reported, TooLarge
from gnomon.text.record import Record, replace, walk
from gnomon.text.source import Span

#: The most operators and operands that definitions may come to where they are used.
MAX_INLINED: Final = 300_000

_Size = tuple[int, int]
Tree = TypeVar("Tree")


class Inliner:
    """Puts bodies in the places of names; `diagnostics` hears of definitions that cannot be written out.

    With `in_formula`, names may stand for propositions, and bodies, which are from another text, are said to
    stand where the name does.
    """

    def __init__(
        self,
        definitions: Iterable[syntax.Definition],
        diagnostics: Diagnostics,
        *,
        in_formula: bool = False,
    ) -> None:
        """Write out the definitions themselves, each with those before it."""
        self.diagnostics = diagnostics
        self.in_formula = in_formula
        self.bodies: dict[str, syntax.Expression] = {}
        self.written = 0
        # How many parts the body of each has, and how deep they are nested.
        self._sizes: dict[str, _Size] = {}
        listed = list(definitions)
        self._places = {line.name.text: line.span for line in listed}
        self._broken: set[str] = set()
        self._complete = False
        for line in listed:
            self._define(line)
        self._complete = True

    def _define(self, line: syntax.Definition) -> None:
        name = line.name.text
        try:
            body, size = self._copy(line.body, frozenset())
        except Reported:
            self._broken.add(name)
            return
        self.bodies[name] = cast("syntax.Expression", body)
        self._sizes[name] = size

    def tree(self, tree: Record | tuple[object, ...] | None) -> object:
        """Return a tree of the language with bodies in the places of names."""
        return self._copy(tree, frozenset())[0]

    def _copy(self, tree: object, bound: frozenset[str]) -> tuple[object, _Size]:
        """Return a copy of a tree, and how large it is; `bound` are the indices that hide definitions."""
        match tree:
            case syntax.Reference(None, syntax.Name(text, ()), span) if text in self._places:
                # What cannot be written out was reported, and is left as it is.
                if text not in bound and (text in self.bodies or not self._complete):
                    return self._body(text, span)
            case syntax.Atom(syntax.Name(text, ()), span) if (
                self.in_formula and text in self.bodies
            ):
                if text not in bound:
                    body, size = self._body(text, span)
                    return syntax.StateCondition(body, span), size
            case syntax.Unary("-", operand, span):
                inner, (parts, depth) = self._copy(operand, bound)
                if isinstance(inner, syntax.Number):
                    return syntax.Number(-inner.value, span), (1, 1)
                return syntax.Unary("-", inner, span), (parts + 1, depth + 1)  # type: ignore[arg-type]
            case syntax.Quantified(_, binders) | syntax.IndexedFormula(_, binders):
                bound = bound | {binder.variable for binder in binders}
            case syntax.Repeat(binders):
                bound = bound | {binder.variable for binder in binders}
            case _:
                pass
        if isinstance(tree, tuple):
            copies = [self._copy(item, bound) for item in tree]
            size = _joined(size for _, size in copies)
            same = all(new is old for (new, _), old in zip(copies, tree, strict=True))
            return (tree if same else tuple(new for new, _ in copies)), size
        if not isinstance(tree, Record):
            return tree, (0, 0)
        return self._record(tree, bound)

    def _record(self, tree: Record, bound: frozenset[str]) -> tuple[object, _Size]:
        changes: dict[str, object] = {}
        sizes: list[_Size] = []
        fields: tuple[str, ...] = type(tree).__match_args__
        for field in fields:
            old = getattr(tree, field)
            if isinstance(old, (Record, tuple)) and field != "span":
                new, size = self._copy(old, bound)
                sizes.append(size)
                if new is not old:
                    changes[field] = new
        parts, depth = _joined(sizes)
        return (replace(tree, **changes) if changes else tree), (parts + 1, depth + 1)

    def _body(self, name: str, span: Span) -> tuple[syntax.Expression, _Size]:
        if name in self._broken:
            raise Reported
        if name not in self.bodies:
            raise self.diagnostics.fail(
                "G0221",
                f"definition `{name}` is used before it is defined",
                span,
                related=(Label(self._places[name], "defined here"),),
                help="a definition may use the definitions before it, and not itself",
            )
        size = self._sizes[name]
        self.written += size[0]
        if self.written > MAX_INLINED or size[1] > MAX_NESTING:
            many = f"have more than {MAX_INLINED:,} parts"
            deep = f"are nested more than {MAX_NESTING} deep"
            self.diagnostics.add(
                "G0505",
                f"written out, the definitions {deep if size[1] > MAX_NESTING else many}",
                span,
                label="too large",
                help="MCMAS and templates know no definitions: each use becomes a copy",
            )
            raise TooLarge
        body = self.bodies[name]
        return (placed(body, span) if self._complete and self.in_formula else body), size


def placed(tree: Tree, span: Span) -> Tree:
    """Return a tree of which everything stands in one place."""
    if isinstance(tree, tuple):
        return tuple(placed(item, span) for item in tree)  # type: ignore[return-value]
    if not isinstance(tree, Record):
        return tree
    fields: tuple[str, ...] = type(tree).__match_args__
    changes = {
        field: span if field == "span" else placed(getattr(tree, field), span) for field in fields
    }
    return replace(tree, **changes)


def _joined(sizes: Iterable[_Size]) -> _Size:
    parts, depth = 0, 0
    for more, deeper in sizes:
        parts, depth = parts + more, max(depth, deeper)
    return parts, depth


def for_templates(program: syntax.Program, diagnostics: Diagnostics) -> syntax.Program:
    """Return a program with templates, whose families are written out, in which nothing uses a definition.

    The definitions stay, written out themselves: a computed index may choose one of them, and formulae that
    are given apart from the program may name them.
    """
    report_taken(program, diagnostics)
    rest, inliner = _without(program, diagnostics)
    lines = tuple(
        syntax.Definition(syntax.Name(name, (), body.span), body, body.span)
        for name, body in inliner.bodies.items()
    )
    return replace(rest, definitions=syntax.DefinitionSection(lines))


def formula_for_templates(
    line: syntax.FormulaLine, program: syntax.Program, diagnostics: Diagnostics
) -> syntax.FormulaLine | None:
    """Return a formula with the definitions of a program with templates written out; None if too large."""
    try:
        inliner = Inliner(_lines(program), diagnostics, in_formula=True)
        found = inliner.tree(line)
    except TooLarge:
        return None
    assert isinstance(found, syntax.FormulaLine)
    return found


def inlined(program: syntax.Program, diagnostics: Diagnostics) -> syntax.Program:
    """Return a program without definitions that means the same."""
    if program.definitions is None:
        return program
    return _without(program, diagnostics)[0]


def _without(program: syntax.Program, diagnostics: Diagnostics) -> tuple[syntax.Program, Inliner]:
    """Return a program without definitions, and what wrote them out."""
    inliner = Inliner(_lines(program), diagnostics)
    asked = named_in_formulae(program, inliner.bodies)
    rest = inliner.tree(replace(program, definitions=None))
    assert isinstance(rest, syntax.Program)
    if asked:
        added = (_proposition(name, inliner.bodies[name]) for name in asked)
        rest = replace(rest, evaluation=(*(rest.evaluation or ()), *added))
    return rest, inliner


def _lines(program: syntax.Program) -> Iterator[syntax.Definition]:
    lines = () if program.definitions is None else program.definitions.lines
    return (line for line in lines if isinstance(line, syntax.Definition))


def named_in_formulae(program: syntax.Program, known: Iterable[str]) -> list[str]:
    """Return the definitions that formulae name as propositions, in the order of their definition."""
    formulae = (program.fairness, program.formulae)
    atoms = {part.name.text for part in walk(formulae) if isinstance(part, syntax.Atom)}
    return [name for name in known if name in atoms]


def _proposition(name: str, body: syntax.Expression) -> syntax.Proposition:
    return syntax.Proposition(syntax.Name(name, (), body.span), body, body.span)
