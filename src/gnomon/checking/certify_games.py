"""Certificates for what coalitions enforce in all populations: counted states from which they win."""

from collections.abc import Iterable
from typing import Any

from gnomon.checking.certify_counted import StateList, Unwritten, written_deletion
from gnomon.engines.parameterised.games.enforcing import LostGame, WonGame
from gnomon.engines.parameterised.recurrence.product import WatchedNode
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Ability


def written_games(
    query: Ability, games: Iterable[WonGame | LostGame], budget: Budget
) -> tuple[dict[str, Any] | None, str]:
    """Return the proof that a coalition wins always, or never, with the relations filled in all ways.

    Or the reason why there is none.
    """
    kind = "counted-defeat" if query.everybody else "counted-game"
    try:
        return {"kind": kind, "ways": [_way(game, budget) for game in games]}, ""
    except Unwritten as reason:
        return None, str(reason)


def _way(game: WonGame | LostGame, budget: Budget) -> dict[str, Any]:
    states = StateList(game.situations)
    numbers = [[states.number(now), number] for now, number in game.numbers().items()]
    if isinstance(game, LostGame):
        return {**states.written(game.facts, game.cap), "numbers": numbers}
    plays: list[Any] = []
    deletions: list[Any] = []
    if game.played is not None:
        chosen = game.played.chosen
        for now, option in chosen.items():
            plays.append([states.number(now), [states.number(each) for each in option.results]])
        node = {WatchedNode(now, 0): number for number, now in enumerate(chosen)}
        deletions = [written_deletion(each, node, budget) for each in game.played.deletions]
    listed = states.written(game.facts, game.cap)
    return {**listed, "numbers": numbers, "plays": plays, "deletions": deletions}
