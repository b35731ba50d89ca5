"""A campaign in words for people: one line while it runs, a page of how it stands, and the end of it."""

from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.campaign.labels import label_of
from gnomon.campaign.plan_jobs import SameQuestion
from gnomon.campaign.summary import CampaignSummary, SummaryRow, some, total
from gnomon.campaign.view import CampaignView
from gnomon.results.render import table
from gnomon.results.styled import Styled, StyledText, pad, visible, wrap

#: Each standing of an answer, as it is said after a number, with its style.
STANDINGS: Final = {
    "expected": ("as expected", "true"),
    "unexpected": ("not as expected", "false"),
    "open": ("open", "unknown"),
    "refused": ("refused", "error"),
    "lost": ("lost", "error"),
}
#: Nobody reads more lines of a kind.
_MOST: Final = 20
_MOST_ROWS: Final = 40
#: As wide as hours of seconds, so that the table is the same however long it took.
_TIME: Final = 9
_NARROWEST_BAR: Final = 10
_WIDEST_BAR: Final = 30


def bar_line(view: CampaignView, width: int) -> str:
    """Return how far it is on one line: a bar, numbers, rate, time left, what failed and what runs."""
    share = view.done / view.jobs if view.jobs else 1.0
    size = max(_NARROWEST_BAR, min(_WIDEST_BAR, width // 4))
    filled = int(share * size)
    parts = [f"{view.done:,}/{view.jobs:,} {share:4.0%}", *_pace(view)]
    parts += [words for words in counted(view.answered) if not words.endswith(" as expected")]
    parts += [", ".join(each.label for each in view.under_way)]
    told = " · ".join(part for part in parts if part)
    return f"{view.name} [{'#' * filled}{'.' * (size - filled)}] {told}"


def _pace(view: CampaignView) -> list[str]:
    if view.rate is None:
        return []
    left = view.seconds_left
    pace = [f"{view.rate:.1f}/s" if view.rate >= 1 else f"{view.rate * 60:.1f}/min"]
    return pace if not left else [*pace, f"about {duration(left)} left"]


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(7.4), duration(200), duration(9000)
    ('7 s', '3 min 20 s', '2 h 30 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def counted(answered: Mapping[str, int]) -> list[str]:
    """Return how many answers there are of each standing, in words."""
    return [
        f"{answered[standing]:,} {words}"
        for standing, (words, _) in STANDINGS.items()
        if answered.get(standing)
    ]


def status_page(view: CampaignView, now: float, width: int) -> StyledText:
    """Return how a campaign stands: how far it is, who is at it, what runs where, and what failed."""
    text = StyledText()
    text.add(Styled(bar_line(_bare(view), width), "strong"))
    for words in counted(view.answered):
        text.add("  ", words)
    for run in view.running:
        ago = duration(now - run.started)
        heard = duration(max(now - run.seen, 0))  # clocks of other machines differ
        text.add(
            f"running on {run.machine} for {ago} (process {run.process}), last heard of {heard} ago"
        )
    if not view.running:
        _nobody(text, view, now)
    if view.under_way:
        rows = [(each.label, each.place, duration(each.seconds)) for each in view.under_way]
        text.add()
        text.extend(table.render(("under way", "where", "for"), rows[:_MOST], width, (0,)))
    if view.failed:
        rows_ = [(each.label, STANDINGS[each.standing][0]) for each in view.failed]
        text.add()
        text.extend(table.render(("job", "answer"), rows_[:_MOST], width, (0,)))
        _more(text, len(rows_) - _MOST)
    return text


def _bare(view: CampaignView) -> CampaignView:
    """Return it without what the lines below tell."""
    return CampaignView(view.name, view.jobs, {"expected": view.done}, view.rate)


def _nobody(text: StyledText, view: CampaignView, now: float) -> None:
    run = view.last
    if run is None:
        text.add("no run has begun")
    elif run.ended is None:
        gone = duration(now - run.seen)
        said = f"the last run was not heard of for {gone}: it was killed, or its machine is gone"
        text.add(Styled(said, "unknown"))
    if run is not None and view.left:
        text.add(f"to go on with the rest: {run.command}")


def summary_page(summary: CampaignSummary, width: int) -> StyledText:
    """Return what a campaign has come to: the jobs that are not as expected, and a table of all."""
    text = StyledText()
    for standing in ("unexpected", "refused", "lost", "open"):
        found = [each for each in summary.odd if each.standing == standing]
        words, style = STANDINGS[standing]
        for each in found[:_MOST]:
            jobs = some([label_of(job) for job in each.jobs])
            text.add(Styled(f"{words}: ", style), Styled(jobs, "strong"))
            for part in wrap(each.words, width - 4):
                text.add("    ", part)
        _more(text, len(found) - _MOST)
    for contrary in summary.contrary:
        text.add(Styled("contradiction: ", "error"), Styled(contrary.formula, "strong"))
        for value, by in (("true", contrary.true), ("false", contrary.false)):
            text.add(f"    {value} by {some(by)}")
        text.add("    this is a bug in gnomon: please report it with the store")
    if text.lines:
        text.add()
    rows = summary.rows
    shown = rows if len(rows) <= _MOST_ROWS else rows[:_MOST_ROWS]
    text.extend(_table([*shown, total(rows)] if len(rows) > 1 else rows, width))
    _more(text, len(rows) - len(shown))
    text.extend(same_questions(summary.same))
    return text


def same_questions(same: Sequence[SameQuestion]) -> StyledText:
    """Return which models are not asked by their own names, a line for each."""
    text = StyledText()
    for each in same[:_MOST]:
        text.add(visible(str(each), ""))
    _more(text, len(same) - _MOST)
    return text


def _more(text: StyledText, more: int) -> None:
    if more > 0:
        text.add(f"  and {more:,} more of these")


def _table(rows: Sequence[SummaryRow], width: int) -> StyledText:
    cells = [
        [
            visible(row.label, ""),
            ", ".join(counted(row.standings)) or "not yet answered",
            pad(f"{row.seconds:.2f} s", _TIME),
            f"{row.memory:,.0f} MB",
        ]
        for row in rows
    ]
    return table.render(("", "answers", "time", "memory"), cells, width, (0, 1))
