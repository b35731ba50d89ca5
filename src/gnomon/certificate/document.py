"""Certificates as JSON, both ways. What is read may be anything: whatever does not fit is refused."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from gnomon.certificate.core import spelled, with_members
from gnomon.certificate.labels import Label
from gnomon.certificate.space import Rejected, checked_state, shown
from gnomon.model.evidence import (
    Answer,
    Branch,
    Choice,
    Defence,
    Evidence,
    Explanation,
    Refutation,
    Run,
    Step,
    Strategy,
)
from gnomon.model.formula import All, Enforces, Formula, walk
from gnomon.model.step import State
from gnomon.model.system import System

Json: TypeAlias = Any

FORMAT: Final = "gnomon-certificate"
VERSION: Final = 1


# Writing


def of_label(key: tuple[str, bool], label: Label) -> Json:
    """Return a label."""
    text, fair = key
    return {
        "formula": text,
        "fair": fair,
        "states": sorted(label.states),
        "ranks": sorted(label.ranks.items()),
        "constraints": [sorted(ranks.items()) for ranks in label.fair],
        "avoided": sorted(label.avoided.items()),
    }


def of_evidence(evidence: Evidence) -> Json:
    """Return what supports a verdict, without the words."""
    assert evidence.explanation is not None
    return {
        "tree": _of_explanation(evidence.explanation),
        "counts": _of_run(evidence.counts),
        "strategies": [
            {
                "formula": _text(strategy.about),
                "reading": strategy.reading,
                "members": list(strategy.members),
                "state": strategy.state,
                "choices": [
                    {"where": choice.where, "actions": choice.actions}
                    for choice in strategy.choices
                ],
            }
            for strategy in evidence.strategies
        ],
        "defences": [
            {
                "formula": _text(defence.about),
                "members": list(defence.members),
                "state": defence.state,
                "answers": [
                    [answer.state, answer.choice, answer.actions, answer.result]
                    for answer in defence.answers
                ],
            }
            for defence in evidence.defences
        ],
        "refutations": [
            {
                "formula": _text(each.about),
                "members": list(each.members),
                "state": each.state,
                "meanings": each.meanings,
                "clauses": each.clauses,
                "lemmas": each.lemmas,
                "alike": [_of_run(run) for run in each.alike],
            }
            for each in evidence.refutations
        ],
    }


def _text(formula: Formula | None) -> str:
    assert formula is not None
    return spelled(formula)


def _of_explanation(node: Explanation) -> Json:
    return {
        "formula": _text(node.about),
        "value": node.value,
        "state": node.state,
        "relation": node.relation,
        "agents": list(node.agents),
        "run": _of_run(node.run),
        "onward": _of_run(node.onward),
        "branches": [
            {"position": branch.position, "because": _of_explanation(branch.because)}
            for branch in node.branches
        ],
    }


def _of_run(run: Run | None) -> Json:
    if run is None:
        return None
    return {
        "steps": [_of_step(step) for step in run.steps],
        "loop": run.loop,
        "back": None if run.back is None else _of_step(run.back),
    }


def _of_step(step: Step) -> Json:
    return {"state": step.state, "actions": step.actions, "lines": step.lines}


# Reading


class Reader:
    """Reads the evidence for one formula of a system."""

    def __init__(self, system: System, formula: Formula) -> None:
        """Know the formula's parts by their texts, also those that LTL says of every path."""
        self._system = system
        self._parts: dict[str, Formula] = {}
        for part in walk(formula):
            for each in (part, All(part)):
                known = self._parts.setdefault(spelled(each), each)
                if known != each and not _same(known, each):
                    msg = f"two parts of the formula look the same: {spelled(each)}"
                    raise Rejected(msg)

    def evidence(self, data: Json) -> Evidence:
        """Return what supports a verdict."""
        return Evidence(
            "witness",
            self._explanation(data["tree"]),
            tuple(map(self._strategy, data["strategies"])),
            tuple(map(self._defence, data["defences"])),
            (),
            tuple(map(self._refutation, data["refutations"])),
            self._run(data["counts"]),
        )

    def _state(self, data: Json) -> State:
        return checked_state(self._system, data)

    def _run(self, data: Json) -> Run | None:
        if data is None:
            return None
        back = None if data["back"] is None else self._step(data["back"])
        loop = None if data["loop"] is None else _integer(data["loop"])
        return Run(tuple(map(self._step, data["steps"])), loop, back)

    def _step(self, data: Json) -> Step:
        actions = None if data["actions"] is None else tuple(map(_string, data["actions"]))
        return Step(self._state(data["state"]), actions, deep_tuple(data["lines"]))

    def _part(self, data: Json) -> Formula:
        found = self._parts.get(data["formula"])
        if found is None:
            msg = f"not a part of the formula: {shown(data['formula'])}"
            raise Rejected(msg)
        return found

    def _enforced(self, data: Json) -> Enforces:
        found = self._part(data)
        if not isinstance(found, Enforces):
            msg = f"not about a coalition: {shown(data['formula'])}"
            raise Rejected(msg)
        return found

    def _explanation(self, data: Json) -> Explanation:
        return Explanation(
            data["formula"],
            _boolean(data["value"]),
            "",
            _relation(data["relation"]),
            tuple(data["agents"]),
            self._run(data["run"]),
            tuple(
                Branch(_integer(each["position"]), self._explanation(each["because"]))
                for each in data["branches"]
            ),
            self._part(data),
            self._state(data["state"]),
            self._run(data["onward"]),
        )

    def _strategy(self, data: Json) -> Strategy:
        choices = tuple(
            Choice(deep_tuple(row["where"]), deep_tuple(row["actions"])) for row in data["choices"]
        )
        return Strategy(
            data["formula"],
            data["reading"],
            tuple(data["members"]),
            choices,
            self._enforced(data),
            self._state(data["state"]),
        )

    def _defence(self, data: Json) -> Defence:
        answers = tuple(map(self._answer, data["answers"]))
        state = self._state(data["state"])
        members = tuple(data["members"])
        return Defence(data["formula"], members, answers, self._enforced(data), state)

    def _answer(self, data: Json) -> Answer:
        state, choice, actions, result = data
        return Answer(
            self._state(state),
            deep_tuple(choice),
            tuple(map(_string, actions)),
            self._state(result),
        )

    def _refutation(self, data: Json) -> Refutation:
        return Refutation(
            data["formula"],
            tuple(data["members"]),
            deep_tuple(data["meanings"]),
            deep_tuple(data["clauses"]),
            deep_tuple(data["lemmas"]),
            self._enforced(data),
            self._state(data["state"]),
            tuple(run for run in map(self._run, data["alike"]) if run is not None),
        )


