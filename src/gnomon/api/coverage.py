"""What of a model can be used, from Python."""

from dataclasses import fields

from gnomon.api.progress import CheckWatch
from gnomon.checking.coverage import Coverage, coverage
from gnomon.model.system import System
from gnomon.results.render import coverage as coverage_page
from gnomon.text.source import Source


class CoverageView(Coverage):
    """What can be used of a model: `parts`, the `states` that were found, and what was `left_out`.

    >>> import gnomon
    >>> found = gnomon.load("examples/tickets.ispl").coverage()
    >>> found
    <coverage of examples/tickets.ispl: 13 of 13 parts are used>
    >>> found.parts[0].kind, found.parts[0].line, found.parts[0].used
    ('evolution line', 15, 1)
    >>> len(found.of_kind("evolution line"))
    2
    >>> found.states, found.left_out
    (4, ('Environment.waiting',))
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Show it as `gnomon show --coverage` does."""
        return coverage_page.render(self).plain().rstrip()

    def __repr__(self) -> str:
        """Show how much of it is used."""
        used, of = (sum(getattr(part, name) for part in self.parts) for name in ("used", "of"))
        return f"<coverage of {self.model}: {used} of {of} parts are used>"

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import coverage as page  # only notebooks want it

        return page.render(self)


def looked_at(
    system: System, source: Source, timeout: float | None, memory: float | None
) -> CoverageView:
    """Return which parts of a system can be used in a reachable state."""
    with CheckWatch(source.name) as watch:
        report = watch.hears(None)
        found = coverage(system, source, timeout=timeout, memory=memory, report=report)
    return CoverageView(*(getattr(found, field.name) for field in fields(found)))
