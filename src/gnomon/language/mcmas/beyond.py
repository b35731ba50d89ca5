"""Where a program goes beyond what MCMAS 1.3.0 reads."""

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final, NamedTuple

from gnomon.language import syntax
from gnomon.language.mcmas.actions import fairness_on_actions
from gnomon.language.mcmas.comments import says_it_in_line
from gnomon.language.syntax import each_line
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.record import walk
from gnomon.text.source import Span

#: More steps than this are not written one inside the other.
MOST_NESTED: Final = 30

#: What can be said in other words, unless that becomes too large.
_CHOICES: Final = (
    "`if` between values",
    "`in`",
    "`min`",
    "`max`",
    "`abs`",
    "`number`",
    "`<->`",
    "`xor`",
)

#: What formulae can say in other words, unless there is a reason against it.
_IN_FORMULAE: Final = (
    "`W`",
    "`R`",
    "bounds on steps",
    "`[[…]]`",
    "a coalition that is not",
    "the knowledge of a group that",
    "conditions inside formulae",
    "`true` and `false` as formulae",
)

_COALITION: Final = (
    "what a coalition can keep up until something happens, if ever, cannot be said with `X`, `F`, `G` and "
    "`U`: `gnomon export` has no words for it either"
)
_STEPS: Final = (
    f"no more than {MOST_NESTED} steps are written one inside the other, by `gnomon export` neither"
)
_LARGE: Final = "in MCMAS's words it would become too large, or it depends on a family"
_STUCK: Final = (
    "in MCMAS's words it would become too large, or something in it has none or depends on a family"
)


class Beyond(NamedTuple):
    """What MCMAS does not read, where, and why it cannot be said in other words, if that is known."""

    what: str
    span: Span
    why: str = ""


def report_beyond_mcmas(
    program: syntax.Program, diagnostics: Diagnostics, *, in_other_words: bool = False
) -> None:
    """Add a warning for every construct that MCMAS would reject.

    `in_other_words` says that choices and formulae were put in other words as far as they could be.
    """
    seen: set[Span] = set()
    advised = False
    for what, span, why in _program(program):
        if span in seen:
            continue
        seen.add(span)
        note, help_ = why, ""
        if in_other_words and not why:
            note = _LARGE if what.startswith(_CHOICES) else ""
            note = _STUCK if what.startswith(_IN_FORMULAE) else note
        if what.startswith(_IN_FORMULAE) and not why and not advised:
            advised = not in_other_words or program.uses_families
            if advised:
                other = "export` writes families out, and such formulae"
                name = other if in_other_words else "fmt --mcmas` writes such formulae"
                help_ = f"`gnomon {name} in MCMAS's operators"
        notes = (note,) if note else ()
        diagnostics.add("G0412", f"MCMAS does not read {what}", span, notes=notes, help=help_)


def _program(program: syntax.Program) -> Iterator[Beyond]:
    if program.semantics == "Interleaved" and program.semantics_word is not None:
        yield Beyond("`Interleaved`: its agents move together", program.semantics_word.span)
    for constant in program.constants:
        yield Beyond("`Constants`", constant.span)
    if program.definitions is not None:
        start = program.definitions.span.start
        yield Beyond("`Definitions`", Span(start, start + len("Definitions")))
    sections = (program.parameters, program.assumptions, program.types, program.relations)
    for declaration in chain(*sections, program.axioms, program.predicates):
        yield Beyond("this section", declaration.span)
    for agent in program.agents:
        yield from _agent(agent)
    for first, second in pairwise(program.agents):
        if second.kind == "environment" and first.kind != "environment":
            yield Beyond("an environment that is not the first agent", second.name.span)
    for line in each_line(program.evaluation or ()):
        yield from _name(line.name)
        yield from _condition(line.condition)
    if program.initial is not None:
        yield from _initial(program.initial)
    if program.terminal is not None:
        yield Beyond("`TerminalStates`", program.terminal.span)
    for group in each_line(program.groups):
        yield from _name(group.name)
        for member in group.members:
            yield from _member(member)
        if not group.members:
            yield Beyond("an empty group", group.span)
    for formula in fairness_on_actions(program):
        yield Beyond(
            "fairness on actions (`gnomon export` writes what does the same)", formula.span
        )
    named = {group.name.text for group in each_line(program.groups)}
    for formula in (*each_line(program.fairness), *each_line(program.formulae or ())):
        if says_it_in_line(formula):
            yield Beyond(
                "names and expectations (write `--! name expect false` before it)",
                formula.annotation.span,
            )
        yield from _formula(formula.formula, named)
    for part in walk(program):
        if isinstance(part, syntax.Repeat):
            yield Beyond("`for`", Span(part.span.start, part.span.start + len("for")))
    yield from _misplaced(program)
    yield from _missing(program)


