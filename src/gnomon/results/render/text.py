"""Results for people: every formula with its verdict, its evidence drawn below it."""

from collections import Counter

from gnomon.checking.verdict import Result, Standing, Value, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.phrases import grouped
from gnomon.results.render.verdict_lines import (
    Columns,
    add_check,
    add_verdict,
    duration,
    is_judged,
    mark_of,
)
from gnomon.results.styled import Page, Styled, StyledText, flow, line, wrap

#: What an engine counts, where that is not states.
_COUNTED = {"abstraction": "cell"}


def render(results: list[Result], page: Page = Page()) -> StyledText:
    """Return all models, one after the other, each with what is to be said about it, and the summary."""
    from gnomon.results.render import notices  # on a screen they stand elsewhere

    whole, text = stream(page), StyledText()
    for result in results:
        whole.on_start(result)
        text.extend(notices.as_text(result.diagnostics, page))
        for verdict in result.verdicts:
            text.extend(whole.on_verdict(verdict))
        text.extend(whole.on_model(result))
    text.extend(whole.on_end(results))
    return text


def stream(page: Page) -> "TextStream":
    """Return what prints results piece by piece."""
    return TextStream(page)


class TextStream:
    """Results piece by piece: the line of a model, its formulae as they are decided, what it took."""

    def __init__(self, page: Page) -> None:
        """Print on this page."""
        self._page = page
        self._columns = Columns()
        self._heading = StyledText()
        self._model = ""
        self._system: System | None = None
        self._told: set[str] = set()
        #: Whether the last line that was printed is not empty.
        self._open = False

    def on_start(self, begun: Result) -> StyledText:
        """Get ready for a model; its line is printed with what comes first, for it may yet be refused."""
        self._model, self._system, self._told = begun.model, begun.system, set()
        self._columns = Columns.of(begun.verdicts, self._page)
        self._heading = StyledText()
        if not self._page.quiet:
            facts = [begun.kind, *phrases.constants(begun.constants)]
            self._heading.add_heading(begun.model, facts, self._page.width)
            self._heading.add()
        return StyledText()

    def on_verdict(self, verdict: Verdict) -> StyledText:
        """Return the lines of one formula."""
        text = self._begun()
        if not self._page.quiet:
            add_verdict(text, verdict, self._system, self._columns, self._page, self._told)
            self._open = bool(text.lines[-1])
        elif not verdict.as_expected:
            words = f"{self._model}: {verdict.label}: {phrases.judged_outcome(verdict)}"
            text.add(mark_of(verdict.standing), words)
        return text

    def on_model(self, result: Result) -> StyledText:
        """Return what is left of a model: the checks, and what it took."""
        if result.refused and not self._page.quiet:
            self._heading = StyledText()
            self._heading.add_heading(result.model, ["not checked"], self._page.width)
            self._heading.add()
            return self._begun()
        text = self._begun()
        if self._page.quiet:
            for check in result.checks:
                if check.value is not Value.TRUE:
                    words = f"{result.model}: {phrases.check_sentence(check)}"
                    text.add(mark_of(phrases.check_standing(check)), words)
            return text
        for check in result.checks:
            add_check(text, check, result.system, self._columns, self._page)
            self._open = bool(text.lines[-1])
        if not result.verdicts and not result.checks:
            text.add("  ", Styled("there is no formula to check", "dim"))
            self._open = True
        if self._open:
            text.add()
        _add_predicates(text, result, self._page)
        _add_account(text, result, self._page)
        for part in wrap(" · ".join(_cost(result)), self._page.width - 2):
            text.add("  ", Styled(part, "dim"))
        text.add()
        return text

    def on_end(self, results: list[Result]) -> StyledText:
        """Return the summary, where it is wanted."""
        return StyledText() if self._page.quiet else summary(results, self._page)

    def _begun(self) -> StyledText:
        """Return the line of the model, if it has not been printed yet."""
        text, self._heading = self._heading, StyledText()
        return text


def _cost(result: Result) -> list[str]:
    """Return who decided it, on how many states, and how long that took."""
    facts = [result.engine or "no engine"]
    if result.states is not None:
        facts.append(counted(result.states, result.engine))
    elif result.engine == "bdd" and not result.interrupted and any(map(_is_certain, result)):
        facts.append("states not explored")
    if result.terminal is not None:
        facts.append(f"{grouped(result.terminal)} terminal")
    facts.append(duration(result.seconds))
    if result.interrupted:
        facts.append("interrupted")
    return facts


