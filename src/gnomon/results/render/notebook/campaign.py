"""What comes of a check of a campaign in a notebook, and how far one is."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gnomon.results import phrases
from gnomon.results.render.notebook.formulae import formula
from gnomon.results.render.notebook.frame import framed, paragraph, quoted, row, shown, table
from gnomon.results.render.verdict_lines import duration

_MOST_ROWS: Final = 200
_MOST_LISTED: Final = 30
_SIGNS: Final = {"expected": ("✓", "true"), "unexpected": ("✗", "false")}


def render(
    name: str,
    constants: Mapping[str, int],
    standing: str,
    data: Mapping[str, Any],
    problems: Sequence[str],
) -> str:
    """Return one output about an answer, from its published data."""
    facts = " · ".join(phrases.constants(constants.items()))
    sign = _signed(standing)
    formulae = data.get("formulae", ())
    rows = [_row(each) for each in formulae[:_MOST_ROWS]]
    left = len(formulae) - len(rows)
    return framed(
        paragraph(
            f'{sign} <strong>{shown(name)}</strong> <span class="g-soft">{shown(facts)}</span> '
            f"{shown(standing)}"
        ),
        table(["", "name", "formula", "value", "time"], rows, ["", "", "", "", "g-number"])
        if rows
        else "",
        paragraph(quoted(f"… and {left:,} more; `.values` has all"), "g-soft") if left else "",
        *(paragraph(quoted(each)) for each in problems[:_MOST_ROWS]),
    )


def counts(
    words: str, done: int, of: int, results: Sequence[tuple[str, Mapping[str, int], str]] = ()
) -> str:
    """Return a bar and a line that says how far a campaign is, and what came of the last checks."""
    bar = f'<progress max="{max(1, of)}" value="{done}"></progress>'
    rows = [
        row([_signed(standing), shown(name), shown(phrases.setting(constants.items())), standing])
        for name, constants, standing in results[-_MOST_LISTED:]
    ]
    left = len(results) - len(rows)
    return framed(
        paragraph(f"{bar} {shown(words)}"),
        paragraph(quoted(f"the last ones; {left:,} more are in `.results`"), "g-soft")
        if left
        else "",
        table(["", "model", "constants", "standing"], rows) if rows else "",
    )


def _signed(standing: str) -> str:
    sign, style = _SIGNS.get(standing, ("?", "unknown"))
    return f'<span class="g-mark g-{style}">{sign}</span>'


def _row(each: Mapping[str, Any]) -> str:
    verdict = str(each["verdict"])
    open_ = verdict in {"unknown", "undefined"}
    good = each.get("as_expected", verdict == "true")
    standing = "expected" if good else "open" if open_ else "unexpected"
    why = f"<br><small>{quoted(str(each['reason']))}</small>" if each.get("reason") else ""
    time = duration(float(each.get("seconds") or 0.0))
    cells = [_signed(standing), shown(str(each.get("name") or each.get("index") or ""))]
    return row(
        [*cells, formula(str(each["text"])) + why, shown(verdict), shown(time)],
        of=["", "", "", f"g-{_SIGNS.get(standing, ('', 'unknown'))[1]}", "g-number"],
    )
