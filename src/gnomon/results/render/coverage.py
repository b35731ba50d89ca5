"""What of a model can ever be used: as a page, and as data."""

from collections.abc import Iterable

from gnomon.checking.coverage import KINDS, MOST_VALUES, Coverage, CoveredPart, PartKind
from gnomon.results.data import Object, seconds
from gnomon.results.phrases import grouped
from gnomon.results.render import table
from gnomon.results.styled import Styled, StyledText, squeeze, wrap
from gnomon.version import __version__


def of_coverage(found: Coverage) -> Object:
    """Return it in the shape that `schema/coverage.json` publishes."""
    return {
        "gnomon": __version__,
        "model": found.model,
        "states": found.states,
        "seconds": seconds(found.seconds),
        "summary": {kind: _counts(found.of_kind(kind)) for kind in KINDS},
        "parts": [
            {
                "kind": part.kind,
                "agent": part.agent or None,
                "text": part.text,
                "line": part.line or None,
                "of": part.of,
                "used": part.used,
                "never": part.never,
                "unknown": part.unknown,
                "reason": part.reason or None,
            }
            for part in found.parts
        ],
        "left_out": list(found.left_out),
    }


def _counts(parts: Iterable[CoveredPart]) -> Object:
    listed = list(parts)
    return {
        "of": sum(part.of for part in listed),
        "used": sum(part.used for part in listed),
        "never": sum(part.never for part in listed),
        "unknown": sum(part.unknown for part in listed),
    }


def render(found: Coverage, width: int = 80, *, everything: bool = False) -> StyledText:
    """Return how much of each kind is used, and then what is not; with `everything`, also what is."""
    text = StyledText()
    facts = ["coverage"]
    if found.states is not None:
        facts.append(f"{grouped(found.states)} reachable state{'' if found.states == 1 else 's'}")
    text.add_heading(found.model, facts, width)
    text.add()
    rows = [summary_row(kind, found.of_kind(kind)) for kind in KINDS if found.of_kind(kind)]
    text.extend(table.render(["", "used", "of", "", "not decided"], rows, width - 2), "  ")
    text.add()
    _list(text, "Never used", [part for part in found.parts if part.never], width, "never")
    _list(text, "Not decided", [part for part in found.parts if part.unknown], width, "unknown")
    if everything:
        _list(text, "Used", [part for part in found.parts if part.used], width, "used")
    if found.left_out:
        names = ", ".join(found.left_out)
        said = f"not looked at value by value, having more than {MOST_VALUES} of them: {names}"
        for part in wrap(said, width - 2):
            text.add("  ", Styled(part, "dim"))
        text.add()
    return text


def summary_row(kind: PartKind, parts: tuple[CoveredPart, ...]) -> tuple[str, str, str, str, str]:
    """Return one line of the summary: what, how many are used, of how many, the share, how many are open."""
    of = sum(part.of for part in parts)
    used = sum(part.used for part in parts)
    unknown = sum(part.unknown for part in parts)
    # What is not all is never rounded up to all.
    share = "100 %" if used == of else f"{min(round(100 * used / of), 99)} %"
    plural = "truth values of propositions" if kind == "proposition" else f"{kind}s"
    return plural, grouped(used), grouped(of), share, grouped(unknown) if unknown else ""


def _list(text: StyledText, title: str, parts: list[CoveredPart], width: int, which: str) -> None:
    if not parts:
        return
    text.add("  ", Styled(title, "strong"))
    rows = []
    for part in parts:
        count = {"never": part.never, "unknown": part.unknown, "used": part.used}[which]
        many = "" if count == part.of == 1 else f"{count} of {part.of}"
        reason = f" ({part.reason})" if which == "unknown" and part.reason else ""
        place = f"line {part.line}" if part.line else ""
        whose = f" of {part.agent}" if part.agent else ""
        rows.append((place, f"{part.kind}{whose}", many, squeeze(part.text) + reason))
    text.extend(table.render(["", "", "", ""], rows, width - 4), "    ")
    text.add()
