"""All of a report: from answers to tables, plots and differences."""

from collections.abc import Iterable
from dataclasses import dataclass

from gnomon.campaign.report import page
from gnomon.campaign.report.differences import Difference, as_table, differences
from gnomon.campaign.report.measured import Measured, measured
from gnomon.campaign.report.plots import plots
from gnomon.campaign.report.tables import ContraryVerdicts, ReportTable, contradictions, tables
from gnomon.campaign.rows import VerdictRow


@dataclass(frozen=True)
class CampaignReport:
    """What a campaign found, and what is otherwise than before where there is a before."""

    title: str
    found: Measured
    tables: tuple[ReportTable, ...]
    contradictions: tuple[ContraryVerdicts, ...]
    #: None where it is compared with nothing.
    differences: tuple[Difference, ...] | None

    @property
    def regressions(self) -> tuple[Difference, ...]:
        """Return what is worse than before."""
        return tuple(each for each in self.differences or () if each.is_regression)

    def page(self) -> str:
        """Return the report as one page of HTML."""
        return page.render(
            self.title, facts(self.found), self.tables, plots(self.found), self.contradictions
        )


def report(
    title: str, rows: Iterable[VerdictRow], before: Iterable[VerdictRow] | None = None
) -> CampaignReport:
    """Put a report together, compared with an earlier campaign where there is one."""
    found = measured(rows)
    changed = None if before is None else tuple(differences(measured(before), found))
    more = () if changed is None else (as_table(list(changed)),)
    first, *rest = tables(found)
    return CampaignReport(
        title, found, (first, *more, *rest), tuple(contradictions(found)), changed
    )


def facts(found: Measured) -> list[str]:
    """Return in words where the answers come from."""
    rows = found.rows
    jobs = {(row.digest, row.repetition, row.version) for row in rows}
    versions = sorted({row.version for row in rows})
    machines = sorted({f"{row.machine} ({row.system}, {row.processor})" for row in rows})
    days = sorted({row.started[:10] for row in rows})
    said = [f"{len(jobs):,} answers", f"{len(rows):,} verdicts"]
    said += [f"gnomon {', '.join(versions)}"] if versions else []
    said += machines[:3] + ([f"and {len(machines) - 3} more machines"] if len(machines) > 3 else [])
    said += [days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"] if days else []
    return said
