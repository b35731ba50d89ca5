"""The shapes of what is published as data, for type checkers: what `to_dict()` and certificates hold."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

#: Anything that JSON can hold.
JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
JsonMapping: TypeAlias = Mapping[str, "JsonValue"]

_VerdictWord: TypeAlias = Literal["true", "false", "undefined", "unknown"]


class FormulaData(TypedDict):
    """What came of one formula, as `gnomon check --json` prints it."""

    index: int
    name: str | None
    text: str
    verdict: _VerdictWord
    expected: _VerdictWord
    as_expected: bool
    vacuous: str | None
    engine: str | None
    strategies: str | None
    seconds: float
    evidence: JsonMapping | None
    parsed: str
    reason: str | None
    line: int | None
    agents: NotRequired[JsonMapping]
    cycle: NotRequired[JsonMapping]


class DiagnosticData(TypedDict):
    """One diagnostic; lines and columns count from 1, the end is the first place after it."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    file: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    label: str | None
    notes: list[str]
    help: str | None


class CheckData(TypedDict):
    """What came of a model, as `gnomon check --json` prints it."""

    gnomon: str
    model: str
    constants: dict[str, int]
    kind: Literal["finite", "unbounded", "parameterised"] | None
    engine: str | None
    states: int | None
    seconds: float
    as_expected: bool
    formulae: list[FormulaData]
    checks: dict[str, JsonMapping | None]
    diagnostics: list[DiagnosticData]
    terminal: NotRequired[int]
    predicates: NotRequired[list[dict[str, str]]]
    account: NotRequired[list[dict[str, str]]]


class ProvedFormulaData(TypedDict):
    """The verdict on one formula in a certificate, with its proof, or the reason why there is none."""

    index: int
    name: NotRequired[str | None]
    formula: str
    parsed: str
    logic: Literal["CTL", "LTL", "CTL*"]
    strategies: str | None
    verdict: _VerdictWord
    proof: JsonMapping | None
    reason: str
    typed: bool


class CertificateData(TypedDict):
    """A certificate, as `gnomon check --certificate` writes it."""

    format: str
    version: int
    gnomon: str
    model: str
    digest: str
    constants: dict[str, int]
    space: JsonMapping | None
    labels: list[JsonMapping]
    verdicts: list[ProvedFormulaData]


class WhoData(TypedDict):
    """Who can or knows something, as `gnomon who --format json` prints it."""

    gnomon: str
    model: str
    constants: dict[str, int]
    kind: str
    states: int | None
    asked_for: Literal["enforces", "knows"]
    goal: str
    when: Literal["ever", "always", "initially"] | None
    strategies: str | None
    surveys: list[JsonMapping]
    checks: int
    rounds: int
    seconds: float
    complete: bool
    interrupted: bool
    diagnostics: list[DiagnosticData]
