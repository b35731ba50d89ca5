"""A family at many sizes, from Python."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast, get_type_hints

from gnomon.api.answers import CheckResult
from gnomon.api.asking import CheckOptions, naming
from gnomon.api.conversions import account_rows, data_frame
from gnomon.api.models import Model, load
from gnomon.api.progress import CheckWatch
from gnomon.checking.selection import as_choice, is_choice, missing
from gnomon.checking.sweep import (
    MOST_SIZES,
    missing_everywhere,
    read_values,
    sizes,
    too_many_values,
)
from gnomon.results.render import notices
from gnomon.results.render import sweep as sweep_page
from gnomon.results.styled import Page, StyledText
from gnomon.results.sweep import (
    FormulaColumn,
    SizeRow,
    SweptFormula,
    columns,
    record_of,
    said_once,
    steady,
)
from gnomon.text.brief import brief
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

if TYPE_CHECKING:
    from pandas import DataFrame

    from gnomon.api.plots import PlotLibrary, PlottedFigure, SweepPlot


class Sweep:
    """What was found at each size, in the order of the values: pairs of constants and a result.

    >>> import gnomon
    >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..4"}, only=1)
    >>> [(constants["n"], result.states) for constants, result in table]
    [(2, 12), (3, 32), (4, 80)]
    >>> len(table), table[0].states, table.as_expected
    (3, 12, True)
    >>> table.to_csv().splitlines()[0][:20], len(table.results)
    ('model,n,index,name,f', 3)
    """

    def __init__(self, name: str, found: Iterable[tuple[dict[str, int], CheckResult]]) -> None:
        """Keep these results about the model of that name."""
        self.name = name
        self.results: tuple[tuple[dict[str, int], CheckResult], ...] = tuple(found)

    def __iter__(self) -> Iterator[tuple[dict[str, int], CheckResult]]:
        """Go through the sizes, each with its result."""
        return iter(self.results)

    def __len__(self) -> int:
        """Return how many sizes were checked."""
        return len(self.results)

    def __getitem__(self, place: int) -> CheckResult:
        """Return the result at that place, from 0."""
        return self.results[place][1]

    @property
    def as_expected(self) -> bool:
        """Return whether every formula and every sanity check came out as it should, at every size."""
        # Where it was interrupted, sizes are missing.
        return all(each.as_expected and not each.result.interrupted for _, each in self.results)

    def to_rows(self) -> list[dict[str, object]]:
        """Return a row for each formula at each size, with what `gnomon check --format csv` prints of it.

        >>> import gnomon
        >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..3"}, only=1)
        >>> [(row["n"], row["verdict"], row["states"]) for row in table.to_rows()]
        [(2, 'true', 12), (3, 'true', 32)]
        """
        return [
            record_of(result.result, verdict)
            for _, result in self.results
            for verdict in result.result
        ]

    def to_csv(self) -> str:
        """Return the same as text in columns."""
        from gnomon.results.render import csv

        return csv.render([result.result for _, result in self.results])

    def to_frame(self) -> "DataFrame":
        """Return the same as a data frame of pandas, which has to be installed.

        >>> import gnomon
        >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..3"}, only=1)
        >>> table.to_frame()[["n", "verdict", "states"]]
           n verdict  states
        0  2    true      12
        1  3    true      32
        """
        return data_frame(self.to_rows(), "`to_rows()`")

    def account_frame(self) -> "DataFrame":
        """Return what the engine did at each size as a data frame, where `account=True` asked for it.

        >>> import gnomon
        >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..3"}, only=1, account=True)
        >>> list(table.account_frame().columns)
        ['n', 'figure', 'text']
        """
        accounts = [(size, result.account) for size, result in self.results]
        return data_frame(account_rows(accounts), "the `account` of each result")

    def rows(self) -> list[dict[str, object]]:
        """Return the same as `to_rows`, by its former name."""
        return self.to_rows()

    def csv(self) -> str:
        """Return the same as `to_csv`, by its former name."""
        return self.to_csv()

    def frame(self) -> "DataFrame":
        """Return the same as `to_frame`, by its former name."""
        return self.to_frame()

    def plot(
        self, figure: "PlottedFigure" = "seconds", *, library: "PlotLibrary | None" = None
    ) -> "SweepPlot":
        """Return seconds or states against the constant that changes, drawn by matplotlib or Altair.

        Where several constants change, the one with most values is the axis, and each combination of the
        others has a line.

        >>> import gnomon
        >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..4"}, only=1)
        >>> table.plot("states", library="altair")
        <plot of reachable states by n, by altair>
        """
        from gnomon.api.plots import plot_sweep

        rows = [
            {"constants": size, "seconds": result.seconds, "states": result.states}
            for size, result in self.results
        ]
        return plot_sweep(rows, figure, library)

    def _rows(self) -> list[SizeRow]:
        return [SizeRow(constants, result.result) for constants, result in self.results]

    def _columns(self) -> tuple[FormulaColumn, ...]:
        return columns(
            [
                SweptFormula(each.index, each.name, each.line, each.formula, str(each.expected))
                for each in row.result
            ]
            for row in self._rows()
        )

    def _checks(self) -> list[str]:
        return list(dict.fromkeys(each.name for row in self._rows() for each in row.result.checks))

    def __str__(self) -> str:
        """Show it as the command line does."""
        rows = self._rows()
        names = list(rows[0].constants) if rows else []
        table = sweep_page.SweepTable(
            self.name,
            [row.constants for row in rows],
            self._columns(),
            Page(),
            fixed=steady([dict(row.result.constants) for row in rows], names),
            checks=self._checks(),
        )
        text = StyledText()
        text.extend(table.head())
        for row in rows:
            text.extend(table.row(row))
        text.extend(sweep_page.summary(rows))
        if said := said_once(self._rows()):
            text.add()
            text.extend(notices.as_text(said))
        return text.plain().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import sweep as page  # only notebooks want it

        return page.render(self.name, self._rows(), self._columns(), self._checks())


_OPTIONS = frozenset(get_type_hints(CheckOptions))
_Sweeping = TypeVar("_Sweeping", bound=Callable[..., Sweep])


def _shown_how(function: _Sweeping) -> _Sweeping:
    """Let whoever gives constants as keywords see how they are given: `load` takes them so."""

    @wraps(function)
    def asked(*given: Any, **named: Any) -> Sweep:
        loose = {name: value for name, value in named.items() if name not in _OPTIONS}
        if len(given) == 1 and loose and "constants" not in named:
            msg = f"the constants are given in one dictionary: write {brief(repr(loose))}"
            raise TypeError(msg)
        return function(*given, **named)

    return cast("_Sweeping", asked)


@_shown_how
@naming(CheckOptions)
def sweep(
    model: Model | str | PathLike[str],
    constants: Mapping[str, Iterable[int] | int | str],
    *formulae: str,
    **asked: Unpack[CheckOptions],
) -> Sweep:
    """Check a family at every combination of values of its constants.

    `model` is the name of a file, or a model that was loaded. The values of a constant are numbers, such as
    `range(1, 21)`, or a text such as "1..20". All else is as for `check`; evidence is only built where it is
    asked for. All sizes are read before the first is checked. What `only` chooses has to be there at some
    size, not at all of them. In a notebook a line tells how far it is, unless `progress` is False.

    >>> import gnomon
    >>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": range(2, 4)}, only=1)
    >>> [result[0].holds for _, result in table]
    [True, True]
    """
    asked.setdefault("evidence", False)
    values = {name: _values(name, given) for name, given in constants.items()}
    models = list(_read(model, list(sizes(values))))
    only = asked.pop("only", ())
    choices = tuple(map(as_choice, (only,) if isinstance(only, int | str) else only))
    if not all(map(is_choice, choices)):
        asked["only"] = choices
        models[0][1].check(*formulae, **asked)  # which says what is wrong with them
    nowhere = missing_everywhere(choices, [each.specifications for _, each in models])
    found: list[tuple[dict[str, int], CheckResult]] = []
    name, report = models[0][1].name, asked.pop("report", None)
    wanted = asked.pop("progress", None)
    with CheckWatch(name, len(models), "sizes", wanted=wanted) as watch:
        hears = watch.hears(report)
        for size, each in models:
            left_out = missing(choices, each.specifications) - nowhere
            here = tuple(choice for choice in choices if choice not in left_out)
            try:
                if choices and not here:
                    result = each.check_nothing()
                else:
                    chosen: CheckOptions = {
                        **asked,
                        "only": here,
                        "report": hears,
                        "progress": False,
                    }
                    result = each.check(*formulae, **chosen)
            except InputError as error:
                raise InputError(tuple(_at(item, size) for item in error.diagnostics)) from None
            found.append((size, result))
            watch.count()
            if result.result.interrupted:
                break
    return Sweep(name, found)


def _values(name: str, given: Iterable[int] | int | str) -> tuple[int, ...]:
    try:
        return read_values(given) if isinstance(given, str) else _listed(given)
    except (TypeError, ValueError) as error:
        message = f"the values of the constant {name}: {error}"
        raise InputError((Diagnostic("G0816", message, Source("<constants>", "")),)) from None


def _listed(given: Iterable[int] | int) -> tuple[int, ...]:
    """Return numbers one by one; there may be very many of them, or no end."""
    if isinstance(given, int):
        return (given,)
    found = tuple(islice(given, MOST_SIZES + 1))
    if len(found) > MOST_SIZES:
        raise too_many_values()
    return found


def _read(
    model: Model | str | PathLike[str], chosen: list[dict[str, int]]
) -> Iterator[tuple[dict[str, int], Model]]:
    """Yield the model at each size; raise `InputError` with all that is wrong at any of them, once."""
    wrong: dict[Diagnostic, Diagnostic] = {}
    found: list[tuple[dict[str, int], Model]] = []
    for size in chosen:
        try:
            found.append(
                (size, model.resized(**size) if isinstance(model, Model) else load(model, **size))
            )
        except InputError as error:
            for item in error.diagnostics:
                wrong.setdefault(item, _at(item, size))
    if wrong:
        raise InputError(tuple(wrong.values()))
    yield from found


def _at(item: Diagnostic, size: Mapping[str, object]) -> Diagnostic:
    """Return a diagnostic with the size at which it was found; values may not be numbers yet."""
    where = ", ".join(f"{name} = {value}" for name, value in size.items())
    return replace(item, notes=(*item.notes, f"first with {where}"))
