"""A plan: what a campaign checks, how, in which order and where, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.options import Options, Strategies
from gnomon.checking.selection import FormulaChoice
from gnomon.text.source import Source

#: Which of two jobs is begun first: the one that is expected to take less, more, or that is written first.
Schedule: TypeAlias = Literal["cheap-first", "dear-first", "written"]
#: Whether the formulae of a model are one job, which explores once for all of them, or a job each.
FormulaSplit: TypeAlias = Literal["no", "formulae"]

#: Nobody means more, at all and at once.
MOST_JOBS: Final = 1_000_000
MOST_AT_ONCE: Final = 1_024
#: Python takes no larger one.
MOST_SEED: Final = 2**32 - 1


@dataclass(frozen=True)
class ClusterSecurity:
    """Files for TLS: the certificate of the authority, our own one, and its key."""

    ca_file: Path | None = None
    cert: Path | None = None
    key: Path | None = None


@dataclass(frozen=True)
class ClusterAddress:
    """A scheduler that jobs are handed to, and how to talk to it."""

    address: str
    security: ClusterSecurity = ClusterSecurity()


@dataclass(frozen=True)
class PlannedCheck:
    """Models with all that varies: every combination is a job, or one for each formula."""

    models: tuple[Source, ...]
    constants: Mapping[str, tuple[int, ...]]
    formulae: tuple[str, ...] = ()
    only: tuple[FormulaChoice, ...] = ()
    predicates: tuple[str, ...] = ()
    engines: tuple[Engine, ...] = ("auto",)
    strategies: tuple[Strategies, ...] = ("perfect",)
    orders: tuple[OrderChoice, ...] = ("auto",)
    diagrams: tuple[LibraryChoice, ...] = ("auto",)
    #: All that does not vary, but for the group that goes with one reading only.
    options: Options = Options()
    uniform_group: str | None = None
    repetitions: int = 1
    split: FormulaSplit = "no"


@dataclass(frozen=True)
class Plan:
    """All that a campaign is; `jobs` is how many are done at once, None for as many as there is room for."""

    name: str
    store: Path
    checks: tuple[PlannedCheck, ...]
    schedule: Schedule = "cheap-first"
    jobs: int | None = None
    #: The seed of Python's hashes, by which engines break ties; None for what is usual.
    seed: int | None = None
    cluster: ClusterAddress | None = None
