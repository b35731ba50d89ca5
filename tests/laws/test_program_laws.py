"""Random programs mean the same to every engine, formatted, exported, and to the checker of certificates."""

import json
import re
from collections import Counter
from collections.abc import Callable
from math import prod
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gnomon.checking.check import Options, check
from gnomon.checking.load import Loaded, load_text
from gnomon.checking.verdict import Result, Value
from gnomon.language.format import format_text
from gnomon.language.parse import parse
from gnomon.model.agent import Agent
from gnomon.model.domain import Enumeration, IntegerRange, is_number, size_of
from gnomon.model.expression import Arithmetic, Compare, Expression, Literal, Read, Sum, parts, walk
from gnomon.model.formula import Enforces, GroupKnows, Iff
from gnomon.model.formula import walk as subformulae
from gnomon.model.observers import is_about_steps
from gnomon.model.system import NamedExpression, System
from gnomon.model.translation import CannotExport
from gnomon.results.export.ispl import render
from gnomon.results.export.mcmas_text import in_mcmas_words
from gnomon.text.source import Source
from tests.certificates import verified
from tests.laws.programs import ProgramWriter, scatter
from tests.oracle import Oracle, TooMany
from tests.support import VACUOUS
from tests.systems import examples

#: Programs with more states than that are left to one engine alone, which is none of a comparison.
MOST_STATES = 2_000
#: The oracle goes through all valuations, and lists strategies.
_VALUATIONS = 4_000
_REACHABLE = 60
#: Proofs list states, and to check them one by one takes long.
_PROVED = 500

seeds = st.integers(0, 2**32)
# Making a program takes thousands of choices. To shrink them takes minutes, and a seed says it all.
some = settings(examples(60), phases=[Phase.explicit, Phase.reuse, Phase.generate])


def program(seed: int) -> str:
    return ProgramWriter(Random(seed), families=seed % 2 == 0, small=True).program()


def loaded(text: str) -> Loaded:
    found = load_text(text)
    assert found.system is not None, (text, [item.message for item in found.diagnostics])
    return found


def system_of(text: str) -> System:
    system = loaded(text).system
    assert system is not None
    return system


def states_by_one(system: System) -> Result:
    return check(
        system, None, Options(allow=VACUOUS, engine="explicit", max_states=MOST_STATES, timeout=20)
    )


def symbolic(system: System) -> Result:
    return check(system, None, Options(allow=VACUOUS, engine="bdd", timeout=20))


def values(result: Result) -> list[Value]:
    return [verdict.value for verdict in result]


def said(system: System) -> list[tuple[str, str | None]]:
    return [(item.name, item.expected) for item in system.specifications]


def is_decided(result: Result) -> bool:
    return Value.UNKNOWN not in values(result)


def by_the_oracle(system: System) -> list[Value | None]:
    """Return what the oracle says, None where there is too much to go through."""
    oracle = Oracle(system)
    found: list[Value | None] = []
    for item in system.specifications:
        try:
            found.append(Value.TRUE if oracle.holds(item.formula, item.logic) else Value.FALSE)
        except TooMany:
            found.append(None)
    return found


def is_small(system: System, result: Result) -> bool:
    valuations = prod(size_of(variable.domain) or 1 for variable in system.variables)
    return valuations <= _VALUATIONS and (result.states or 0) <= _REACHABLE


@some
@given(seeds)
def test_every_engine_says_the_same_of_a_program(seed: int) -> None:
    system = system_of(program(seed))
    result = states_by_one(system)
    if is_decided(result):
        assert values(result) == values(symbolic(system))
        assert result.states == symbolic(system).states
        if is_small(system, result):
            pairs = zip(by_the_oracle(system), values(result), strict=True)
            assert all(expected in (None, found) for expected, found in pairs)


@some
@given(seeds)
def test_a_formatted_program_is_the_same_tree_and_gives_the_same_verdicts(seed: int) -> None:
    text = program(seed)
    scattered = scatter(text, Random(seed))
    tidy = format_text(Source("law", scattered))

    assert parse(Source("law", text)).program == parse(Source("law", tidy)).program
    assert tidy == format_text(Source("law", tidy))
    result = symbolic(system_of(text))
    if is_decided(result):
        assert values(result) == values(symbolic(system_of(tidy)))


@some
@given(seeds)
def test_an_exported_program_gives_the_same_verdicts(seed: int) -> None:
    system = system_of(program(seed))
    result = states_by_one(system)
    if is_decided(result):
        try:
            other = system_of(render(system))
        except CannotExport:  # fairness that looks at actions and at somebody's variable
            return
        assert said(system) == said(other)
        assert values(result) == values(symbolic(other))
        assert result.states == symbolic(other).states


