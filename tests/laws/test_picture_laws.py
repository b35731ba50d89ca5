"""Pictures say what is so: labels name exactly what leads where, and outcomes are all that there are."""

from random import Random

from hypothesis import given

from gnomon.certificate.plain import plain_value
from gnomon.certificate.strategy import PlayNode, StrategyPlay
from gnomon.checking.check import Options, check
from gnomon.checking.options import Strategies
from gnomon.model import formula as f
from gnomon.model.evidence import Strategy
from gnomon.model.formula import Formula
from gnomon.model.step import JointAction, State, moves
from gnomon.model.system import Specification, System
from gnomon.results.drawing.diagram import DiagramEdge
from gnomon.results.drawing.outcomes import outcome_diagram
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import reachable_graph
from gnomon.results.projection import PictureStyle
from tests.support import VACUOUS
from tests.systems import examples, random_formula, random_system, seeds


def fits(system: System, edge: DiagramEdge, joint: JointAction) -> bool:
    """Return whether the words of an arrow, read as the reference says, allow a joint action."""
    done = dict(zip((agent.name for agent in system.agents), joint, strict=True))
    if system.interleaved:
        return any(line in joint for line in edge.full.split(" / "))  # the names of events
    if not edge.full:
        return True
    return any(
        line == "any" or all(piece_fits(system, piece, done) for piece in line.split(", "))
        for line in edge.full.split(" / ")
    )


def piece_fits(system: System, piece: str, done: dict[str, str]) -> bool:
    who, colon, what = piece.rpartition(": ")
    allowed = what.split("|")
    if not colon:
        [who] = [agent.name for agent in system.agents if allowed[0] in agent.actions]
    return done[who] in allowed


@given(seeds)
@examples(120)
def test_labels_name_exactly_what_leads_there(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=24, interleaved=rng.random() < 0.3)
    graph = reachable_graph(system, rng.choice((3, 200)))
    diagram = state_diagram(graph)
    leads: dict[tuple[int, int], set[JointAction]] = {}
    offered: dict[int, set[JointAction]] = {}
    numbers = {node.state: node.number for node in graph.nodes}
    for state, source in numbers.items():
        for move in moves(system, state):
            if move.target is not None:
                offered.setdefault(source, set()).add(move.actions)
                target = numbers.get(move.target, -1)
                leads.setdefault((source, target), set()).add(move.actions)

    assert {(edge.source, edge.target) for edge in diagram.edges} == {
        ends for ends in leads if ends[1] >= 0
    }
    for edge in diagram.edges:
        said = {joint for joint in offered[edge.source] if fits(system, edge, joint)}
        assert said == leads[edge.source, edge.target]


@given(seeds)
@examples(40)
def test_the_picture_of_a_strategy_has_all_its_outcomes(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=24, interleaved=rng.random() < 0.3)
    names = [agent.name for agent in system.agents]
    group = f.Group(tuple(rng.sample(names, rng.randint(1, len(names)))))
    goal = random_formula(rng, system, 0)
    path = rng.choice((f.Finally(goal), f.Globally(goal), f.Next(goal), f.Until(f.Not(goal), goal)))
    formula = f.Exists(f.Finally(f.Enforces(group, path)))
    reading: Strategies = rng.choice(("perfect", "uniform"))
    options = Options(evidence=True, strategies=reading, allow=VACUOUS)
    [verdict] = check(system, [Specification(formula, "")], options).verdicts
    for strategy in verdict.evidence.strategies if verdict.evidence else ():
        diagram = outcome_diagram(system, strategy, PictureStyle(limit=1000))
        steps = {(edge.source, edge.target) for edge in diagram.edges}
        going_on = {node.number for node in diagram.nodes if node.kind == "plain"}

        assert played(system, strategy) == (
            len(going_on),
            len({(source, target) for source, target in steps if target in going_on}),
        )


def played(system: System, strategy: Strategy) -> tuple[int, int]:
    """Return how many states outcomes come to before the goal, and the steps between them."""

    def truth(formula: Formula, state: State) -> bool:
        value = plain_value(system, formula, state)
        assert value is not None
        return value

    play = StrategyPlay(system, strategy, truth, ())
    assert strategy.state is not None
    start: PlayNode = (strategy.state, "open")
    if isinstance(play.formula.path, f.Next):
        start = (strategy.state, "first")
    elif play.enter(*start) is None:
        return 0, 0
    waiting, found, steps = [start], {start}, set()
    for node in waiting:
        for target in play.follow(node) or ():
            steps.add((node, target))
            if target not in found:
                found.add(target)
                waiting.append(target)
    return len(found), len(steps)