def _relation(data: Json) -> Literal["here", "time", "knowledge", "norm"]:
    if data not in {"here", "time", "knowledge", "norm"}:
        msg = f"no such relation: {shown(data)}"
        raise Rejected(msg)
    relation: Literal["here", "time", "knowledge", "norm"] = data
    return relation


def labels(data: Json) -> dict[tuple[str, bool], Label]:
    """Return the labels of a certificate by formula."""
    found = {}
    for each in data:
        key = (str(each["formula"]), _boolean(each["fair"]))
        found[key] = Label(
            frozenset(map(_integer, each["states"])),
            _ranks(each["ranks"]),
            tuple(map(_ranks, each["constraints"])),
            _ranks(each["avoided"]),
        )
    return found


def states(system: System, data: Json) -> Iterator[State]:
    """Yield the states of a list."""
    return (checked_state(system, each) for each in data)


def parents(data: Json) -> list[int | None]:
    """Return from which state each was reached."""
    return [None if each is None else _integer(each) for each in data]


def _ranks(data: Json) -> Mapping[int, int]:
    return {_integer(number): _integer(rank) for number, rank in data}


def _integer(data: Json) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        msg = f"not a number: {shown(data)}"
        raise Rejected(msg)
    return data


def _boolean(data: Json) -> bool:
    if not isinstance(data, bool):
        msg = f"neither true nor false: {shown(data)}"
        raise Rejected(msg)
    return data


def _string(data: Json) -> str:
    if not isinstance(data, str):
        msg = f"not a name: {shown(data)}"
        raise Rejected(msg)
    return data


def _same(left: Formula, right: Formula) -> bool:
    """Return whether two formulae differ at most in the names of their groups."""
    return with_members(left) == with_members(right)


def deep_tuple(data: Json) -> Json:
    """Return lists as tuples, all the way down."""
    return tuple(map(deep_tuple, data)) if isinstance(data, list | tuple) else data
