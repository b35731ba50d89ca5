"""A program as a user writes it: load, check, look at answers; type checkers must know every type."""

from typing import Unpack, assert_type

import gnomon


def check(path: str) -> list[str]:
    model = gnomon.load(path, n=3)
    assert_type(model, gnomon.Model)
    assert_type(model.name, str)
    assert_type([agent.name for agent in model.agents], list[str])
    assert_type(model.formulae[0].expected, gnomon.Value)
    assert_type(model.propositions, dict[str, str])
    assert_type(model.groups, dict[str, tuple[str, ...]])
    assert_type(gnomon.check(path, only="a"), gnomon.CheckResult)
    result = model.check("AG p", engine="bdd", timeout=3, strategies="uniform", only=["a", 1])
    assert_type(result, gnomon.CheckResult)
    assert_type(result[0], gnomon.Answer)
    assert_type(result["name"], gnomon.Answer)
    assert_type(result.states, int | None)
    assert_type(result.constants, dict[str, int])
    assert_type(result.account, dict[str, str])
    for answer in result:
        assert_type(answer, gnomon.Answer)
        assert_type(answer.value, gnomon.Value)
        assert_type(answer.holds, bool | None)
        assert_type(answer.story("Sender", brief=True), str)
        if answer.evidence is not None:
            assert_type(answer.evidence.kind, str)
            assert_type(answer.evidence.itf(), str)
            assert_type(answer.evidence.graph().svg(), str)
    assert_type([item.code for item in result.diagnostics], list[str])
    data = result.to_dict()
    assert_type(data["states"], int | None)
    assert_type(data["formulae"][0]["text"], str)
    certificate = result.certificate
    if certificate is not None:
        assert_type(certificate["verdicts"][0]["formula"], str)
        assert_type(model.verify(certificate).all_proved, bool)
        assert_type(model.verify("proof.json")[0].proved, bool | None)
    return [row["text"] for row in data["formulae"]]


def hand_on(model: gnomon.Model, **asked: Unpack[gnomon.CheckOptions]) -> gnomon.CheckResult:
    assert_type(gnomon.check(model, "EF p", **asked), gnomon.CheckResult)
    return model.check(**asked)


def families(path: str) -> None:
    table = gnomon.sweep(path, {"n": range(3), "m": "1..4"}, "AG p", timeout=3, engine="explicit")
    assert_type(table, gnomon.Sweep)
    for constants, result in table:
        assert_type(constants, dict[str, int])
        assert_type(result, gnomon.CheckResult)
    assert_type(table.to_rows(), list[dict[str, object]])
    assert_type(table.to_csv(), str)
    assert_type(table.plot("states").title, str)


def groups(model: gnomon.Model) -> None:
    found = model.who("F done", among=["A", "B"], strategies="uniform", jobs=2, evidence=True)
    assert_type(found, gnomon.Who)
    assert_type(found.holding(), tuple[tuple[str, ...], ...])
    assert_type(found.holds("A", "B"), bool | None)
    assert_type(model.who_knows("secret", "always").holding("common"), tuple[tuple[str, ...], ...])
    assert_type(found.to_dict()["goal"], str)


def anybody(model: gnomon.Model) -> gnomon.Model:
    if isinstance(model, gnomon.OpenModel):
        return model.with_agents(Robot=3)
    return model


def mistakes(text: str) -> list[tuple[str, int, str]]:
    try:
        gnomon.load_text(text)
    except gnomon.InputError as error:
        return [(item.code, item.line, item.message) for item in error.diagnostics]
    return []