def _misplaced(program: syntax.Program) -> Iterator[Beyond]:
    """Yield sections that do not stand in the one order that MCMAS knows."""
    sections = [
        *(agent.span for agent in program.agents),
        *(line.span for line in (program.evaluation or ())[:1]),
        *([program.initial.span] if program.initial else []),
        *(line.span for line in program.groups[:1]),
        *(line.span for line in program.fairness[:1]),
        *(line.span for line in (program.formulae or ())[:1]),
    ]
    for first, second in pairwise(sections):
        if second.start < first.start:
            yield Beyond("sections in this order", second)


def _missing(program: syntax.Program) -> Iterator[Beyond]:
    end = Span(max(program.span.end - 1, 0), program.span.end)
    for section, name in (
        (program.evaluation, "Evaluation"),
        (program.initial, "InitStates"),
        (program.formulae, "Formulae"),
    ):
        if not section:
            yield Beyond(f"a program without `{name}`", end)


def _member(member: syntax.Members) -> Iterator[Beyond]:
    if isinstance(member, syntax.GroupDifference):
        yield Beyond("`\\` between groups", member.span)
    else:
        yield from _name(member)


def _name(name: syntax.Name) -> Iterator[Beyond]:
    if name.indices:
        yield Beyond("indexed names", name.span)


# Agents


def _agent(agent: syntax.Agent) -> Iterator[Beyond]:
    if agent.kind == "template":
        yield Beyond("templates", agent.name.span)
        return
    yield from _name(agent.name)
    yield from _sections(agent)
    for variable in (*each_line(agent.observed or ()), *each_line(agent.variables or ())):
        yield from _name(variable.name)
        if variable.initial is not None:
            yield Beyond("an initial value beside a declaration", variable.initial.span)
        match variable.type:
            case syntax.IntegerType(span):
                yield Beyond("unbounded integers", span)
            case syntax.NamedType(_, span):
                yield Beyond("named types", span)
            case syntax.RangeType(low, high, span):
                if not isinstance(low, syntax.Number) or not isinstance(high, syntax.Number):
                    yield Beyond("computed bounds", span)
            case syntax.BooleanType() | syntax.EnumerationType():
                pass
    if agent.red is not None:
        yield from _condition(agent.red)
    for protocol in each_line(agent.protocol or ()):
        if protocol.condition is not None:
            yield from _condition(protocol.condition)
    for evolution in each_line(agent.evolution or ()):
        yield from _condition(evolution.guard)
        for assignment in evolution.assignments:
            yield from _name(assignment.target)
            yield from _value(assignment.value)


def _sections(agent: syntax.Agent) -> Iterator[Beyond]:
    """Yield the sections that MCMAS insists on."""
    if agent.kind == "environment":
        return
    for section, name in (
        (agent.variables, "Vars"),
        (agent.actions, "Actions"),
        (agent.protocol, "Protocol"),
        (agent.evolution, "Evolution"),
    ):
        if not section:
            yield Beyond(f"an agent without `{name}`", agent.name.span)


# Conditions and values


def _condition(condition: syntax.Expression) -> Iterator[Beyond]:
    match condition:
        case syntax.Chain("and" | "or", operands):
            for operand in operands:
                yield from _condition(operand)
        case syntax.Unary("!", operand):
            yield from _condition(operand)
        case syntax.Binary("=" | "<>" | "<" | "<=" | ">" | ">=", left, right, span):
            if isinstance(left, syntax.Truth) and isinstance(right, syntax.Truth):
                yield Beyond("a comparison of two constants", span)
            yield from _value(left)
            yield from _value(right)
        case syntax.ActionIs(_, action, equal, span):
            yield from _name(action)
            if not equal:
                yield Beyond("`<>` between actions (write `!(Action = a)`)", span)
        case syntax.Binary("->" | "<->" | "xor" as operator, _, _, span):
            yield Beyond(f"`{operator}` in a condition", span)
        case syntax.IfThenElse() | syntax.Membership():
            yield from _value(condition)
        case syntax.Quantified(quantifier, _, _, span):
            yield Beyond(f"`{quantifier}`", span)
        case _:
            yield Beyond("a condition that is no comparison (write `x = true`)", condition.span)


