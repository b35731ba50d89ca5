"""That nothing can start is said where no state satisfies a random `InitStates`, and nowhere else."""

from itertools import product
from random import Random

import pytest
from hypothesis import given

import gnomon
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.refusals import nothing_starts
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.solver_search import never_starting
from gnomon.model.budget import Budget
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source
from tests.populations import read
from tests.systems import examples, seeds

SYSTEM = """\
Agent P
  Vars:
    x : {domain};
    y : {domain};
    z : {{ red, green }};
  end Vars
  Evolution:
    x = y if true;
  end Evolution
end Agent
InitStates
  {start};
end InitStates
Formulae
  AG P.x = 0;
end Formulae
"""

TEMPLATES = """\
Environment
  Vars:
    open : boolean;
  end Vars
end Environment
Template Robot
  Vars:
    x : {domain};
    y : {domain};
    z : {{ red, green }};
  end Vars
  Actions = {{ a }};
  Protocol:
    true : {{ a }};
  end Protocol
end Template
Evaluation
  bad if exists r : Robot (r.x = 1);
end Evaluation
InitStates
  {start};
end InitStates
Formulae
  AG !bad;
end Formulae
"""

#: All values that matter: comparisons reach from 0 to 2.
STATES = list(product(range(3), range(3), ("red", "green")))


def condition(rng: Random, who: str, depth: int) -> tuple[str, set[int]]:
    """Return a condition, and the numbers of the states that satisfy it."""
    if depth and rng.random() < 0.8:
        one, where = condition(rng, who, depth - 1)
        two, there = condition(rng, who, depth - 1)
        if rng.random() < 0.75:
            return f"({one} and {two})", where & there
        return f"({one} or {two})", where | there
    left, right = rng.choice([("x", "y"), ("y", "x"), ("x", "1"), ("y", "0"), ("y", "2")])
    if rng.random() < 0.3:
        left, right = "z", rng.choice(["red", "green"])
    sign = rng.choice(["=", "<>"] if left == "z" else ["=", "<>", "<", ">"])
    names = [dict(zip("xyz", state, strict=True)) for state in STATES]
    meaning = {
        number
        for number, state in enumerate(names)
        if _holds(state[left], sign, state.get(right, right if left == "z" else _number(right)))
    }
    shown = f"{who}.{right}" if right in "xy" else right
    return f"{who}.{left} {sign} {shown}", meaning


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _holds(left: object, sign: str, right: object) -> bool:
    if sign == "=":
        return left == right
    if sign == "<>":
        return left != right
    assert isinstance(left, int) and isinstance(right, int)
    return left < right if sign == "<" else left > right


def drawn(seed: int, who: str) -> tuple[str, bool]:
    """Return a random condition, kept within the values that matter, and whether a state satisfies it."""
    text, meaning = condition(Random(seed), who, 3)
    bounds = " and ".join(f"{who}.{name} > -1 and {who}.{name} < 3" for name in "xy")
    return f"{text} and {bounds}", bool(meaning)


@given(seeds)
@examples(60)
def test_systems(seed: int) -> None:
    text, starts = drawn(seed, "P")
    for domain in ("-1..3", "int"):
        model = gnomon.load_text(SYSTEM.format(start=text, domain=domain))
        found = list(nothing_starts(model.system, Source("", "")))
        cells = PredicateAbstraction(model.system, model.system.specifications, Budget())

        assert [] == found if starts else ["G0803"] == [item.code for item in found]
        assert cells.surely_never_starts() == (not starts)


@given(seeds)
@examples(40)
def test_templates(seed: int) -> None:
    text, starts = drawn(seed, "Robot")
    finite = read(TEMPLATES.format(start=text, domain="-1..3"))
    endless = read(TEMPLATES.format(start=text, domain="int"))
    lost = () if starts else ("Robot",)

    assert lost == tuple(name for name, at in CompiledPopulation(finite).initial.items() if not at)
    assert lost == never_starting(finite, Budget())
    assert lost == never_starting(endless, Budget())


@pytest.mark.parametrize("engine", ["auto", "explicit", "bdd", "abstraction"])
@given(seed=seeds)
@examples(15)
def test_every_engine_says_so_before_any_verdict(engine: str, seed: int) -> None:
    text, starts = drawn(seed, "P")
    model = gnomon.load_text(SYSTEM.format(start=text, domain="-1..3"))
    codes: list[str] = []
    try:
        model.check("P.x = P.x", engine=engine, evidence=False)  # type: ignore[arg-type]
    except InputError as refused:
        codes = [item.code for item in refused.diagnostics]

    assert ([] if starts else ["G0803"]) == codes


def test_both_are_drawn() -> None:
    found = [drawn(seed, "P")[1] for seed in range(100)]

    assert min(found.count(True), found.count(False)) > 15
