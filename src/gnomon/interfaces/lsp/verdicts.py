"""What was found about the formulae of a text, and whether that still counts.

A verdict belongs to what it depends on, not to a place in the text: as soon as that is another, the verdict
is stale, and where it comes back, by undoing or by mending, the verdict is fresh again.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from gnomon.campaign.explained import VerdictPage
from gnomon.editing.analysis import Analysis, WrittenFormula
from gnomon.editing.fingerprint import VerdictKey
from gnomon.text.source import Span

VerdictState: TypeAlias = Literal["none", "running", "fresh", "stale"]

#: So many formulae of one text are shown with their verdicts; of those before them, as many are remembered.
MOST_SHOWN: Final = 2_000


@dataclass(frozen=True)
class FoundVerdict:
    """A verdict as `schema/check.json` has it, with its page, and how strategies were read.

    `places` are the tokens that the lines of its evidence begin with: comments may move lines.
    """

    data: Mapping[str, Any]
    page: VerdictPage | None
    strategies: str
    places: Mapping[int, int] = field(default_factory=dict)
    #: Whether this reading of strategies was asked for by its name.
    by_name: bool = False

    @property
    def value(self) -> str:
        """Return the word."""
        return str(self.data["verdict"])

    @property
    def seconds(self) -> float:
        """Return how long it took."""
        return float(self.data["seconds"])


@dataclass(frozen=True)
class ShownFormula:
    """One formula of a text: where it stands, what is known of it, and whether that still counts."""

    number: int
    label: str
    name: str
    text: str
    span: Span
    line: int
    expected: str
    declared: bool
    has_coalition: bool
    state: VerdictState
    found: FoundVerdict | None

    @property
    def standing(self) -> str:
        """Return whether the verdict is the expected one, by what the text expects now."""
        if self.found is None:
            return "open"
        if self.found.value == self.expected:
            return "expected"
        return "unexpected" if self.found.value in ("true", "false") else "open"


@dataclass(frozen=True)
class FoundRemark:
    """What a check says about the model itself, as `schema/check.json` has it, and at which token."""

    data: Mapping[str, Any]
    place: int | None


@dataclass
class VerdictBook:
    """All that was found about one text."""

    _found: "OrderedDict[VerdictKey, FoundVerdict]" = field(default_factory=OrderedDict)
    #: What was last asked about the formula of a label, and about what means the same.
    _latest: dict[str, VerdictKey] = field(default_factory=dict)
    _meanings: dict[tuple[str, ...], VerdictKey] = field(default_factory=dict)
    running: dict[VerdictKey, int] = field(default_factory=dict)
    #: Which model the last check was of, what it said about that, and its number of states if that is known.
    _about: tuple[str, tuple[FoundRemark, ...], int | None] = ("", (), None)

    def copied(self) -> "VerdictBook":
        """Return a book that says the same and does not change."""
        still = VerdictBook(
            self._found.copy(), dict(self._latest), dict(self._meanings), dict(self.running)
        )
        still._about = self._about
        return still

    def remark(self, model: str, said: tuple[FoundRemark, ...], states: int | None) -> None:
        """Keep what a check said about a model."""
        self._about = (model, said, states)

    def remarks(self, keys: Mapping[int, VerdictKey]) -> tuple[FoundRemark, ...]:
        """Return what was said about the model as it is now."""
        return self._about[1] if self._is_same(keys) else ()

    def states(self, keys: Mapping[int, VerdictKey]) -> int | None:
        """Return how many reachable states the model has as it is now, if that is known."""
        return self._about[2] if self._is_same(keys) else None

    def _is_same(self, keys: Mapping[int, VerdictKey]) -> bool:
        return any(key.model == self._about[0] for key in keys.values())

    def record(self, found: Iterable[tuple[VerdictKey, str, FoundVerdict]]) -> None:
        """Keep verdicts, each with the label of its formula; of very many the oldest are forgotten."""
        for key, label, each in islice(found, MOST_SHOWN):
            self._found[key] = each
            self._found.move_to_end(key)
            self._latest[label] = self._meanings[key[:2]] = key
        if len(self._found) <= 2 * MOST_SHOWN:
            return
        while len(self._found) > MOST_SHOWN:
            self._found.popitem(last=False)
        self._latest = {name: key for name, key in self._latest.items() if key in self._found}
        self._meanings = {each: key for each, key in self._meanings.items() if key in self._found}

    def begin(self, key: VerdictKey) -> None:
        """Note that a check of this has begun."""
        self.running[key] = self.running.get(key, 0) + 1

    def end(self, key: VerdictKey) -> None:
        """Note that a check of this has ended, however it did."""
        left = self.running.get(key, 0) - 1
        if left > 0:
            self.running[key] = left
        else:
            self.running.pop(key, None)

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was found, and nothing is being looked for."""
        return not self._found and not self.running

    def status(
        self, analysis: Analysis, keys: Mapping[int, VerdictKey], strategies: str = "perfect"
    ) -> Iterator[ShownFormula]:
        """Yield all formulae of a text; without keys to say what they depend on, nothing counts as fresh.

        Nor does what was found for another reading of strategies than the user has chosen by now, unless that
        was asked for by its name.
        """
        running = {key[:2] for key in self.running}
        for written, number, label, text, coalition in islice(_formulae(analysis), MOST_SHOWN):
            key = keys.get(number)
            state, found = self._known(key, label)
            if found is not None and coalition and found.strategies != strategies:
                state = state if found.by_name else "stale"
            if key is not None and key[:2] in running:
                state = "running"
            expected = written.line.annotation.expected
            yield ShownFormula(
                number,
                label,
                written.name,
                text,
                written.span,
                analysis.source.line_of(written.line.span),
                expected or "true",
                expected is not None,
                coalition,
                state,
                found,
            )

    def _known(
        self, key: VerdictKey | None, label: str
    ) -> tuple[VerdictState, FoundVerdict | None]:
        """Return what was found of a formula, under whatever name, or else of what had its name before."""
        same = None if key is None else self._meanings.get(key[:2])
        if same is not None:
            return "fresh", self._found[same]
        before = self._latest.get(label)
        return ("none", None) if before is None else ("stale", self._found[before])


def _formulae(
    analysis: Analysis,
) -> Iterator[tuple[WrittenFormula, int, str, str, bool]]:
    """Yield every formula with its number, label and text; where there are mistakes, lines are counted."""
    for place, written in enumerate(analysis.written, 1):
        if not written.numbers:
            text = analysis.source.on_one_line(written.line.span)
            yield written, place, written.name or str(place), text, "<" in text
            continue
        for number, each in zip(written.numbers, written.formulae, strict=True):
            label = each.name or str(number)
            yield written, number, label, " ".join(each.text.split()), each.has_coalition
