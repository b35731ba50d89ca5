"""Pictures of strategies and answers: exactly what may happen, and a word about what is left out."""

from functools import cache

import pytest
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.check import Options, check
from gnomon.checking.load import load, load_text
from gnomon.checking.options import Strategies
from gnomon.model.builder import SystemDraft
from gnomon.model.evidence import Choice, Clash, Clashes, Evidence, Strategy
from gnomon.model.formula import Enforces, Finally, Group, Proposition
from gnomon.model.step import State, moves
from gnomon.model.system import System
from gnomon.results.drawing.answers import clash_diagrams, defence_diagram
from gnomon.results.drawing.outcomes import can_be_drawn, outcome_diagram
from gnomon.results.projection import PictureStyle
from gnomon.results.render.evidence import dot, mermaid, svg, tikz
from tests.support import EXAMPLES
from tests.unit.results import samples


@cache
def evidence(
    model: str, formula: str, strategies: Strategies = "perfect"
) -> tuple[System, Evidence]:
    """Return the evidence for a formula of an example."""
    system = load(str(EXAMPLES / model)).system
    assert system is not None
    options = Options(evidence=True, strategies=strategies)
    chosen = next(spec for spec in system.specifications if spec.name == formula)
    [verdict] = check(system, [chosen], options).verdicts
    assert verdict.evidence is not None
    return system, verdict.evidence


GUESS = ("blind_guess.ispl", "can_win")
RACES = ("games/tian_ji.ispl", "tian_ji_wins")


@pytest.mark.parametrize("strategies", ["perfect", "uniform"])
@pytest.mark.parametrize("which", [GUESS, RACES])
def test_outcomes_are_all_that_may_happen_until_the_goal(
    which: tuple[str, str], strategies: Strategies
) -> None:
    system, found = evidence(*which, strategies)
    [strategy] = found.strategies
    diagram = outcome_diagram(system, strategy, PictureStyle(full_states=True))
    steps = {(edge.source, edge.target) for edge in diagram.edges}
    choices = {
        edge.source: dict(line.text.split(": ") for line in edge.label if line.chosen)
        for edge in diagram.edges
    }
    assert strategy.state is not None
    numbers: dict[State, int] = {strategy.state: 0}
    waiting, wanted = [strategy.state], set()
    for state in waiting:
        number = numbers[state]
        if diagram.nodes[number].kind == "goal":
            continue
        for move in moves(system, state):
            done = dict(zip(system.agent_index, move.actions, strict=True))
            if move.target is not None and choices[number].items() <= done.items():
                if move.target not in numbers:
                    numbers[move.target] = len(numbers)
                    waiting.append(move.target)
                wanted.add((number, numbers[move.target]))

    assert steps == wanted
    assert len(diagram.nodes) == len(numbers)
    leaves = {node.number for node in diagram.nodes} - {source for source, _ in steps}
    assert all(diagram.nodes[number].kind == "goal" for number in leaves)


def reading_nothing() -> tuple[System, Strategy]:
    """Return an agent that sees nothing, and does the same until a lamp is on that it cannot see."""
    builder = SystemDraft("lamp")
    lamp = builder.environment()
    count = lamp.integer("count", 0, 2)
    blind = builder.agent("Blind", actions=["push"])
    blind.otherwise("push")
    lamp.evolve({count: count + 1}, when=blind.does("push") & (count < 2))
    builder.proposition("on", count == 2)
    system = builder.finished(initial=count == 0)
    about = Enforces(Group(("Blind",)), Finally(Proposition("on")))
    choices = (Choice((), (("Blind", "push"),)),)
    return system, Strategy("<Blind>F on", "uniform", ("Blind",), choices, about, (0,))


def test_a_long_strategy_is_cut_with_a_word() -> None:
    system, found = evidence(*RACES)
    [strategy] = found.strategies
    diagram = outcome_diagram(system, strategy, PictureStyle(limit=5))

    assert len(diagram.nodes) == 5
    assert diagram.notes[0] == "cut after 5 states: there are more"
    assert "… more steps" in diagram.nodes[2].lines


def test_what_looks_the_same_is_marked_where_that_binds() -> None:
    system, found = evidence(*GUESS, "uniform")
    [strategy] = found.strategies
    alike = outcome_diagram(*reading_nothing())

    assert "Player tells all these states apart" in outcome_diagram(system, strategy).notes
    assert "to Blind all these states look the same" in alike.notes


