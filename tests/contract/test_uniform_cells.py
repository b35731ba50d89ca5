"""Uniform strategies over cells agree with trying all of them, and mistakes in the search are found out."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking import uniform_cells
from gnomon.engines.abstraction import lookahead
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import Cell, cell_of
from gnomon.engines.abstraction.demanded_starts import KnownStarts, OwnStarts
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.lookahead import Lookahead
from gnomon.engines.abstraction.three_valued import Inconsistent
from gnomon.engines.abstraction.uniform_search import _UniformAnswering
from gnomon.engines.abstraction.view_cells import ViewCells
from gnomon.engines.abstraction.view_choices import TriedChoices
from gnomon.engines.game import CoalitionGame
from gnomon.logic import ctl
from gnomon.logic.denotation import Reading
from gnomon.model.expression import Read
from gnomon.model.step import State
from tests.abstraction import Wrong
from tests.contract.test_games import game, wishes
from tests.counting import exact_partition
from tests.systems import examples, seeds
from tests.uniform import (
    Groping,
    counting_blindly,
    counting_blindly_without_bounds,
    groping,
    groping_fairly,
    read_as,
)

every_finite = pytest.mark.parametrize("make", [groping, groping_fairly, counting_blindly])
READINGS: tuple[Reading, ...] = ("uniform", "uniform-subjective")
every_reading = pytest.mark.parametrize("reading", READINGS)


@every_finite
@every_reading
@given(seed=seeds)
@examples(30)
def test_no_label_is_wrong(reading: Reading, make: Callable[[Random], Groping], seed: int) -> None:
    read_as(reading, make(Random(seed))).compare_uniform_labels()


@every_finite
@every_reading
@given(seed=seeds)
@examples(20)
def test_what_follows_a_state_shows_nothing_wrong(
    reading: Reading, make: Callable[[Random], Groping], seed: int
) -> None:
    read_as(reading, make(Random(seed))).compare_ahead()


@every_finite
@every_reading
@given(seed=seeds)
@examples(20)
def test_no_verdict_is_wrong(
    reading: Reading, make: Callable[[Random], Groping], seed: int
) -> None:
    read_as(reading, make(Random(seed))).compare_uniform_verdicts(2)


@every_reading
@given(seed=seeds)
@examples(30)
def test_no_label_contradicts_what_is_seen_of_strategies_through_a_window(
    reading: Reading, seed: int
) -> None:
    read_as(reading, counting_blindly_without_bounds(Random(seed))).compare_uniform()


@every_reading
@given(seed=seeds)
@examples(20)
def test_with_a_cell_for_every_state_nothing_is_open(reading: Reading, seed: int) -> None:
    rng = Random(seed)
    system = game(rng)
    states = Groping(exact_partition(system), [wishes(rng, system) for _ in range(2)])

    assert 0 == read_as(reading, states).count_open()[0]


def test_most_is_decided() -> None:
    counts = [
        make(Random(seed)).count_open() for make in (groping, groping_fairly) for seed in range(8)
    ]
    undecided, asked = (sum(each) for each in zip(*counts, strict=True))

    assert undecided < 0.25 * asked


# Mistakes

#: What to plant: a class or module, a name in it, and what stands there instead.
Mutant: TypeAlias = tuple[Any, str, Any]

CONTESTS: dict[str, Callable[[Random], Any]] = {
    "sight": lambda rng: groping(rng).compare_uniform_labels(),
    "fairness": lambda rng: groping_fairly(rng).compare_uniform_labels(),
    "numbers": lambda rng: counting_blindly(rng).compare_uniform_labels(),
    "ahead": lambda rng: groping(rng).compare_ahead(),
    "numbers ahead": lambda rng: counting_blindly(rng).compare_ahead(),
    "fairly ahead": lambda rng: groping_fairly(rng).compare_ahead(),
    "window": lambda rng: counting_blindly_without_bounds(rng).compare_uniform(),
    "knowing": lambda rng: read_as("uniform-subjective", groping(rng)).compare_uniform_labels(),
    "knowing ahead": lambda rng: read_as("uniform-subjective", groping(rng)).compare_ahead(),
}
SEEDS = range(60)


def fault(contest: str, seed: int) -> str | None:
    """Return what a comparison finds wrong, if anything."""
    try:
        CONTESTS[contest](Random(seed))
    except (Wrong, Inconsistent) as found:
        return str(found)
    return None


fewest = _UniformAnswering._fewest
over = _UniformAnswering._over


def one_fewer(self: _UniformAnswering, start: Any, bound: Any) -> Any:
    """Leave out one choice that mattered."""
    return dict(list(fewest(self, start, bound).items())[1:])


def over_when_reached(self: _UniformAnswering) -> Any:
    """Take what is reached for the end, although under fairness what is broken may still be saved."""
    return self._game.right.true if self._labels.fair else over(self)


def doubt_is_refutation(self: TriedChoices, choices: Any) -> None:
    self.refute(choices)


def some_state(space: CellSpace, cell: Cell) -> State | None:
    """Return any state of a cell as if it were the only one."""
    values = dict(cell.values)
    for quantity, number in cell.pieces:
        if isinstance(quantity, Form) and quantity.single is not None:
            values[quantity.single] = space.partition.pieces[quantity][number].any_member()
    reads = [Read(v.agent, v.name) for v in space.system.variables]
    if not all(read in values for read in reads):
        return None
    state = tuple(values[read] for read in reads)
    return state if cell_of(space, state) == cell else None


game_ahead = Lookahead.game


def beyond_is_lost(self: Lookahead, game: Any, start: Any, most: int, fair: Any) -> Any:
    """Take the states beyond those that are looked at for lost."""
    found = game_ahead(self, game, start, 4, fair)
    near = found.universe
    safe = {mode: lookahead._both(near, each) for mode, each in found.safe.items()}
    return CoalitionGame(
        found.kind,
        found.left,
        found.right,
        found.bound,
        lookahead.everywhere,
        safe,
        found.constraints,
        window=found.window,
    )


def as_all_until(frame: Any, left: Any, right: Any) -> Any:
    """Take all states for ones that start a fair path."""
    return ctl.all_until(frame, left, right)


def as_if_closed(self: Lookahead, game: Any, start: Any, most: int) -> Any:
    """Take what is beyond the states that are looked at for won."""
    return self.game(game, start, 4, None)


losses = KnownStarts.lost


def spread_twice(self: KnownStarts, lost: Any) -> Any:
    """Take what looks like what looks like a loss for one, too."""
    return losses(self, losses(self, lost))


def whatever_is_met(self: KnownStarts, cell: Any) -> Any:
    """Take what may be reached for reached."""
    return self.demanded(cell)


def some_alike(self: KnownStarts, state: State) -> Any:
    """Take the look-alikes that were visited for all there are."""
    return self.alike(state)[:2]


MUTANTS: dict[str, tuple[str, Mutant]] = {
    "members need not know": ("knowing", (KnownStarts, "demanded", OwnStarts.demanded)),
    "nor where they won": ("knowing", (KnownStarts, "known", OwnStarts.known)),
    "what looks like a loss twice is one": ("knowing", (KnownStarts, "lost", spread_twice)),
    "what may look the same is met": ("knowing", (KnownStarts, "telling", whatever_is_met)),
    "what was visited is all": ("knowing ahead", (KnownStarts, "all_alike", some_alike)),
    "a clause that is too short": ("sight", (_UniformAnswering, "_fewest", one_fewer)),
    "what was not shown is refuted": ("sight", (TriedChoices, "doubt", doubt_is_refutation)),
    "every view is exact": ("sight", (ViewCells, "is_exact", lambda self, sight: True)),
    "what is chosen can be done": ("sight", (_UniformAnswering, "_is_possible", lambda *_: True)),
    "what is reached stays won": ("fairness", (_UniformAnswering, "_over", over_when_reached)),
    "a strategy leaves a fair path": ("fairness", (uniform_cells, "_fairly_until", as_all_until)),
    "a cell is one of its states": ("sight", (uniform_cells, "cell_state", some_state)),
    "what is not looked at is lost": ("ahead", (Lookahead, "game", beyond_is_lost)),
    "what is not looked at is won": ("ahead", (Lookahead, "closed_game", as_if_closed)),
    "what cells leave open is lost": ("window", (Lookahead, "_perhaps", Lookahead._surely)),
}


@pytest.mark.parametrize("contest", CONTESTS)
def test_without_a_mistake_nothing_is_found(contest: str) -> None:
    assert {} == {seed: said for seed in SEEDS[:8] if (said := fault(contest, seed))}


#: Where mistakes were found that few systems show: looked at first.
SHOWN_BY = {
    "what is reached stays won": 13,
    "a strategy leaves a fair path": 10,
    "nor where they won": 13,
    "what is chosen can be done": 21,
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str) -> None:
    contest, (owner, attribute, instead) = MUTANTS[name]
    with patch.object(owner, attribute, instead):
        assert any(fault(contest, seed) for seed in (SHOWN_BY.get(name, 0), *SEEDS))


def test_what_is_doubted_needlessly_stays_open() -> None:
    """A search that learns too little is not wrong, but cannot say no where each state has its cell."""

    def open_states() -> int:
        rng = Random(3)
        found = 0
        for _ in range(12):
            system = game(rng)
            found += Groping(exact_partition(system), [wishes(rng, system)]).count_open()[0]
        return found

    assert 0 == open_states()
    nothing_ahead: Any = patch.object(uniform_cells, "_single_states", lambda *_: [])
    with nothing_ahead:
        assert 0 == open_states()
        with patch.object(TriedChoices, "refute", TriedChoices.doubt):
            assert open_states() > 0