def _value(value: syntax.Expression) -> Iterator[Beyond]:
    match value:
        case syntax.Number() | syntax.Truth():
            return
        case syntax.Reference(owner, name):
            if owner is not None:
                yield from _name(owner)
            yield from _name(name)
        case syntax.Unary("-", _, span):
            yield Beyond("a minus sign before a variable", span)
        case syntax.Unary(_, operand):
            yield from _value(operand)
        case syntax.Binary("div" | "mod" as operator, _, _, span):
            yield Beyond(f"`{operator}`", span)
        case syntax.Binary(_, left, right):
            yield from _value(left)
            yield from _value(right)
        case syntax.Chain(_, operands):
            yield from _value(operands[0])
            for operand in operands[1:]:
                # Subtraction is a sum with a negative term.
                inner = operand.operand if isinstance(operand, syntax.Unary) else operand
                yield from _value(inner)
        case syntax.ActionIs(_, _, _, span) | syntax.ActionOf(_, span):
            yield Beyond("an action as a value", span)
        case syntax.IfThenElse(_, _, _, span):
            yield Beyond("`if` between values", span)
        case syntax.Membership(_, _, span):
            yield Beyond("`in`", span)
        case syntax.Application(name, _, span):
            function = name.text in syntax.FUNCTIONS
            yield Beyond(f"`{name.text}`" if function else "relations", span)
        case syntax.Quantified(quantifier, _, _, span):
            yield Beyond(f"`{quantifier}`", span)


def _initial(condition: syntax.Expression) -> Iterator[Beyond]:
    """Yield what InitStates may not have in MCMAS: only `A.x = value` and `A.x = B.y` are read."""
    match condition:
        case syntax.Chain("and" | "or", operands):
            for operand in operands:
                yield from _initial(operand)
        case syntax.Unary("!", operand):
            yield from _initial(operand)
        case syntax.Binary("=", syntax.Reference(syntax.Name(), name), right):
            yield from _name(name)
            if isinstance(right, (syntax.Number, syntax.Truth, syntax.Reference)):
                yield from _value(right)
            else:
                yield Beyond("expressions in InitStates", right.span)
        case _:
            yield Beyond("anything but `Agent.variable = value` in InitStates", condition.span)


# Formulae


def _formula(formula: syntax.Formula, groups: set[str]) -> Iterator[Beyond]:
    match formula:
        case syntax.Truth(_, span):
            yield Beyond("`true` and `false` as formulae", span)
        case syntax.Atom(name):
            yield from _name(name)
        case syntax.StateCondition(_, span):
            yield Beyond("conditions inside formulae", span)
        case syntax.IndexedFormula(quantifier, _, _, span):
            yield Beyond(f"`{quantifier}`", span)
        case syntax.WeakFormula(operator, left, right, span):
            yield Beyond(f"`{operator}`", span)
            yield from _formula(left, groups)
            yield from _formula(right, groups)
        case syntax.BoundedFormula(path, bounds):
            high = bounds.high.value if isinstance(bounds.high, syntax.Number) else 0
            yield Beyond("bounds on steps", bounds.span, _STEPS if high > MOST_NESTED else "")
            yield from _sides(path, groups)
        case syntax.CannotAvoid(members, body, span):
            stuck = members and isinstance(body, syntax.UntilFormula)
            yield Beyond("`[[…]]`", span, _COALITION if stuck else "")
            yield from _sides(body, groups)
        case syntax.Coalition(members, syntax.WeakFormula(operator) as body, span) if members:
            yield Beyond(f"`{operator}` after a coalition", span, _COALITION)
            yield from _sides(body, groups)
        case syntax.Coalition(members, body, span):
            if len(members) != 1 or not _is_group(members[0], groups):
                yield Beyond("a coalition that is not the name of a group", span)
            yield from _formula(body, groups)
        case syntax.Modality("GK" | "GCK" | "DK", who, body, span):
            if not _is_group(who, groups):
                yield Beyond("the knowledge of a group that is not named in `Groups`", span)
            yield from _formula(body, groups)
        case syntax.Norm():
            return
        case syntax.Equivalence(_, _, span):
            yield Beyond("`<->` and `xor`", span)
        case syntax.Connective(_, operands):
            for operand in operands:
                yield from _formula(operand, groups)
        case syntax.Implication(left, right) | syntax.UntilFormula(left, right):
            yield from _formula(left, groups)
            yield from _formula(right, groups)
        case (
            syntax.Negation(body)
            | syntax.Temporal(_, body)
            | syntax.PathQuantifier(_, body)
            | syntax.Modality(_, _, body)
        ):
            yield from _formula(body, groups)


def _sides(path: syntax.Formula, groups: set[str]) -> Iterator[Beyond]:
    """Yield what is beyond MCMAS in what a path operator speaks of; the operator is told of already."""
    match path:
        case syntax.WeakFormula(_, left, right):
            yield from _formula(left, groups)
            yield from _formula(right, groups)
        case _:
            yield from _formula(path, groups)


def _is_group(who: syntax.Members | syntax.GroupList, groups: set[str]) -> bool:
    return isinstance(who, syntax.Name) and who.text in groups
