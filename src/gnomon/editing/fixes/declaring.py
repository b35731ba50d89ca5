"""Names that nobody declared: declare them, or say what was meant."""

import re
from collections.abc import Iterator
from typing import Final

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    agent_section,
    child,
    items_added,
    line_added,
    part_added,
    program_section,
    section_added,
    token_at,
    token_span,
)
from gnomon.language import syntax
from gnomon.text.diagnostic import closest
from gnomon.text.record import walk
from gnomon.text.source import Span

_NAME: Final = re.compile(r"[A-Za-z]\w*")
_LISTED: Final = re.compile(r"Lobsvars = \{ (?P<names>[^}]*) \};")
_OUTSIDE: Final = re.compile(
    r"`(?P<name>\w+)` is in (?P<low>-?\d+)\.\.(?P<high>-?\d+) and "
    r"(?:can never be|cannot become|cannot start as) (?P<value>-?\d+)"
)
_VALUES: Final = re.compile(r"is not one of the values \{(?P<values>[^}]*)\}")


def declare_action(mistake: Mistake) -> Iterator[Fix]:
    """Declare an action in the agent that it was looked for in."""
    found = re.fullmatch(
        r"action `(.+)` is not an action of agent `(.+)`", mistake.message
    ) or re.fullmatch(r"`(.+)` is not an action of .*`(.+)`", mistake.message)
    if found is None or not _NAME.fullmatch(found[1]):
        return
    action, name = found[1], found[2]
    agent = agent_section(mistake.analysis, name)
    if agent is None:
        return
    actions = child(agent, "Actions")
    title = f"Declare the action `{action}` in `{agent.name}`"
    if actions is None:
        lines = (f"Actions = {{ {action} }};",)
        yield Fix(title, (part_added(mistake.analysis, agent, "Vars", lines),))
        return
    change = items_added(mistake.analysis, actions.span, [action])
    if change is not None:
        yield Fix(title, (change,))


def declare_value(mistake: Mistake) -> Iterator[Fix]:
    """Add a value to the enumeration that it was looked for in."""
    found = _VALUES.search(mistake.message)
    value = mistake.written
    if found is None or not _NAME.fullmatch(value):
        return
    wanted = [name.strip() for name in found["values"].split(",")]
    types = [
        (name.text, type_)
        for name, type_ in _declared_types(mistake)
        if isinstance(type_, syntax.EnumerationType)
        and [each.text for each in type_.values] == wanted
    ]
    beside = [each for each in types if each[0] == _compared_with(mistake)]
    for name, type_ in (beside or types)[:1] if beside or len(types) == 1 else ():
        change = items_added(mistake.analysis, type_.span, [value])
        if change is not None:
            yield Fix(f"Add `{value}` to the values of `{name}`", (change,))


def _declared_types(mistake: Mistake) -> Iterator[tuple[syntax.Name, syntax.Type]]:
    program = mistake.analysis.program
    for declared in program.types:
        yield declared.name, declared.type
    for agent in program.agents:
        for line in syntax.each_line((*(agent.observed or ()), *(agent.variables or ()))):
            yield line.name, line.type


def _compared_with(mistake: Mistake) -> str:
    """Return the variable that something is compared with, or given to."""
    for part in walk(mistake.analysis.program):
        match part:
            case syntax.Binary(_, syntax.Reference(_, name), right) if right.span == mistake.span:
                return name.text
            case syntax.Binary(_, left, syntax.Reference(_, name)) if left.span == mistake.span:
                return name.text
            case syntax.Assignment(name, value) if value.span == mistake.span:
                return name.text
            case syntax.Membership(syntax.Reference(_, name), members):
                if any(each.span == mistake.span for each in members):
                    return name.text
            case _:
                pass
    return ""


def wider_type(mistake: Mistake) -> Iterator[Fix]:
    """Give a variable that holds actions a value for each of them."""
    found = re.match(r"`(.+)` cannot hold every action: (.+) (?:is|are) not among", mistake.message)
    agent = mistake.agent()
    if found is None or agent is None:
        return
    missing = found[2].split(", ")
    for line in syntax.each_line((*(agent.observed or ()), *(agent.variables or ()))):
        if line.name.text == found[1] and isinstance(line.type, syntax.EnumerationType):
            change = items_added(mistake.analysis, line.type.span, missing)
            if change is not None:
                title = f"Add {_and(missing)} to the values of `{found[1]}`"
                yield Fix(title, (change,), preferred=True)


def widen_range(mistake: Mistake) -> Iterator[Fix]:
    """Let a variable have the number that is out of its range, where one declaration says so."""
    found = _OUTSIDE.fullmatch(mistake.message)
    if found is None:
        return
    low, high, value = (int(found[part]) for part in ("low", "high", "value"))
    shown = f"{min(low, value)}..{max(high, value)}"
    types = []
    for name, type_ in _declared_types(mistake):
        match type_:
            case syntax.RangeType(_, _, span) if name.text == found["name"]:
                if mistake.text[span.start : span.end].replace(" ", "") == f"{low}..{high}":
                    types.append(span)
            case _:
                pass
    if len(types) == 1:
        title = f"Widen the range of `{found['name']}` to {shown}"
        yield Fix(title, (TextChange(types[0], shown),))


