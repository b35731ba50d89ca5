"""Whether what an action does is determined: two lines that contradict each other are a mistake."""

from collections.abc import Iterator
from itertools import combinations, islice, product
from typing import Final

from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Domain, Integers, OpenEnumeration, size_of, values_of
from gnomon.model.evaluation import value_by
from gnomon.model.parameterised.condition import Lookup
from gnomon.model.parameterised.system import Change, GuardedChange, OpenSystem, Part
from gnomon.text.diagnostic import Diagnostics

#: So many values are tried to see whether two lines contradict each other, and so many pairs of lines; what
#: is left, the engines find out.
_MOST_STATES: Final = 1_000
_MOST_PAIRS: Final = 2_000


def check_deterministic(system: OpenSystem, part: Part, diagnostics: Diagnostics) -> None:
    """Report two lines that can give a variable different values when one action is done."""
    reported: set[tuple[int, int]] = set()
    pairs = (
        (action, one, other)
        for action in part.actions
        for one, other in combinations(system.effects[part.name, action], 2)
    )
    for action, one, other in islice(pairs, _MOST_PAIRS):
        if _may_share(one[1], other[1]):
            lines = (one[1].line.line, other[1].line.line)
            variable = _contradicted(system, part, one, other)
            if variable is None or lines in reported:
                continue
            reported.add(lines)
            diagnostics.add(
                "G0712",
                f"lines {lines[0]} and {lines[1]} of `{part.name}` can give `{variable}` "
                f"different values when it does `{action}`",
                diagnostics.source.line_span(lines[1]),
                label="contradicts another line",
                help="what an action does must be determined: make the conditions exclude each other",
            )


def _contradicted(
    system: OpenSystem, part: Part, one: GuardedChange, other: GuardedChange
) -> str | None:
    """Return a variable that two lines can give different values, where that can be tried out."""
    values = dict(_values(one[1]))
    for variable, value in _values(other[1]):
        if variable not in values or values[variable] == value:
            continue
        before = values[variable]
        differ: plain.Expression = plain.TRUE
        if not isinstance(value, Lookup) and not isinstance(before, Lookup):
            differ = plain.Compare("<>", before, value)
        # What is looked up may be anything: then the conditions have to exclude each other.
        if _is_possible(system, part, plain.And((one[0], other[0], differ))):
            return variable
    return None


def _may_share(one: Change, other: Change) -> bool:
    return bool({name for name, _ in _values(one)} & {name for name, _ in _values(other)})


def _values(change: Change) -> Iterator[tuple[str, plain.Expression | Lookup]]:
    for item in change.line.assignments:
        yield item.variable, item.value
    for looked in change.looked:
        yield looked.variable, looked.value


def _is_possible(system: OpenSystem, part: Part, condition: plain.Expression) -> bool:
    """Return whether some values of the variables satisfy a condition; False where there are too many."""
    asked = sorted(plain.reads(condition), key=repr)
    domains = [_domain(system, part, read) for read in asked]
    cases = 1
    for domain in domains:
        endless = isinstance(domain, (Integers, OpenEnumeration))
        cases *= _MOST_STATES + 1 if endless else size_of(domain) or 1
    if cases > _MOST_STATES:
        return False  # the engine that takes such models looks at it again
    for chosen in product(*map(values_of, domains)):
        known: dict[object, object] = dict(zip(asked, chosen, strict=True))
        if value_by(condition, known.__getitem__):
            return True
    return False


def _domain(system: OpenSystem, part: Part, read: plain.Read) -> Domain:
    """Return the values of a variable of an agent of a part, or of the environment, that it reads."""
    owner = system.environment if read.agent == ENVIRONMENT else part
    return next(v.domain for v in owner.variables if v.name == read.variable)
