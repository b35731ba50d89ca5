"""Evidence and labels as JSON, both ways. What is read may be anything: whatever does not fit is refused."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from gnomon.certificate.core import spelled, with_members
from gnomon.certificate.listed_states import checked_state
from gnomon.certificate.ranked_labels import RankedLabel, Ranks
from gnomon.certificate.rejection import Malformed, Rejected, shown
from gnomon.certificate.shape import (
    boolean,
    integer,
    integers,
    items,
    member,
    nested_row,
    nullable,
    pairs,
    row,
    string,
    strings,
)
from gnomon.model.evidence import (
    Branch,
    Choice,
    Defence,
    DefenceAnswer,
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

#: Ready to be written as JSON.
JsonObject: TypeAlias = dict[str, object]

#: Formulae are nested less deep, and chains of confused states are shorter.
MOST_NESTED: Final = 1_000


# Writing


def of_label(key: tuple[str, bool], label: RankedLabel) -> JsonObject:
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


def of_evidence(evidence: Evidence) -> JsonObject:
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


def _of_explanation(node: Explanation) -> JsonObject:
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


def _of_run(run: Run | None) -> JsonObject | None:
    if run is None:
        return None
    return {
        "steps": [_of_step(step) for step in run.steps],
        "loop": run.loop,
        "back": None if run.back is None else _of_step(run.back),
    }


def _of_step(step: Step) -> JsonObject:
    return {"state": step.state, "actions": step.actions, "lines": step.lines}


# Reading


class EvidenceReader:
    """Reads the evidence for one formula of a system."""

    def __init__(self, system: System, formula: Formula) -> None:
        """Know the formula's parts by their texts, also those that LTL says of every path."""
        self._system = system
        self._agents = len(system.agents)
        self._parts: dict[str, Formula] = {}
        for part in walk(formula):
            for each in (part, All(part)):
                known = self._parts.setdefault(spelled(each), each)
                if known != each and not _same(known, each):
                    raise Rejected(f"two parts of the formula look the same: {spelled(each)}")

    def evidence(self, data: object) -> Evidence:
        """Return what supports a verdict."""
        return Evidence(
            "witness",
            self._explanation(member(data, "tree"), MOST_NESTED),
            tuple(map(self._strategy, items(member(data, "strategies")))),
            tuple(map(self._defence, items(member(data, "defences")))),
            (),
            tuple(map(self._refutation, items(member(data, "refutations")))),
            nullable(self._run, member(data, "counts")),
        )

    def _state(self, data: object) -> State:
        return checked_state(self._system, member(data, "state"))

    def _run(self, data: object) -> Run:
        """Return a run; how its first state was reached is not asked."""
        steps = items(member(data, "steps"))
        first = [Step(self._state(each)) for each in steps[:1]]
        return Run(
            (*first, *map(self._step, steps[1:])),
            nullable(integer, member(data, "loop")),
            nullable(self._step, member(data, "back")),
        )

    def _step(self, data: object) -> Step:
        """Return a state and how it was reached: an action, and lines, for every agent."""
        actions = strings(row(member(data, "actions"), self._agents))
        lines = tuple(map(integers, row(member(data, "lines"), self._agents)))
        return Step(self._state(data), actions, lines)

    def _part(self, data: object) -> Formula:
        text = string(member(data, "formula"))
        found = self._parts.get(text)
        if found is None:
            raise Rejected(f"not a part of the formula: {shown(text)}")
        return found

    def _enforced(self, data: object) -> Enforces:
        found = self._part(data)
        if not isinstance(found, Enforces):
            raise Rejected(f"not about a coalition: {shown(member(data, 'formula'))}")
        return found

    def _explanation(self, data: object, depth: int) -> Explanation:
        if not depth:
            raise Malformed(f"explanations are nested more than {MOST_NESTED} deep")
        branches = items(member(data, "branches"))
        return Explanation(
            string(member(data, "formula")),
            boolean(member(data, "value")),
            "",
            _relation(member(data, "relation")),
            strings(member(data, "agents")),
            nullable(self._run, member(data, "run")),
            tuple(
                Branch(
                    integer(member(each, "position")),
                    self._explanation(member(each, "because"), depth - 1),
                )
                for each in branches
            ),
            self._part(data),
            self._state(data),
            nullable(self._run, member(data, "onward")),
        )

    def _strategy(self, data: object) -> Strategy:
        choices = tuple(
            Choice(pairs(member(each, "where")), pairs(member(each, "actions")))
            for each in items(member(data, "choices"))
        )
        return Strategy(
            string(member(data, "formula")),
            string(member(data, "reading")),
            strings(member(data, "members")),
            choices,
            self._enforced(data),
            self._state(data),
        )

    def _defence(self, data: object) -> Defence:
        return Defence(
            string(member(data, "formula")),
            strings(member(data, "members")),
            tuple(map(self._answer, items(member(data, "answers")))),
            self._enforced(data),
            self._state(data),
        )

    def _answer(self, data: object) -> DefenceAnswer:
        state, choice, actions, result = row(data, 4)
        return DefenceAnswer(
            checked_state(self._system, state),
            pairs(choice),
            strings(row(actions, self._agents)),
            checked_state(self._system, result),
        )

    def _refutation(self, data: object) -> Refutation:
        clauses = (row(each, 2) for each in items(member(data, "clauses")))
        return Refutation(
            string(member(data, "formula")),
            strings(member(data, "members")),
            tuple(nested_row(each, 2) for each in items(member(data, "meanings"))),
            tuple((integers(literals), nested_row(reason, 4)) for literals, reason in clauses),
            tuple(map(integers, items(member(data, "lemmas")))),
            self._enforced(data),
            self._state(data),
            tuple(map(self._run, items(member(data, "alike")))),
        )


def _relation(data: object) -> Literal["here", "time", "knowledge", "norm"]:
    match data:
        case "here" | "time" | "knowledge" | "norm":
            return data
        case _:
            raise Rejected(f"no such relation: {shown(data)}")


def read_labels(data: Iterable[object]) -> dict[tuple[str, bool], RankedLabel]:
    """Return the labels of a certificate by formula, and by whether only fair paths count."""
    return {
        (string(member(each, "formula")), boolean(member(each, "fair"))): RankedLabel(
            frozenset(integers(member(each, "states"))),
            _ranks(member(each, "ranks")),
            tuple(map(_ranks, items(member(each, "constraints")))),
            _ranks(member(each, "avoided")),
        )
        for each in data
    }


def read_states(system: System, data: object) -> tuple[list[State], list[int | None]]:
    """Return the states of a list, and from which of them each was reached."""
    states = [checked_state(system, each) for each in items(member(data, "states"))]
    return states, [nullable(integer, each) for each in items(member(data, "parents"))]


def _ranks(data: object) -> Ranks:
    return {
        integer(number): integer(rank) for number, rank in (row(each, 2) for each in items(data))
    }


def _same(left: Formula, right: Formula) -> bool:
    """Return whether two formulae differ at most in the names of their groups."""
    return with_members(left) == with_members(right)