@some
@given(seeds)
def test_a_program_in_the_words_of_mcmas_gives_the_same_verdicts(seed: int) -> None:
    text = program(seed)
    other = in_mcmas_words(Source("law", text))
    if other is not None:
        system = system_of(text)
        result = states_by_one(system)
        if is_decided(result):
            again = states_by_one(system_of(other))
            # Steps in one another may take longer than their number.
            if is_decided(again):
                assert values(result) == values(again), other
                assert result.states == again.states


@some
@given(seeds)
def test_the_proofs_of_a_program_are_accepted_against_its_text(seed: int) -> None:
    text = program(seed)
    system = system_of(text)
    result = states_by_one(system)
    if not is_decided(result) or (result.states or 0) > _PROVED:
        return
    options = Options(allow=VACUOUS, engine="bdd", certificate=True, evidence=True, timeout=60)
    certificate = check(system, None, options).certificate
    assert certificate is not None
    # What is written down is checked by somebody who has the text alone.
    certificate, other = json.loads(json.dumps(certificate)), system_of(text)
    asked = other.specifications
    outcomes = verified(other, certificate, asked)
    for outcome, entry in zip(outcomes, certificate["verdicts"], strict=True):
        assert (entry["proof"] is not None or None) == outcome.accepted, outcome


# What occurs


def everything(system: System) -> list[Expression]:
    """Return every condition and value of a system."""
    found = [system.initial, *system.propositions.values()]
    for agent in system.agents:
        found += [line.condition for line in agent.protocol]
        for rule in agent.evolution:
            found += [rule.guard, *(item.value for item in rule.assignments)]
    return found


def depth(expression: Expression) -> int:
    return 1 + max(map(depth, parts(expression)), default=0)


def assigned(system: System, agent: Agent) -> set[str]:
    return {item.variable for line in agent.evolution for item in line.assignments}


def names_in_two_roles(system: System) -> bool:
    values_ = {
        name
        for variable in system.variables
        if isinstance(variable.domain, Enumeration)
        for name in variable.domain.names
    }
    others = {agent.name for agent in system.agents} | set(system.groups) | set(system.propositions)
    actions = {action for agent in system.agents for action in agent.actions}
    return bool(values_ & (others | actions))


def looks_outside(system: System) -> bool:
    """Return whether a variable, or one plus nothing, is compared with what it can never be."""
    domains = {(v.agent, v.name): v.domain for v in system.variables}
    for part in (part for expression in everything(system) for part in walk(expression)):
        match part:
            case Compare(
                _, Sum((Read(agent, name), Literal(0))), Sum((Literal(value), Literal(0)))
            ):
                domain = domains[agent, name]
                if isinstance(domain, IntegerRange) and not domain.low <= int(value) <= domain.high:
                    return True
    return False


def wide(system: System) -> bool:
    return any((size_of(variable.domain) or 0) > 16 for variable in system.variables)


def groups_asked(system: System) -> list[tuple[str, ...]]:
    return [
        part.group.members
        for item in system.specifications
        for part in subformulae(item.formula)
        if isinstance(part, Enforces | GroupKnows)
    ]


#: What has to occur in how many of a hundred small programs: it is treated in a way of its own somewhere.
def is_number_defined(definition: NamedExpression) -> bool:
    return is_number(definition.domain)


