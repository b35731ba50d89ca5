"""What coalitions enforce, of any number of agents: what is refused before any work, decided, and shown."""

from collections.abc import Iterator
from math import prod
from typing import Any, Final

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_games import check_answers, check_strategy
from gnomon.certificate.solvers import SOLVERS
from gnomon.engines.parameterised.decision import (
    PlayedAnswer,
    PlayedTable,
    PopulationDecision,
)
from gnomon.engines.parameterised.games.enforcing import Enforcing
from gnomon.engines.parameterised.games.more_members import may_be_more
from gnomon.engines.parameterised.games.written_out import WrittenGame
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.model.agent import ENVIRONMENT, IDLE
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import show_value, size_of
from gnomon.model.evidence import Choice, Defence, DefenceAnswer, Evidence, Explanation, Strategy
from gnomon.model.parameterised.game import Chooser, coalition
from gnomon.model.parameterised.instance import NOP, named
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Configuration, Event
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.text.record import replace

#: The most local states that a part may have.
_MOST_LOCAL: Final = 5_000
_UNLISTED: Final = "agents with values that are not listed are not played with"
_FAIR: Final = (
    "what coalitions enforce is not decided of any number of agents where runs have to be fair"
)
_TOO_LONG: Final = "the game that shows it is too long to be written down"
_EACH: Final = "there is no rule for a strategy of all agents for each way to read the relations"
_ALL_PLAYED: Final = (
    "its populations were played one by one, and no proof was found for all of them at once"
)


def decide_ability(system: OpenSystem, query: Ability, budget: Budget) -> PopulationDecision:
    """Return whether some population decides the question: opponents who win, or members who do."""
    refused = refusal(system, query)
    if refused:
        return PopulationDecision(None, "", reason=refused)
    game = Enforcing(system, query, list(interpretations(system)), budget)
    decision = game.decide()
    if decision.reached is False and game.games:
        return replace(decision, played=tuple(game.games))
    if game.played is None or (query.everybody and system.used_relations):
        return decision
    try:
        table = WrittenGame(system, query, game.played, budget).table()
    except OutOfReach:
        return decision
    found = replace(decision, table=table)
    _confirm(system, query, found, budget)
    return found


def refusal(system: OpenSystem, query: Ability) -> str:
    """Return why a question is not decided, before any work; "" where it is tried."""
    if not system.is_finite:
        return _UNLISTED
    for part in system.part.values():
        if prod(size_of(variable.domain) or 0 for variable in part.variables) > _MOST_LOCAL:
            return f"agents with more than {_MOST_LOCAL:,} local states are not played with"
    if system.promise != "none" or system.fairness:
        return _FAIR
    if query.everybody and any(part.high is None for part in system.templates):
        why = may_be_more(system, query)
        if why:
            name = next(part.name for part in system.templates if part.high is None)
            return (
                f"how many it takes is asked where more are never worse off, and here {why}: "
                f"say how many there are, as in `Template {name} [0..3]`"
            )
    return ""


def _confirm(
    system: OpenSystem, query: Ability, decision: PopulationDecision, budget: Budget
) -> None:
    """Play a game as the checker of certificates does, which knows nothing of how it was solved."""
    proof, _ = game_proof(system, query, decision, budget)
    prover = ObligationProver(budget, SOLVERS)
    check = check_strategy if query.everybody else check_answers
    check(system, proof, query, prover)


# Certificates


def game_proof(
    system: OpenSystem, query: Ability, decision: PopulationDecision, budget: Budget
) -> tuple[dict[str, Any] | None, str]:
    """Return the proof that a game of one population is, or why there is none."""
    table = decision.table
    if decision.played:
        from gnomon.checking.certify_games import written_games

        return written_games(query, decision.played, budget)
    if table is None:
        if decision.reached is False:
            return None, _ALL_PLAYED
        return None, _EACH if query.everybody and system.used_relations else _TOO_LONG
    entries: dict[Configuration, list[PlayedAnswer]] = {}
    for answer in table.answers:
        entries.setdefault(answer.now, []).append(answer)
    return {
        "kind": "population-strategy" if query.everybody else "population-answers",
        "members": list(table.members),
        "facts": [[relation, list(places), value] for (relation, places), value in table.facts],
        "start": _configuration(table.start),
        "entries": [
            [
                _configuration(now),
                [
                    [_event(each.choice), _event(each.step)]
                    for each in (answers[:1] if query.everybody else answers)
                ],
            ]
            for now, answers in entries.items()
        ],
    }, ""


def _configuration(now: Configuration) -> list[Any]:
    return [list(now.environment), [list(local) for local in now.agents]]


def _event(event: Event) -> list[Any]:
    return [event.environment, list(event.agents)]


# Evidence


def game_evidence(
    system: OpenSystem, question: PopulationQuestion, query: Ability, decision: PopulationDecision
) -> Evidence:
    """Return a strategy, or the answers of the others to all that a coalition may choose."""
    table = decision.table
    assert table is not None
    members = tuple(_name(table, player) for player in coalition(query, table.members))
    crowd = " and ".join(
        f"{number} {part.name}"
        for part in system.templates
        if (number := table.members.count(part.name))
    )
    if query.everybody:
        strategy = Strategy(question.text, "perfect", members, tuple(_rows(system, query, table)))
        return Evidence("strategy", strategies=(strategy,))
    text = f"there is no such strategy with {crowd or 'no agent at all'}"
    if query.template:
        text += f", and {named(table.members)[0]} is the agent that the formula is about"
    why = Explanation(question.parsed, False, text)
    answers = tuple(
        DefenceAnswer(
            _flat(each.now),
            tuple(_chosen(query, table, each.choice)),
            tuple(IDLE if a is None else a for a in (each.choice.environment, *each.choice.agents)),
            _flat(each.after),
        )
        for each in table.answers
    )
    return Evidence("counterexample", why, defences=(Defence(question.text, members, answers),))


def _name(table: PlayedTable, player: Chooser) -> str:
    return ENVIRONMENT if player is None else named(table.members)[player]


def _chosen(query: Ability, table: PlayedTable, choice: Event) -> Iterator[tuple[str, str]]:
    for player in coalition(query, table.members):
        action = choice.environment if player is None else choice.agents[player]
        yield _name(table, player), NOP if action is None else action


def _rows(system: OpenSystem, query: Ability, table: PlayedTable) -> Iterator[Choice]:
    """Yield what the members choose where."""
    told: set[Configuration] = set()
    owners = (ENVIRONMENT, *table.members)
    names = (ENVIRONMENT, *named(table.members))
    variables = [
        f"{name}.{variable.name}"
        for name, owner in zip(names, owners, strict=True)
        for variable in system.part[owner].variables
    ]
    for each in table.answers:
        if each.now not in told:
            told.add(each.now)
            values = map(show_value, _flat(each.now))
            where = tuple(zip(variables, values, strict=True))
            yield Choice(where, tuple(_chosen(query, table, each.choice)))


def _flat(now: Configuration) -> tuple[Any, ...]:
    return tuple(value for local in (now.environment, *now.agents) for value in local)