def observe(mistake: Mistake) -> Iterator[Fix]:
    """Let an agent see what it reads of the environment."""
    listed = _LISTED.search(mistake.help)
    agent = agent_section(mistake.analysis, mistake.quoted[0]) if mistake.quoted else None
    if listed is None or agent is None or "…" in mistake.help:
        return
    names = re.split(r", (?![^\[]*\])", listed["names"])
    local = child(agent, "Lobsvars")
    if local is None:
        title = f"Let `{agent.name}` observe {_and(names)}"
        change = part_added(mistake.analysis, agent, "", [listed[0]])
        yield Fix(title, (change,), preferred=True)
        return
    program_agent = mistake.agent(mistake.quoted[0])
    known = program_agent.local_observed or () if program_agent is not None else ()
    new = [name for name in names if name not in {each.text for each in known}]
    added = items_added(mistake.analysis, local.span, new)
    if added is not None:
        yield Fix(f"Let `{agent.name}` observe {_and(new)}", (added,), preferred=True)


def _and(names: list[str]) -> str:
    shown = [f"`{name}`" for name in names]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


# Words and conditions


def meant_word(mistake: Mistake) -> Iterator[Fix]:
    """Write words of ISPL for those of others, and the environment in front of its variables."""
    help_ = mistake.help
    if help_.startswith("a variable of the environment is written"):
        yield mistake.replace(mistake.advised[0], preferred=True)
    elif not help_ and _NAME.fullmatch(mistake.written):
        guess = closest(mistake.written, ["Other", "true", "false", "Action"])
        if guess is not None:
            yield mistake.replace(guess, preferred=True)
    elif help_.startswith("what is left is written `Other"):
        yield mistake.replace("Other", preferred=True)
    elif help_.startswith("what an agent does is written `Action`"):
        yield mistake.replace("Action", preferred=True)
    elif help_.startswith("what an agent does is written `") and len(mistake.advised) == 1:
        asked, _, action = mistake.advised[0].partition(" = ")
        new = asked if action == "…" else mistake.advised[0]
        yield mistake.replace(new, preferred=True)


def write_condition(mistake: Mistake) -> Iterator[Fix]:
    """Write the condition of a proposition where the proposition cannot stand."""
    if "write its condition here" not in mistake.help:
        return
    for line in syntax.each_line(mistake.analysis.program.evaluation or ()):
        if line.name.text == mistake.written and not line.name.indices:
            condition = mistake.analysis.source.on_one_line(line.condition.span)
            change = TextChange(mistake.span, f"({condition})")
            title = f"Write the condition of `{mistake.written}` here"
            yield Fix(title, (change,), preferred=True)
            return


def count_condition(mistake: Mistake) -> Iterator[Fix]:
    """Count a condition as 1 or 0 where a number is needed."""
    if mistake.message == "a number is needed here, and this is a Boolean":
        yield Fix(
            f"Count it as 1 or 0: `number({mistake.written})`",
            (TextChange(mistake.span, f"number({mistake.written})"),),
        )


# Propositions and groups


def compare_variable(mistake: Mistake) -> Iterator[Fix]:
    """Ask whether a Boolean variable holds, where a proposition of its name is missing."""
    name = mistake.written
    for agent in mistake.analysis.program.agents:
        for line in syntax.each_line((*(agent.observed or ()), *(agent.variables or ()))):
            plain = not agent.name.indices and not line.name.indices
            if plain and line.name.text == name and isinstance(line.type, syntax.BooleanType):
                yield mistake.replace(f"{agent.name.text}.{name} = true")


def define_proposition(mistake: Mistake) -> Iterator[Fix]:
    """Define a proposition; its condition is left to be filled in."""
    name = mistake.written
    if not _NAME.fullmatch(name):
        return
    line = f"{name} if true;  -- TODO: say where `{name}` holds"
    yield _defined(mistake, "Evaluation", line, f"Define the proposition `{name}`")


def define_group(mistake: Mistake) -> Iterator[Fix]:
    """Define a group of all agents, from which some can be taken out."""
    name = mistake.written
    agents = [agent.name for agent in mistake.analysis.program.agents if agent.kind == "agent"]
    if not _NAME.fullmatch(name) or not agents or any(each.indices for each in agents):
        return
    members = ", ".join(each.text for each in agents)
    line = f"{name} = {{ {members} }};  -- TODO: say who is in `{name}`"
    yield _defined(mistake, "Groups", line, f"Define the group `{name}`")


def _defined(mistake: Mistake, word: str, line: str, title: str) -> Fix:
    section = program_section(mistake.analysis, word)
    if section is None:
        return Fix(title, (section_added(mistake.analysis, word, (line,)),))
    return Fix(title, (line_added(mistake.analysis, section, line),))


def knowledge_of_group(mistake: Mistake) -> Iterator[Fix]:
    """Ask what a group knows with an operator of groups."""
    if not mistake.help.startswith("this is a group: its knowledge is"):
        return
    analysis = mistake.analysis
    place = token_at(analysis, mistake.span.start) - 2
    if place < 0 or analysis.tokens.texts[place] != "K":
        return
    what = {"GK": "everybody in", "GCK": "it is common knowledge in", "DK": "together, those in"}
    for operator, who in what.items():
        change = TextChange(token_span(analysis, place), operator)
        yield Fix(f"Write `{operator}`: {who} `{mistake.written}`", (change,))


def own_action(mistake: Mistake) -> Iterator[Fix]:
    """Look at the agent's own action, which is the same where both act together."""
    wanted = "write `Action`" in mistake.help or "write `Action = …`" in mistake.help
    if not wanted:
        return
    for other in re.finditer(r"\b[A-Za-z]\w*\s*\.\s*(?=Action\b)", mistake.written):
        start = mistake.span.start
        change = TextChange(Span(start + other.start(), start + other.end()), "")
        yield Fix(f"Write `Action` instead of `{other[0]}Action`", (change,), preferred=True)
        return