def test_every_answer_is_an_arrow() -> None:
    system, found = evidence("games/castles.ispl", "one_survives")
    [defence] = found.defences
    diagram = defence_diagram(system, defence)
    states = list(
        dict.fromkeys(state for one in defence.answers for state in (one.state, one.result))
    )
    ends = {(states.index(one.state), states.index(one.result)) for one in defence.answers}
    lost = {node.number for node in diagram.nodes if node.kind == "lost"}

    assert {(edge.source, edge.target) for edge in diagram.edges} == ends
    assert lost == {target for _, target in ends} - {source for source, _ in ends}


def test_a_long_defence_is_cut_with_a_word() -> None:
    system, found = evidence("games/castles.ispl", "one_survives")
    diagram = defence_diagram(system, found.defences[0], PictureStyle(limit=3))

    assert len(diagram.nodes) == 3
    assert diagram.notes[0].startswith("cut after 3 states: ")
    assert all(max(edge.source, edge.target) < 3 for edge in diagram.edges)


def test_views_in_conflict_have_their_states() -> None:
    [found] = samples.refusal().clashes
    [diagram, *_] = clash_diagrams(samples.system(), found)

    assert len(diagram.nodes) == len(found.views[0].states)
    assert "to Sender the states in bold look the same" in diagram.notes[0]


def test_every_action_that_fails_in_a_view_is_an_arrow() -> None:
    system = samples.system()
    [found] = samples.refusal().clashes
    [answer, *_] = samples.refusal().defences[0].answers
    [view] = found.views
    failing = Clash(view.agent, view.where, view.states, (answer,))
    [diagram] = clash_diagrams(system, Clashes(found.formula, found.members, (failing,)))

    assert [(edge.source, edge.target) for edge in diagram.edges] == [(0, 2)]
    assert [node.kind for node in diagram.nodes] == ["plain", "plain", "lost"]


BOUNDED = """
Agent Environment
  Vars: n : 0..4 = 0; end Vars
  Actions = { calm, storm }; Protocol: Other : { calm, storm }; end Protocol
  Evolution:
    n = n + 1 if n < 4 and P.Action = go and Action = calm;
    n = n + 2 if n < 3 and P.Action = run;
    n = 0 if P.Action = go and Action = storm;
  end Evolution
end Agent
Agent P
  Lobsvars = { n }; Actions = { go, run }; Protocol: Other : { go, run }; end Protocol
end Agent
Evaluation home if Environment.n >= 3; end Evaluation
Groups g = { P }; end Groups
Formulae <g>F[2,3] home; <g>G<=2 Environment.n < 3; <g>(true U<=2 EX home); <g>F<=0 !home; end Formulae
"""


@pytest.mark.parametrize("strategies", ["perfect", "uniform"])
@pytest.mark.parametrize("number", range(4))
def test_where_steps_are_counted_outcomes_are_told_apart_by_the_step(
    strategies: Strategies, number: int
) -> None:
    system = load_text(BOUNDED).system
    assert system is not None
    asked = system.specifications[number]
    [verdict] = check(system, [asked], Options(evidence=True, strategies=strategies)).verdicts
    assert verdict.evidence is not None
    [strategy] = verdict.evidence.strategies
    assert can_be_drawn(system, strategy)
    diagram = outcome_diagram(system, strategy, PictureStyle(full_states=True))
    at = {node.number: int(node.title.split(" at step ")[1]) for node in diagram.nodes}
    goals = {node.number for node in diagram.nodes if node.kind == "goal"}
    [low, high] = {0: (2, 3), 1: (2, 2), 2: (0, 2), 3: (0, 0)}[number]

    assert all(at[edge.target] == at[edge.source] + 1 for edge in diagram.edges)
    assert goals == set(at) - {edge.source for edge in diagram.edges}
    assert all(low <= at[goal] <= high for goal in goals)


def test_a_strategy_on_cells_has_no_picture() -> None:
    system, found = evidence(*GUESS)
    [known] = found.strategies
    given = (known.formula, "cells", known.members, known.choices, known.about)

    assert can_be_drawn(system, known)
    assert not can_be_drawn(system, Strategy(*given, known.state))
    assert not can_be_drawn(system, Strategy(known.formula, "perfect", known.members, ()))


def test_dot_of_a_strategy(snapshot: SnapshotAssertion) -> None:
    assert dot.render(*evidence(*GUESS)) == snapshot


def test_mermaid_of_a_strategy(snapshot: SnapshotAssertion) -> None:
    assert mermaid.render(*evidence(*GUESS)) == snapshot


def test_svg_of_a_strategy(snapshot: SnapshotAssertion) -> None:
    assert svg.render(*evidence(*GUESS)) == snapshot


def test_tikz_of_a_strategy(snapshot: SnapshotAssertion) -> None:
    assert tikz.render(*evidence(*GUESS)) == snapshot