CLASSES: dict[str, tuple[int, Callable[[str, System], bool]]] = {
    "a family of nobody": (5, lambda text, _: "n = 0;" in text),
    "a family of one": (10, lambda text, _: "n = 1;" in text),
    "a coalition with a binder": (4, lambda text, _: bool(re.search(r"<[^<>;]*Member\[", text))),
    "a variable of one value": (
        25,
        lambda _, system: any(size_of(v.domain) == 1 for v in system.variables),
    ),
    "an assignment to a variable of one value": (
        10,
        lambda _, system: any(
            size_of(v.domain) == 1 and v.name in assigned(system, agent)
            for agent in system.agents
            for v in agent.variables
        ),
    ),
    "a variable of one value that others see": (
        4,
        lambda _, system: any(
            size_of(v.domain) == 1 and any(v.name in agent.sees for agent in system.agents)
            for v in system.environment.variables
        ),
    ),
    "a wide range": (8, lambda _, system: wide(system)),
    "an agent without variables": (
        12,
        lambda _, system: any(not agent.variables for agent in system.agents[1:]),
    ),
    "an agent without actions": (
        10,
        lambda _, system: any(not agent.actions for agent in system.agents[1:]),
    ),
    "an agent without choice": (
        20,
        lambda _, system: any(len(agent.actions) == 1 for agent in system.agents),
    ),
    "an environment without anything": (
        3,
        lambda _, system: not system.environment.variables and not system.environment.actions,
    ),
    "a group of nobody is asked about": (3, lambda _, system: () in groups_asked(system)),
    "a value in two roles": (10, lambda _, system: names_in_two_roles(system)),
    "a value outside a range": (3, lambda _, system: looks_outside(system)),
    "arithmetic eight deep": (
        8,
        lambda _, system: any(
            isinstance(part, Arithmetic | Sum) and depth(part) >= 8
            for expression in everything(system)
            for part in walk(expression)
        ),
    ),
    "no initial state": (3, lambda _, system: symbolic(system).initial == 0),
    "a name in a line": (20, lambda text, _: bool(re.search(r"\n [\w\[\], -]+ : ", text))),
    "an expectation in a line": (20, lambda text, _: bool(re.search(r"expect \w+;", text))),
    "a name in a comment": (15, lambda text, _: bool(re.search(r"--! (?!expect [tfu])\w", text))),
    "an expectation in a comment": (15, lambda text, _: bool(re.search("--!.*expect [tfu]", text))),
    "a family of names": (5, lambda _, system: any("[" in s.name for s in system.specifications)),
    "a name of something else": (
        10,
        lambda _, system: any(s.name in ("P", "p", "expect") for s in system.specifications),
    ),
    "a code that is allowed": (5, lambda text, _: "--! allow" in text),
    "a choice": (60, lambda text, _: bool(re.search(r"\bif\b[^;]*\bthen\b", text))),
    "a smallest or greatest number": (30, lambda text, _: bool(re.search(r"(min|max)\(", text))),
    "a number of a condition, and a count": (
        15,
        lambda text, _: "number(" in text and "count" in text,
    ),
    "a set of values": (15, lambda text, _: " in {" in text),
    "an equivalence of formulae": (
        10,
        lambda _, system: any(
            isinstance(part, Iff)
            for item in system.specifications
            for part in subformulae(item.formula)
        ),
    ),
    "an action that is stored": (5, lambda text, _: "last = Action" in text),
    "two actions that are compared": (
        5,
        lambda text, _: bool(re.search(r"[=>] \w+\.Action", text)),
    ),
    "a value that looks at an action": (
        5,
        lambda text, _: bool(
            re.search(r"^[^;]*= [^;]*Action[^;]*\belse\b[^;]* if ", text, re.MULTILINE)
        ),
    ),
    "fairness": (20, lambda _, system: bool(system.fairness)),
    "fairness on actions": (10, lambda _, system: any(a.observer for a in system.agents)),
    "fairness of both kinds": (
        3,
        lambda _, system: (
            any(a.observer for a in system.agents)
            and not all(is_about_steps(system, each) for each in system.fairness)
        ),
    ),
    "SingleAssignment": (20, lambda _, system: system.semantics == "SingleAssignment"),
    "a definition that is used twice": (15, lambda text, _: len(re.findall(r"\bd0\b", text)) > 2),
    "a definition that uses another": (5, lambda text, _: bool(re.search(r":= [^;]*\bd\d", text))),
    "a definition that looks at an action": (10, lambda text, _: text.count("does0") > 1),
    "a definition of a number": (
        15,
        lambda _, system: any(map(is_number_defined, system.definitions.values())),
    ),
    "definitions of a family": (5, lambda text, _: "d0[-1, 2]" in text or "d1[-1, 2]" in text),
    "an empty section of definitions": (3, lambda text, _: "Definitions\nend" in text),
    "an initial value": (20, lambda text, _: bool(re.search(r"(boolean|\.\.-?\d+|}) = ", text))),
    "an index that is computed": (5, lambda text, _: ".arr[(" in text),
    "an index of one value": (3, lambda text, _: ".bit[(" in text),
    "an assignment to a computed index": (8, lambda text, _: "\narr[(" in text),
    "a condition in a coalition": (
        2,
        lambda text, _: bool(re.search(r"<[^;]*Member\[\w+ : 1..n where", text)),
    ),
}


def test_every_class_of_programs_occurs() -> None:
    drawn = [(text, system_of(text)) for text in map(program, range(200))]
    found = {
        name: sum(occurs(text, system) for text, system in drawn)
        for name, (_, occurs) in CLASSES.items()
    }

    assert {} == {
        name: found[name] for name, (least, _) in CLASSES.items() if found[name] < 2 * least
    }


def test_most_small_programs_are_decided_and_every_verdict_occurs() -> None:
    results = [states_by_one(system_of(program(seed))) for seed in range(100)]
    found = Counter(value for result in results for value in values(result))

    assert sum(map(is_decided, results)) >= 70
    assert min(found[Value.TRUE], found[Value.FALSE]) >= 30
