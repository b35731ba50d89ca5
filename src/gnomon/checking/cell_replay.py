"""Strategies by cells, played in the model: what follows a state is taken from the reference semantics.

The engine only says which cell a state is in, and whether parts of the formula hold there.
"""

from collections.abc import Sequence
from typing import Final

from gnomon.certificate.plain import FormulaValue
from gnomon.certificate.strategy import Constraint, PlayNode, StrategyPlay, cycles
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.threshold_rules import ThresholdRules
from gnomon.engines.abstraction.cell_play import told_actions
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.concretise import cell_of
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.model.evidence import Strategy
from gnomon.model.formula import Constant, Formula, Next
from gnomon.model.step import State

#: So many states of the outcomes of a strategy are played.
_MOST_PLAYED: Final = 500


def counted(truth: CellDenotation, value: FormulaValue) -> FormulaValue:
    """Return the values of formulae where nothing holds in states without a fair path."""
    walks = CellWalks(truth.algebra)

    def found(formula: Formula, state: State) -> bool:
        if formula == Constant(value=True) and truth.constraints:
            return walks.contains(truth.fair, state) is not False
        return value(formula, state)

    return found


def plays_well(
    algebra: CellAlgebra,
    strategy: Strategy,
    rules: ThresholdRules,
    value: FormulaValue,
    constraints: Sequence[Constraint],
) -> bool:
    """Play a strategy by cells from its state, all answers, for as many states as there is time for.

    Its rules have to say the same, and going round among these states for ever must not lose.
    """
    assert strategy.about is not None and strategy.state is not None
    space, system = algebra.space, algebra.system
    told = told_actions(space, strategy)
    game = StrategyPlay(system, strategy, value, tuple(constraints))
    start = game.enter(strategy.state, "open")
    if isinstance(strategy.about.path, Next) and value(Constant(value=True), strategy.state):
        start = (strategy.state, "first")
    waiting = [] if start is None else [start]
    edges: dict[PlayNode, list[PlayNode]] = {}
    while waiting and len(edges) < _MOST_PLAYED:
        node = waiting.pop(0)
        if node in edges:
            continue
        if node[1] == "broken" and not constraints:
            return False
        chosen = told(cell_of(space, node[0]))
        if chosen is None or not game.can(node[0], chosen):
            return False
        if not rules.agree(system, node[0], chosen):
            return False
        edges[node] = game.after(node, chosen)
        waiting.extend(edges[node])
    known = {node: [each for each in after if each in edges] for node, after in edges.items()}
    return not any(map(game.is_bad, cycles(known)))
