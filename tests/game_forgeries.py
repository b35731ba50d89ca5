"""The strongest lies about games of all populations: all states that the checker lets pass."""

from collections.abc import Callable, Iterable
from typing import Any

from gnomon.certificate.parameterised.counted_defeats import TogetherChosen
from gnomon.certificate.parameterised.counted_games import CountedGames
from gnomon.certificate.parameterised.counted_steps import CountedPopulations, CountedState
from gnomon.certificate.parameterised.fillings import fillings
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed
from gnomon.model.parameterised.system import OpenSystem

Results = list[set[CountedState]]


def strongest(system: OpenSystem, query: Ability, cap: int) -> dict[str, Any]:
    """Return the proof with the most states from which all win, or lose, as far as counting shows."""
    kind = "counted-defeat" if query.everybody else "counted-game"
    said = (query.stay, query.goal)
    ways = []
    for filled in fillings(system, said):
        facts = Completed(system, dict(filled))
        if query.everybody:
            together = TogetherChosen(system, facts, cap, said, Budget())
            ways.append(_way(together, query, together.choices, cap, dict(filled)))
        else:
            game = CountedGames(system, facts, cap, query, Budget())
            ways.append(_way(game, query, game.options, cap, dict(filled)))
    return {"kind": kind, "ways": ways}


def _way(
    game: CountedPopulations,
    query: Ability,
    results: Callable[[CountedState], Iterable[set[CountedState]]],
    cap: int,
    facts: dict[Any, Any],
) -> dict[str, Any]:
    states = list(game.initial())
    known = set(states)
    for state in states:
        for step in game.steps(state):
            if step.after not in known:
                known.add(step.after)
                states.append(step.after)
    options: dict[CountedState, Results] = {state: list(results(state)) for state in states}
    goals = {s for s in states if game.holds(query.goal, s, s.own)}
    broken = {s for s in states if s not in goals and not game.holds(query.stay, s, s.own)}
    # Who gets somewhere does so step by step; who keeps or prevents something can do so for ever.
    wins, gets = not query.everybody, query.everybody is query.forever
    numbers: dict[CountedState, int] = {}
    if gets:
        first = goals if wins else broken
        numbers = dict.fromkeys(first, 0)
        rank = 0
        while True:
            rank += 1
            fresh = [
                s
                for s in states
                if s not in numbers
                and s not in (broken if wins else goals)
                and _good(options[s], set(numbers), wins=wins)
            ]
            if not fresh:
                break
            numbers.update(dict.fromkeys(fresh, rank))
    else:
        kept = set(states) - (broken if wins else goals)
        done = goals if wins else broken
        while True:
            left = {s for s in kept if s in done or _good(options[s], kept, wins=wins)}
            if left == kept:
                break
            kept = left
        numbers = dict.fromkeys(kept, 0)
    number = {state: n for n, state in enumerate(states)}
    return {
        "facts": [[name, list(args), value] for (name, args), value in facts.items()],
        "cap": cap,
        "places": [[template, list(local)] for template, local in game.places],
        "states": [[list(s.environment), s.own, [list(p) for p in s.others]] for s in states],
        "numbers": [[number[state], rank] for state, rank in numbers.items()],
        "plays": [],
        "deletions": [],
    }


def _good(options: Results, inside: set[CountedState], *, wins: bool) -> bool:
    """Return whether who wins has an option that stays inside, or who is against all finds a way to stay."""
    if wins:
        return any(found <= inside for found in options)
    return all(found & inside for found in options)
