"""What a user asks of `gnomon check`."""

from typing import Literal, NamedTuple, TypeAlias

from gnomon.checking.attempts import Diagrams, Engine, Order

Format: TypeAlias = Literal["text", "json", "jsonl", "sarif", "junit"]
Strategies: TypeAlias = Literal["perfect", "uniform", "uniform-subjective", "uniform-model"]


class Request(NamedTuple):
    """All that was asked on the command line."""

    models: tuple[str, ...]
    formulae: tuple[str, ...]
    only: tuple[int, ...]
    engine: Engine
    order: Order
    diagrams: Diagrams
    strategies: Strategies
    uniform_group: str | None
    refine: int | None
    predicates: tuple[str, ...]
    explain_predicates: bool
    evidence: bool
    certificate: str | None
    paranoid: bool
    check_deadlock: bool
    check_overflow: bool
    timeout: float | None
    memory: float | None
    max_states: int | None
    constants: dict[str, int]
    format: Format
    quiet: bool
    verbose: bool
    no_color: bool
    progress: bool | None
