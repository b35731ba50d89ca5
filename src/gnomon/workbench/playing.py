"""Games against strategies, and against the answers to all that a coalition can do."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.checking.verdict import Result, Value
from gnomon.model.budget import LimitReached
from gnomon.model.evidence import Defence, DefenceAnswer, Evidence, Step, Strategy
from gnomon.model.formula import Bounded, Enforces, Next, show_formula
from gnomon.model.step import State, moves
from gnomon.model.system import System
from gnomon.results.data import Object, of_rules
from gnomon.results.drawing.answers import answered_states, defence_diagram
from gnomon.results.drawing.diagram import BoxDiagram
from gnomon.results.drawing.outcomes import MetState, PlayedStrategy, outcome_picture
from gnomon.results.model_walk import lines_used, move_list, moves_with
from gnomon.results.phrases import enumerated
from gnomon.results.projection import PictureStyle
from gnomon.workbench.asking import strategies_of
from gnomon.workbench.bench import Bench, BenchModel, Handler
from gnomon.workbench.cell_strategies import played_cells
from gnomon.workbench.drawing_data import BoxFacts, drawing_data
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.moves_here import moves_data
from gnomon.workbench.parameters import Parameters, state_data, step_data
from gnomon.workbench.reading import readable
from gnomon.workbench.verdicts_at_hand import explained_verdict

#: More moves than these are not offered at once.
_MOST_MOVES: Final = 500
#: So many states are in the picture.
_BOXES: Final = 60
#: Of a strategy that wins all fair games, and may lead there on the others.
_BROKEN: Final = "it is broken, but no fair run goes on like this, and no other counts: "


class _GameTable(NamedTuple):
    """Who plays for what from where, with a strategy or with answers."""

    system: System
    members: tuple[str, ...]
    about: Enforces
    start: State
    strategy: PlayedStrategy | None = None
    defence: Defence | None = None

    @property
    def others(self) -> list[str]:
        """Return who plays against the coalition."""
        return [
            agent.name
            for agent in self.system.agents
            if agent.actions and agent.name not in self.members and not agent.observer
        ]

    def met(self, state: State, step: int) -> MetState:
        """Return a state with its step, where the step matters."""
        path = self.about.path
        if isinstance(path, Bounded):
            return state, step
        return state, 0 if isinstance(path, Next) and step == 0 else None


def _begin(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    side, found = _side(params), _table(bench, model, system, params)
    if isinstance(found, str):
        return {
            "side": side,
            "formula": params.text("formula"),
            "goal": "",
            "members": [],
            "others": [],
            "start": {},
            "rules": [],
            "drawing": None,
            "reason": found,
        }
    rules = found.defence.rules if found.defence else ()
    if found.strategy is not None:
        rules = found.strategy.strategy.rules
    drawing, reason = None, ""
    try:
        drawing = _drawing(found, bench)
    except LimitReached as limit:
        reason = f"the picture was not finished: {limit}"
    return {
        "side": side,
        "formula": show_formula(found.about),
        "goal": show_formula(found.about.path),
        "members": list(found.members),
        "others": found.others,
        "start": state_data(found.start, system),
        "rules": of_rules(rules),
        "drawing": drawing,
        "reason": reason,
    }


def _side(params: Parameters) -> str:
    side = params.text("side")
    if side not in {"strategy", "defence"}:
        raise bad_request("`side` is `strategy` or `defence`")
    return side


def _table(bench: Bench, model: BenchModel, system: System, params: Parameters) -> _GameTable | str:
    """Return what is played with, or why there is nothing to play with."""
    strategies, which = strategies_of(params), params.number("which", 0)
    result = explained_verdict(bench, model, params.text("formula"), strategies)
    verdict = result.verdicts[0]
    if verdict.evidence is None or not (verdict.evidence.strategies or verdict.evidence.defences):
        return _nothing(result)
    if _side(params) == "strategy":
        return _with_strategy(model, system, verdict.evidence, which)
    return _with_defence(system, verdict.evidence, which)


def _nothing(result: Result) -> str:
    """Return why a verdict comes with nothing that could be played."""
    verdict = result.verdicts[0]
    if verdict.value in {Value.UNKNOWN, Value.UNDEFINED}:
        return verdict.reason or f"the formula is {verdict.value}"
    if verdict.strategies is None:
        return "no coalition occurs in this formula"
    evidence = verdict.evidence
    if evidence is not None and evidence.clashes:
        return (
            "the coalition could if it saw everything: no answer beats it, but it cannot tell states "
            "apart in which it would have to do different things"
        )
    why = None if evidence is None else evidence.explanation
    return f"it is {verdict.value}, and there is nothing to play with" + (
        f": {why.text}" if why is not None and why.text else ""
    )


def _with_strategy(
    model: BenchModel, system: System, evidence: Evidence, which: int
) -> _GameTable | str:
    if not evidence.strategies:
        return "the coalition has no strategy: take its side, and see the answers of the others"
    if which >= len(evidence.strategies):
        raise bad_request(f"`which` is below {len(evidence.strategies)}")
    strategy = evidence.strategies[which]
    if strategy.about is None or strategy.state is None:
        return "this is a choice for a whole model, and no game from one state"
    played = _played(model, system, strategy)
    if played is None:
        return "this strategy goes by cells of states that cannot be told from a single state"
    members = strategy.members
    return _GameTable(system, members, strategy.about, strategy.state, strategy=played)


def _played(model: BenchModel, system: System, strategy: Strategy) -> PlayedStrategy | None:
    if "cells" in strategy.reading:
        return played_cells(readable(model), system, strategy)
    return PlayedStrategy(system, strategy)


def _with_defence(system: System, evidence: Evidence, which: int) -> _GameTable | str:
    if not evidence.defences:
        return "the coalition has a strategy: be the others, and play against it"
    if which >= len(evidence.defences):
        raise bad_request(f"`which` is below {len(evidence.defences)}")
    defence = evidence.defences[which]
    if defence.about is None or defence.state is None:
        return "nobody knows where these answers begin"
    return _GameTable(system, defence.members, defence.about, defence.state, defence=defence)


# The picture


def play_diagram(bench: Bench, params: Parameters) -> BoxDiagram:
    """Return the picture of a game, for files; raise `RequestFailed` where there is none."""
    model, system = bench.walkable(params)
    found = _table(bench, model, system, params)
    if isinstance(found, str):
        raise RequestFailed("unable", found)
    return _diagram(found, bench)[0]


def _diagram(table: _GameTable, bench: Bench) -> tuple[BoxDiagram, list[State]]:
    style = PictureStyle(limit=_BOXES)
    if table.strategy is not None:
        return outcome_picture(table.strategy, style, bench.budget.share(0.5))
    assert table.defence is not None
    states = [state for state, n in answered_states(table.defence).items() if n < _BOXES]
    return defence_diagram(table.system, table.defence, style), states


def _drawing(table: _GameTable, bench: Bench) -> Object:
    diagram, states = _diagram(table, bench)
    facts = {n: BoxFacts(state_data(each, table.system), 1) for n, each in enumerate(states)}
    cut = any(note.startswith("cut after") for note in diagram.notes)
    return drawing_data(diagram, bench.budget, facts, cut=cut)


# Turns


def _turn(bench: Bench, params: Parameters) -> Object:
    model, system = bench.walkable(params)
    state, step = params.state("state", system), params.number("step", 0)
    found = _table(bench, model, system, params)
    if isinstance(found, str):
        raise RequestFailed("unable", found)
    if found.strategy is not None:
        return _against_strategy(bench, found, found.strategy, found.met(state, step))
    assert found.defence is not None
    choice = params.words("choice") if params.has("choice") else None
    return _against_answers(bench, found, found.defence, found.met(state, step), choice)


def _turn_data(standing: str, words: str, **more: object) -> Object:
    empty: Object = {"theirs": None, "yours": [], "result": None}
    return {"standing": standing, "words": words, **empty, **more}


def _against_strategy(
    bench: Bench, table: _GameTable, play: PlayedStrategy, met: MetState
) -> Object:
    """Return what the strategy does in a state, and all that may come of it."""
    system, who = table.system, enumerated(table.members) or "nobody"
    state, step = met
    before = step is not None and isinstance(table.about.path, Next)
    stands = "open" if before else play.stands(met)
    chosen = play.chosen(met)
    broken = play.is_broken(met)
    if broken and not system.fairness:
        return _turn_data("lost", "what it is played for is broken: no strategy has led here")
    but = _BROKEN if broken else ""
    if stands == "goal":
        return _turn_data("won", f"{who} got what was played for")
    if stands == "stuck":
        return _turn_data("stuck", "nothing can happen any more")
    if chosen is None:
        return _turn_data("done", f"{but}the strategy has nothing more to do from here on")
    found = move_list(moves(system, state, bench.budget, chosen), most=_MOST_MOVES)
    if not found.items:
        words = "nothing can follow that, as a value would leave its range: nobody can break it"
        return _turn_data("stuck", words, theirs=chosen)
    does = enumerated(f"{name} does {action}" for name, action in chosen.items())
    words = f"{but}{does or 'nobody does anything'}: what do the others do?"
    if found.cut:
        words += f" (there may be more moves than these: {found.cut})"
    yours = moves_data(system, state, (each.step for each in found.items))
    return _turn_data("open", words, theirs=chosen, yours=yours)


def _against_answers(
    bench: Bench,
    table: _GameTable,
    defence: Defence,
    met: MetState,
    choice: Mapping[str, str] | None,
) -> Object:
    """Return what the coalition may try in a state; with a choice, the answer to it."""
    state, step = met
    over = isinstance(table.about.path, Next) and step is None
    answers = [] if over else [each for each in defence.answers if each.state == state]
    if not answers:
        known = state == table.start or any(each.result == state for each in defence.answers)
        if known:
            return _turn_data("lost", f"{enumerated(table.members)} cannot get it any more")
        return _turn_data("open", "no answers are known for this state: none of them leads here")
    if choice is None:
        words = f"what does {enumerated(table.members)} do? There is an answer to each of it"
        yours = [{"choice": dict(each.choice)} for each in answers]
        return _turn_data("open", words, yours=yours)
    answer = next((each for each in answers if dict(each.choice) == choice), None)
    if answer is None:
        raise bad_request("this is none of the choices that there are here")
    joint = zip(table.system.agents, answer.actions, strict=True)
    theirs = {
        agent.name: action
        for agent, action in joint
        if agent.actions and agent.name not in table.members and not agent.observer
    }
    did = enumerated(f"{name} does {action}" for name, action in theirs.items())
    return _turn_data(
        "open",
        f"the answer: {did}" if did else "that is enough to lead there",
        theirs=theirs,
        result=step_data(_answered(bench, table.system, answer), table.system),
    )


def _answered(bench: Bench, system: System, answer: DefenceAnswer) -> Step:
    """Return the step that an answer makes, with its lines; where everybody waits there are none."""
    wanted = dict(zip(system.agent_index, answer.actions, strict=True))
    for move in moves_with(system, answer.state, bench.budget, wanted):
        if move.target == answer.result:
            return Step(answer.result, answer.actions, lines_used(move.alternatives))
    return Step(answer.result, answer.actions)


HANDLERS: Final[Mapping[str, Handler]] = {"play/begin": _begin, "play/turn": _turn}
