"""The models and verdicts of MCMAS 1.3.0, where they are at hand: agreement, or a known difference."""

import json
from pathlib import Path
from typing import Any

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import Loaded, load
from gnomon.checking.verdict import Result
from tests.support import shared_models_or_none

#: Larger state spaces than the normal suite has time for; `slow` runs them.
LARGE = {"dining-cryptographers-12-ctl-star.ispl", "dining-cryptographers-12-ltl.ispl"}
#: Beyond the explicit engine: MCMAS does not finish it either.
HOPELESS = {"go_back_n.ispl"}

#: Where our verdicts differ on purpose: model, MCMAS options, formulae (from 1), and why MCMAS is wrong.
FAULTS: dict[tuple[str, str], tuple[set[int], str]] = {
    ("atl_until_groupname_is_prop_true", ""): (
        {1, 2},
        "default <g>(p U q) reads the group as an atom",
    ),
    ("atl_until_groupname_is_prop_false", ""): ({1}, "the same"),
    ("atl_deadlock_overflow", ""): (
        {8},
        "<g>F stops at an empty goal, before vacuous wins are seen",
    ),
    ("fair_cached_prop", ""): (
        {2, 4},
        "a proposition of Fairness keeps its set from before fairness",
    ),
    ("fair_AU", ""): ({1, 2, 4}, "complements are not cut to fair states"),
    ("fair_AU", "-nobddcache"): ({1, 2, 4}, "the same"),
    ("prec_ltl", ""): ({9}, "CTL* lets G reach to the end of the formula, LTL does not"),
    ("bit_on_int", ""): ({1}, "bit operators on integers let the variable take any value"),
    ("ATLfair", "-atlk 0"): ({3, 7}, "-atlk 0 does not take fairness into account as asked for"),
}

#: What we refuse although MCMAS accepts it, because it has no meaning there.
REFUSED = {
    "arith_on_bool": "Booleans count as 0 in arithmetic",
    "arith_on_enum": "names count as 0 in arithmetic",
    "bit_on_int_cond": "a number is compared with a Boolean",
}

#: What MCMAS 1.3.0 rejects and we reject too; everything else that it rejects is part of our language.
REJECTED = {
    "cond_from_hidden",
    "ctls_unpar_until",
    "enum_cmp_disjointish",
    "eval_unqualified",
    "group_undefined",
    "int_vs_bool_cmp",
    "keyword_ident",
    "nonascii",
    "oob_const_assign",
    "rev_bounds",
    "sa_multi",
    "same_var_twice_line",
    "var_named_as_enum",
}


def folder(name: str) -> Path | None:
    models = shared_models_or_none()
    return models / name if models else None


def read_json(directory: str, name: str) -> dict[str, Any]:
    where = folder(directory)
    if where is None:
        return {}
    found: dict[str, Any] = json.loads((where / name).read_text())
    return found


EXPECTED = read_json("mcmas", "expected.json")
PEER = read_json("quirks", "peer.json")


def values(result: Result) -> list[bool | None]:
    return [{"true": True, "false": False}.get(str(verdict.value)) for verdict in result]


def load_model(directory: str, name: str) -> Loaded:
    where = folder(directory)
    assert where is not None
    return load(str(where / name))


def shipped() -> list[Any]:
    names = [name for name, data in EXPECTED.items() if "formulae" in data]
    marks = {name: [pytest.mark.slow] for name in LARGE}
    return [pytest.param(name, marks=marks.get(name, [])) for name in names if name not in HOPELESS]


@pytest.mark.parametrize("name", shipped())
def test_verdicts_and_state_counts_of_the_shipped_models_agree(name: str) -> None:
    expected = EXPECTED[name]
    system = load_model("mcmas", name).system
    assert system is not None

    result = check(system, None, Options(timeout=400))

    assert expected["formulae"] == values(result)[: len(expected["formulae"])]
    assert None not in values(result)
    assert result.states == expected.get("states", result.states)


def runs() -> list[Any]:
    return [
        pytest.param(name, run, id=f"{name} {' '.join(run['options'])}".strip())
        for name, data in PEER.items()
        for run in data["runs"]
        if run["formulae"] and "-atlk 2" not in " ".join(run["options"])
    ]


#: MCMAS says that everything is true of models that nothing can start; we say so where it is allowed.
VACUOUS = ("G0803", "G0804")


def options_for(mcmas: list[str]) -> Options:
    if "-uniform" not in mcmas:
        return Options(allow=VACUOUS)
    group = mcmas[mcmas.index("-ufgroup") + 1] if "-ufgroup" in mcmas else None
    return Options(strategies="uniform-model", uniform_group=group, allow=VACUOUS)


@pytest.mark.parametrize(("name", "run"), runs())
def test_each_quirk_has_its_verdict_or_a_known_difference(name: str, run: dict[str, Any]) -> None:
    system = load_model("quirks", f"{name}.ispl").system
    if name in REFUSED:
        assert system is None
        return
    assert system is not None
    faults, _ = FAULTS.get((name, " ".join(run["options"])), (set(), ""))
    theirs = [formula["value"] for formula in run["formulae"]]
    expected = [value != (index in faults) for index, value in enumerate(theirs, start=1)]

    assert expected == values(check(system, None, options_for(run["options"])))[: len(expected)]


def test_what_we_reject_is_what_mcmas_rejects() -> None:
    if not PEER:
        pytest.skip("the corpus is not here")
    refused = {name for name in PEER if load_model("quirks", f"{name}.ispl").has_errors}

    assert refused == REJECTED | set(REFUSED)
