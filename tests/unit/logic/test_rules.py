"""Rules say what a table says, in fewer words."""

from random import Random

from hypothesis import given

from gnomon.certificate.strategy import rules_agree
from gnomon.logic.rules import MOST_ROWS, Row, rules
from gnomon.model.domain import Datum, show_value
from gnomon.model.evidence import Choice, Rule, Strategy
from tests.systems import examples, seeds

NAMES = ["C.count", "Environment.gate"]


def test_one_action_everywhere_is_one_rule() -> None:
    rows = [Row((n, "open"), "go") for n in range(4)]
    assert rules("C", NAMES, rows) == (Rule("C", (), "go"),)


def test_a_threshold() -> None:
    rows = [Row((n, "open"), "give" if n >= 3 else "wait") for n in range(7)]
    assert rules("C", NAMES, rows) == (
        Rule("C", ("C.count >= 3",), "give"),
        Rule("C", (), "wait"),
    )


def test_two_conditions() -> None:
    rows = [
        Row((n, gate), "give" if n >= 3 and gate == "open" else "wait")
        for n in range(6)
        for gate in ("open", "shut")
    ]
    found = rules("C", NAMES, rows)
    assert len(found) <= 3
    assert {rule.action for rule in found} == {"give", "wait"}


def test_a_long_table_gets_no_rules() -> None:
    rows = [Row((n,), str(n % 2)) for n in range(MOST_ROWS + 1)]
    assert rules("C", ["C.n"], rows) == ()


@given(seeds)
@examples(200)
def test_rules_agree_with_the_table(seed: int) -> None:
    rng = Random(seed)
    domains: list[tuple[Datum, ...]] = [(0, 1, 2, 3, 4), ("red", "green", "blue"), (False, True)]
    seen = {tuple(rng.choice(domain) for domain in domains) for _ in range(rng.randint(1, 25))}
    rows = [Row(values, rng.choice("abc")) for values in sorted(seen, key=str)]
    names = ["P.n", "P.colour", "P.flag"]
    choices = tuple(
        Choice(
            tuple((name, show_value(value)) for name, value in zip(names, row.values, strict=True)),
            (("P", row.action),),
        )
        for row in rows
    )
    found = rules("P", names, rows)
    assert rules_agree(Strategy("", "uniform", ("P",), choices, rules=found))
    assert len(found) <= len(rows)
    assert not found[-1].conditions
