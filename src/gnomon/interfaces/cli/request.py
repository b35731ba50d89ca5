"""What a user asks of `gnomon check` and `gnomon explain-verdict`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.options import Expected, Strategies
from gnomon.checking.selection import FormulaChoice
from gnomon.results.extent import MOST_LINES, MOST_RUNS


class Request(NamedTuple):
    """All that was asked on the command line; what only `gnomon check` can be asked has a default."""

    models: tuple[str, ...]
    formulae: tuple[str, ...]
    only: tuple[FormulaChoice, ...]
    engine: Engine
    strategies: Strategies
    uniform_group: str | None
    refine: int | None
    predicates: tuple[str, ...]
    evidence: bool
    timeout: float | None
    formula_timeout: float | None
    memory: float | None
    max_states: int | None
    constants: dict[str, int]
    format: str
    verbose: bool
    no_color: bool
    progress: bool | None
    order: OrderChoice = "auto"
    diagrams: LibraryChoice = "auto"
    explain_predicates: bool = False
    certificate: str | None = None
    paranoid: bool = False
    race: bool | None = None
    parallel: bool = False
    check_deadlock: bool = False
    check_overflow: bool = False
    quiet: bool = False
    expect: Expected = "declared"
    strict: bool = False
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    #: The values of constants, where any of them has several: one check for each combination.
    sweep: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    #: How much of the evidence is told.
    brief: bool = False
    full: bool = False
    max_runs: int = MOST_RUNS
    max_lines: int = MOST_LINES
