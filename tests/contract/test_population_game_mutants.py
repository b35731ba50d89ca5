"""The oracle sees through plausible mistakes about games of any number of agents: each is planted."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest

from gnomon.checking import population_games
from gnomon.checking.population_games import decide_ability
from gnomon.engines.parameterised.games import enforcing
from gnomon.engines.parameterised.games.counted_game import CountedGame, CountedOption
from gnomon.engines.parameterised.recurrence.candidates import Candidates
from gnomon.engines.parameterised.recurrence.capped import Capped
from gnomon.engines.parameterised.recurrence.situations import Joint, PossibleMoves
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Ability
from tests.contract import test_population_games as oracle
from tests.populations import read

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = list[tuple[Any, str, Any]]

against, several, one_of, ways, everybody, offered, options = (
    CountedGame._against,
    CountedGame._several,
    CountedGame._one,
    CountedGame._ways,
    CountedGame._everybody,
    CountedGame._offered,
    CountedGame.options,
)


def party(kind: str, asked: str, *, more: str = "", own: str = "x = false") -> str:
    """Return agents that go from a to b with the environment, or from a to c and back alone."""
    return f"""
        Environment
          Vars: x : boolean = false; end Vars
          Actions = {{ blink }};
          Sync = {{ go : {kind} }};
          Protocol: {own} : {{ go }}; {more} end Protocol
          Evolution: x = true if Action = go; end Evolution
        end Environment
        Template T
          Vars: at : {{ a, b, c }} = a; end Vars
          Actions = {{ walk }};
          Sync = {{ go }};
          Protocol: at = a : {{ go, walk }}; at = c : {{ walk }}; end Protocol
          Evolution:
            at = b if Action = go;
            at = c if Action = walk and at = a;
            at = a if Action = walk and at = c;
          end Evolution
        end Template
        Evaluation went if exists t : T (t.at = b); end Evaluation
        Formulae {asked}; end Formulae
    """


#: The environment can close while some are at a and others at b already; opponents go on all at once.
ALL_AT_ONCE = """
    Environment
      Vars: shut : boolean = false; end Vars
      Actions = { close };
      Protocol: shut = false and exists s : T (s.at = a) and exists t : T (t.at = b) : { close }; end Protocol
      Evolution: shut = true if Action = close; end Evolution
    end Environment
    Template T
      Vars: at : { a, b, on, c } = a; end Vars
      Actions = { walk, run };
      Protocol: at = a or at = b : { walk }; at = on and Environment.shut = false : { run }; end Protocol
      Evolution:
        at = b if Action = walk and at = a;
        at = on if Action = walk and at = b;
        at = c if Action = run;
      end Evolution
    end Template
    Formulae <Environment>G !exists t : T (t.at = c); end Formulae
"""

#: One alone can leave; of two the second is seen, and the environment has something else to do.
SEEN = """
    Environment
      Actions = { look };
      Sync = { leave };
      Protocol: true : { leave }; exists s, t : T (s != t) : { look }; end Protocol
    end Environment
    Template T
      Vars: out : boolean = false; end Vars
      Sync = { leave };
      Protocol: true : { leave }; end Protocol
      Evolution: out = true if Action = leave; end Evolution
    end Template
    Formulae <T>F exists t : T (t.out); end Formulae
"""

#: Two have to be at b, and a guard sees whether there is another one.
TWO = """
    Template T
      Vars: at : { a, b, c } = a; end Vars
      Actions = { walk, jump };
      Protocol: at = a : { walk }; at = b and exists t : T (t != self and t.at = b) : { jump }; end Protocol
      Evolution: at = b if Action = walk; at = c if Action = jump; end Evolution
    end Template
    Formulae <Environment>G !exists t : T (t.at = c); end Formulae