def _is_certain(verdict: Verdict) -> bool:
    return verdict.engine == "bdd" and verdict.value in {Value.TRUE, Value.FALSE}


def counted(states: int, engine: str) -> str:
    """Return how many states there are, or whatever an engine counts."""
    return f"{grouped(states)} {_COUNTED.get(engine, 'state')}{'' if states == 1 else 's'}"


def _add_predicates(text: StyledText, result: Result, page: Page) -> None:
    """Add what cells are told apart by, and where each predicate comes from."""
    if not result.predicates:
        return
    text.add("  ", "Predicates, and where they come from:")
    text.add()
    from gnomon.results.render import table  # few ask for them

    text.extend(table.render(["", ""], result.predicates, page.width - 4), "    ")
    text.add()


def _add_account(text: StyledText, result: Result, page: Page) -> None:
    """Add what the engine did, one fact a line."""
    if not result.account:
        return
    width = max(len(name) for name, _ in result.account)
    for name, fact in result.account:
        first, *rest = wrap(fact, max(20, page.width - width - 4), "")
        text.add("  ", Styled(f"{name:<{width}}  ", "dim"), first)
        for part in rest:
            text.add(" " * (width + 4), part)
    text.add()


def render_evidence(
    evidence: Evidence,
    system: System,
    page: Page = Page(),
) -> StyledText:
    """Return one piece of evidence by itself."""
    from gnomon.results.render.evidence_below import add_evidence

    text = StyledText()
    add_evidence(text, evidence, system, "", page)
    return text


def summary(results: list[Result], page: Page = Page()) -> StyledText:
    """Return the end: how many formulae there were, and how they came out, on one line if it fits."""
    verdicts = [verdict for result in results for verdict in result.verdicts]
    judged = is_judged(verdicts)
    counts = Counter(verdict.value for verdict in verdicts)
    # Where false may be welcome, its colour would say the wrong thing.
    values = [
        Styled(f"{counts[value]} {value}", "" if judged else value.value)
        for value in Value
        if counts[value]
    ]
    total = f"{len(verdicts)} formula{'' if len(verdicts) == 1 else 'e'}"
    parts: list[list[Styled]] = [values] if values else []
    if judged or any(
        verdict.value is verdict.expected and not verdict.as_expected for verdict in verdicts
    ):
        parts.append(_standings(verdicts))
    parts += _checks_part([check.value for result in results for check in result.checks])
    parts += _refused_part(sum(result.refused for result in results))
    parts.append([Styled(duration(sum(result.seconds for result in results)), "dim")])
    pieces = [line(total, ": " if values else " · ")]
    for group in parts:
        *most, last = group
        pieces += [line(piece, ", ") for piece in most]
        pieces.append(line(last, "" if group is parts[-1] else " · "))
    return StyledText(flow(pieces, page.width, "  "))


def _standings(verdicts: list[Verdict]) -> list[Styled]:
    """Return how many came out as expected, how many did not, how many were not decided."""
    words: dict[Standing, str] = {"expected": "as expected", "unexpected": "not", "open": "open"}
    counts = Counter(verdict.standing for verdict in verdicts)
    return [
        Styled(f"{counts[standing]} {word}", phrases.STYLE_OF[standing])
        for standing, word in words.items()
        if counts[standing] or standing == "expected"
    ]


def _refused_part(refused: int) -> list[list[Styled]]:
    words = f"{refused} model{'' if refused == 1 else 's'} not checked"
    return [[Styled(words, "error")]] if refused else []


def _checks_part(checks: list[Value]) -> list[list[Styled]]:
    if not checks:
        return []
    failed, passed = checks.count(Value.FALSE), checks.count(Value.TRUE)
    words = f"{len(checks)} check{'' if len(checks) == 1 else 's'}"
    if failed:
        return [[Styled(f"{words}, {failed} failed", "false")]]
    return [[Styled(f"{words} passed" if passed == len(checks) else f"{words}, {passed} passed")]]
