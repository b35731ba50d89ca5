"""`gnomon check --parallel`, as its users call it."""

import json

from tests.e2e.cli import gnomon
from tests.support import ROOT
from tests.unit.results.schemas import validate

BRIDGE = str(ROOT / "examples" / "games" / "bridge.ispl")
GUESS = str(ROOT / "examples" / "blind_guess.ispl")
SMALL = ("--set", "n=2", "--strategies", "uniform")


def test_verdicts_are_those_of_a_plain_check() -> None:
    asked = ("check", BRIDGE, *SMALL, "--only", "south_*", "--json")
    plain, parts = (gnomon(*asked, *more) for more in ((), ("--parallel",)))
    values = [
        [each["verdict"] for each in json.loads(result.stdout)["formulae"]]
        for result in (plain, parts)
    ]

    assert plain.exit_code == parts.exit_code
    assert values[0] == values[1]
    assert validate("check", parts.stdout)["states"] is None


def test_what_cannot_be_asked_in_parts_is_refused() -> None:
    result = gnomon("check", GUESS, "--strategies", "uniform-subjective", "--parallel")

    assert result.exit_code == 2
    assert "error[G0822]: this cannot be asked in parts" in result.stderr


def test_races_and_parts_do_not_go_together() -> None:
    result = gnomon("check", GUESS, "--race", "--parallel")

    assert result.exit_code == 2
    assert "--parallel and --race do not go together" in result.stderr