"""


def decided(text: str) -> None:
    """Decide a question, and hold the answer against the oracle."""
    system = read(text)
    query = system.questions[0].query
    assert isinstance(query, Ability)
    decision = decide_ability(system, query, Budget(seconds=20))
    if decision.reached is not None:
        oracle.compare(system, query, decision)


def _offers_bind(
    self: CountedGame, now: Capped, moves: PossibleMoves, offer: str | None, own: str | None
) -> Iterator[Capped]:
    """An offer that nobody takes keeps all from acting alone."""
    found = list(against(self, now, moves, offer, own))
    joint = next((each for each in moves.joint if each.action == offer), None)
    if joint is not None and joint.multiplicity != "all":
        acting = several if joint.multiplicity == "some" else one_of
        found = list(acting(self, now, joint, takes=own == joint.action))
    yield from found


def _first_come(self: CountedGame, now: Capped, joint: Joint, *, takes: bool) -> Iterator[Capped]:
    """Of several who want to, `self` is the one."""
    found = one_of(self, now, joint, takes=takes)
    yield from [next(found)] if takes else found


def _keeping(self: CountedGame, place: int, number: int, targets: list[int]) -> Any:
    """Opponents never give up a place."""
    found = ways(self, place, number, targets)
    if number < self.cap or self.cap > 1:
        return found
    return [(counts, acts) for counts, acts in found if place in dict(counts)]


def _nothing_comes(self: CountedGame, now: Capped) -> Iterator[CountedOption]:
    """A choice of which nothing can come is one that a coalition has."""
    yield from options(self, now)
    yield CountedOption(None, None, (), ())


def _nothing(*_: object) -> list[object]:
    """Nothing recurs."""
    return []


def _never(*_: object) -> str:
    """More members are always welcome."""
    return ""


def _declined(self: CountedGame, now: Capped, joint: Joint) -> Capped:
    """Who is followed does not take part in what is for all."""
    return everybody(self, now, joint)._replace(own=now.own)


def _all_needed(
    self: CountedGame, now: Capped, moves: PossibleMoves, offer: str | None, chosen: Any
) -> Iterator[Capped]:
    """What is offered to one is done even if nobody wants it."""
    joint = next((each for each in moves.joint if each.action == offer), None)
    if joint is not None and joint.targets:
        yield Capped(joint.environment, None, now.others)
        return
    yield from offered(self, now, moves, offer, chosen)


def _blind(*_: object) -> int:
    """Guards and conditions do not tell agents of one place apart."""
    return 1


MUTANTS: dict[str, tuple[Mutant, str]] = {
    "an offer that nobody takes stops all others": (
        [(CountedGame, "_against", _offers_bind)],
        party("some", "forall t : T (<Environment>F went)"),
    ),
    "who wants to is the one": (
        [(CountedGame, "_one", _first_come)],
        party("one", "forall t : T (<Environment, t>F t.at = b)"),
    ),
    "opponents never give up a place": ([(CountedGame, "_ways", _keeping)], ALL_AT_ONCE),
    "what comes to nothing is a choice": (
        [(CountedGame, "options", _nothing_comes)],
        party("some", "forall t : T (<t>G t.at = a)"),
    ),
    "more members are never a burden": (
        [(population_games, "may_be_more", _never), (oracle, "may_be_more", _never)],
        SEEN,
    ),
    "agents of one place are not told apart": ([(enforcing, "least_cap", _blind)], TWO),
    "whatever opponents do comes to an end": (
        [(Candidates, "all", _nothing)],
        party("some", "forall t : T (<Environment>F went)"),
    ),
    "one who is dragged along can decline": (
        [(CountedGame, "_everybody", _declined)],
        party("all", "forall t : T (<t>G t.at <> b)"),
    ),
    "all who want to are needed": (
        [(CountedGame, "_offered", _all_needed)],
        party("one", "<T>F went", own="Environment.x = false"),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant, text = MUTANTS[name]
    # What proofs say is not put right by small populations.
    monkeypatch.setattr(enforcing, "_FEW", -10)
    monkeypatch.setattr(enforcing, "_MORE", -10)
    decided(text)  # without the mistake all is well
    for where, what, instead in mutant:
        monkeypatch.setattr(where, what, instead)

    with pytest.raises(AssertionError):
        decided(text)
