"""Answers as rows of a table: one a formula or sanity check, each with all of its provenance."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from gnomon.campaign.stored import StoredAnswer


@dataclass(frozen=True)
class VerdictRow:
    """One verdict with all that is known of it; of a question that has none, what was said instead.

    Names and order of the fields are the columns of every table of a campaign, and are kept.
    """

    model: str
    constants: Mapping[str, int]
    #: The number of the formula, from 1; None for a sanity check, and where there are no verdicts.
    index: int | None
    #: The name of the formula or of the check.
    name: str | None
    formula: str | None
    #: "true", "false", "undefined", "unknown"; "error" where nothing could be asked, "lost" where no process
    #: came to its end.
    verdict: str
    expected: str | None
    as_expected: bool
    reason: str | None
    kind: str | None
    #: The engine that was asked for, and the one that decided.
    engine_asked: str
    engine: str | None
    order: str
    diagrams: str
    strategies: str | None
    uniform_group: str | None
    states: int | None
    #: What this verdict took, and what the whole job took.
    seconds: float | None
    job_seconds: float
    cpu: float
    memory: float
    #: The limits that were set.
    timeout: float | None
    formula_timeout: float | None
    memory_limit: float | None
    max_states: int | None
    repetition: int
    seed: int | None
    version: str
    machine: str
    system: str
    processor: str
    python: str
    started: str
    command: str | None
    campaign: str | None
    digest: str

    def to_data(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**found, "constants": dict(self.constants)}


#: The columns that come before and after those of the constants.
COLUMNS = tuple(field.name for field in fields(VerdictRow))


def rows(answers: Iterable[StoredAnswer]) -> Iterator[VerdictRow]:
    """Yield the rows of all answers, in their order."""
    for stored in answers:
        yield from rows_of(stored)


def rows_of(stored: StoredAnswer) -> Iterator[VerdictRow]:
    """Yield the rows of one answer; there is at least one."""
    result = stored.answer.result
    shared = _shared(stored)
    verdicts = [*map(_of_formula, result["formulae"]), *_of_checks(result)]
    if not verdicts:
        verdicts = [_of_nothing(stored)]
    for each in verdicts:
        yield VerdictRow(**{**shared, **each})


def _shared(stored: StoredAnswer) -> dict[str, Any]:
    question, answer = stored.question, stored.answer
    options, result, came = question.options, answer.result, answer.provenance
    return {
        "model": question.name,
        "constants": dict(result["constants"]) or dict(question.constants),
        "kind": result["kind"],
        "engine_asked": options.engine,
        "engine": result["engine"],
        "order": options.order,
        "diagrams": options.diagrams,
        "strategies": options.strategies,
        "uniform_group": options.uniform_group,
        "states": result["states"],
        "job_seconds": came.seconds,
        "cpu": came.cpu,
        "memory": came.memory,
        "timeout": options.timeout,
        "formula_timeout": options.formula_timeout,
        "memory_limit": options.memory,
        "max_states": options.max_states,
        "repetition": answer.key.repetition,
        "seed": came.seed,
        "version": came.version,
        "machine": came.machine,
        "system": came.system,
        "processor": came.processor,
        "python": came.python,
        "started": came.started,
        "command": stored.run.command if stored.run else None,
        "campaign": stored.run.name if stored.run else None,
        "digest": answer.key.digest,
    }


def _of_formula(formula: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "index": formula["index"],
        "name": formula["name"],
        "formula": formula["text"],
        "verdict": formula["verdict"],
        "expected": formula["expected"],
        "as_expected": formula["as_expected"],
        "reason": formula["reason"],
        "engine": formula["engine"],
        "seconds": formula["seconds"],
    }


def _of_checks(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, check in result["checks"].items():
        if check is not None:
            yield {
                "index": None,
                "name": name,
                "formula": check["claim"],
                "verdict": check["verdict"],
                "expected": "true",
                "as_expected": check["as_expected"],
                "reason": check["reason"],
                "seconds": check["seconds"],
            }


def _of_nothing(stored: StoredAnswer) -> dict[str, Any]:
    """Return the row of an answer without verdicts: there is nothing to ask, or something is wrong."""
    answer = stored.answer
    errors = [each for each in answer.result["diagnostics"] if each["severity"] == "error"]
    verdict = {"refused": "error", "lost": "lost", "open": "unknown"}.get(answer.standing, "none")
    return {
        "index": None,
        "name": None,
        "formula": None,
        "verdict": verdict,
        "expected": None,
        "as_expected": answer.standing == "expected",
        "reason": answer.reason
        or "; ".join(f"{each['code']}: {each['message']}" for each in errors)
        or None,
        "seconds": None,
    }
