"""The short reasons of verdicts are true sentences, taken word by word."""

import re
from collections.abc import Callable
from random import Random

from hypothesis import given

from gnomon.checking.verdict import Value, Verdict
from gnomon.model import formula as f
from gnomon.model.formula import show_formula
from gnomon.model.step import State
from gnomon.model.system import Logic
from gnomon.results.reasons import short_reason
from tests.fairness import fairly
from tests.oracle import Node, Oracle, States, components
from tests.systems import examples, random_formula, random_system, seeds


class Runs:
    """What runs there are, by the words of the sentences; with fairness, only fair ones are spoken of."""

    def __init__(self, oracle: Oracle) -> None:
        self.graph = oracle.graph
        self.constraints = oracle.constraints
        self.endless = self.endless_in(frozenset(self.graph))
        fair = bool(self.constraints)
        #: Where a run may be: with fairness it goes on for ever.
        self.anywhere = self.endless if fair else frozenset(self.graph)
        self.starts = oracle.initial & self.endless if fair else oracle.initial

    def endless_in(self, where: States) -> States:
        """Return where infinite (with fairness, fair) runs start that never leave some states."""
        nodes: dict[Node, list[Node]] = {
            (state, ()): [(to, ()) for to in self.graph[state] & where] for state in where
        }
        found: set[State] = set()
        for component in components(nodes):
            states = {state for state, _ in component}
            cycle = len(states) > 1 or any(state in self.graph[state] for state in states)
            if cycle and all(states & constraint for constraint in self.constraints):
                found |= states
        while True:
            more = {state for state in where - found if found & self.graph[state]}
            if not more:
                return frozenset(found)
            found |= more

    def reached(self, start: State, inside: States) -> States:
        """Return what is reached from a state without leaving some states."""
        found: set[State] = set()
        todo = [start] if start in inside else []
        while todo:
            state = todo.pop()
            if state not in found:
                found.add(state)
                todo += self.graph[state] & inside
        return frozenset(found)

    def next(self, start: State, inside: States) -> States:
        """Return where a run of these states is after its first step."""
        return self.graph[start] & inside if start in inside else frozenset()


def meanings(runs: Runs, body: States) -> dict[str, Callable[[], bool]]:
    """Return what each sentence says, `it` being true in these states."""
    starts, endless, anywhere = runs.starts, runs.endless, runs.anywhere
    keeps, avoids = runs.endless_in(body), runs.endless_in(frozenset(runs.graph) - body)
    return {
        "every endless run has `it` in all its states": lambda: all(
            runs.reached(start, endless) <= body for start in starts
        ),
        "a run reaches a state where `it` is false": lambda: any(
            not runs.reached(start, anywhere) <= body for start in starts
        ),
        "every run has `it` in all its states": lambda: all(
            runs.reached(start, anywhere) <= body for start in starts
        ),
        "no run gets to `it`": lambda: (
            not any(runs.reached(start, anywhere) & body for start in starts)
        ),
        "from some start no run gets to `it`": lambda: any(
            not runs.reached(start, anywhere) & body for start in starts
        ),
        "no endless run gets to `it`": lambda: (
            not any(runs.reached(start, endless) & body for start in starts)
        ),
        "a run gets to `it`": lambda: any(runs.reached(start, anywhere) & body for start in starts),
        "every endless run gets to `it`": lambda: not starts & avoids,
        "an endless run never gets to `it`": lambda: bool(starts & avoids),
        "every endless run has `it` after its first step": lambda: all(
            runs.next(start, endless) <= body for start in starts
        ),
        "a run has `it` false after its first step": lambda: any(
            not runs.next(start, anywhere) <= body for start in starts
        ),
        "from every start an endless run has `it` in all its states": lambda: starts <= keeps,
        "from some start no endless run has `it` in all its states": lambda: not starts <= keeps,
        "from every start a run gets to `it`": lambda: all(
            runs.reached(start, anywhere) & body for start in starts
        ),
        "from some start no endless run gets to `it`": lambda: any(
            not runs.reached(start, endless) & body for start in starts
        ),
        "from every start a run has `it` after its first step": lambda: all(
            runs.next(start, anywhere) & body for start in starts
        ),
        "from some start no endless run has `it` after its first step": lambda: any(
            not runs.next(start, endless) & body for start in starts
        ),
    }


@given(seeds)
@examples(300)
def test_reasons_are_true(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    if seed % 2:
        system = fairly(rng, system)
    oracle = Oracle(system)
    runs = Runs(oracle)
    body = random_formula(rng, system, 1, "bool")
    logic: Logic = rng.choice(["CTL", "CTL*"])
    about = rng.choice([body, f.Not(body)])
    paths: list[f.Formula] = [f.Next(about), f.Finally(about), f.Globally(about)]
    path = rng.choice(paths)
    formulae: list[f.Formula] = [f.All(path), f.Exists(path)]
    formula = rng.choice(formulae)
    value = Value.TRUE if oracle.holds(formula, logic) else Value.FALSE
    text = show_formula(formula)
    written = text if logic == "CTL" else f"CTL* {text}"
    said = short_reason(Verdict(1, written, text, value, "oracle", 0.0), system)
    if "gets to" in said and text.startswith("AG !"):
        assert isinstance(about, f.Not)
        about = about.body
    plain = re.sub("`.*`", "`it`", said)
    for words, word in (
        ("endless fair run", "endless run"),
        ("infinite run", "endless run"),
        ("fair run", "run"),
        ("fair initial state", "start"),
        ("initial state", "start"),
    ):
        plain = plain.replace(words, word)

    assert meanings(runs, oracle.states(about))[plain](), said
