"""What becomes of warnings: which are left out, and which count as errors.

Whoever asks says so by code, on the command line or in Python, and so does the author of a file. The more
particular word counts: `strict` makes errors of all warnings but those that a file allows, a code that is
named by whoever asks goes before the same code in the file, and of two words in a file the later one counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.language.syntax import CodeRule, RuleWord
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import (
    MOST_DIAGNOSTICS,
    Diagnostic,
    Diagnostics,
    InputError,
    closest,
)
from gnomon.text.limits import check_limits

_SAID: Final[Mapping[RuleWord, str]] = {"allow": "allowed", "deny": "denied"}
_NOT_ALLOWED: Final = "cannot be allowed: it is an error, after which nothing can be checked"
#: Of a longer word only the beginning is repeated.
_SHORT: Final = 40


class Policy(NamedTuple):
    """What to do about warnings: codes that are welcome, and those that are not, with who says so."""

    allowed: frozenset[str] = frozenset()
    denied: tuple[tuple[str, str], ...] = ()
    strict: bool = False

    @staticmethod
    def of(
        rules: Iterable[CodeRule],
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        *,
        strict: bool = False,
    ) -> "Policy":
        """Return what follows from a file's rules and from what was asked for."""
        words = {rule.code.upper(): (rule.word, "") for rule in rules}
        words |= {code.upper(): ("allow", "") for code in allow}
        words |= {code.upper(): ("deny", f"`--deny {code.upper()}`") for code in deny}
        return Policy(
            frozenset(code for code, (word, _) in words.items() if word == "allow"),
            tuple(
                (code, who or f"`--! deny {code}`, which the file says")
                for code, (word, who) in words.items()
                if word == "deny"
            ),
            strict,
        )

    def lenient(self) -> "Policy":
        """Return what is left where nothing is decided: what is welcome is not shown, and nothing fails."""
        return Policy(self.allowed)


def judged(diagnostics: Iterable[Diagnostic], policy: Policy) -> tuple[Diagnostic, ...]:
    """Return diagnostics without those that are welcome; warnings that are not are errors."""
    found = (_judged(item, policy) for item in diagnostics)
    return tuple(item for item in found if item is not None)


def accepted(diagnostics: Iterable[Diagnostic], policy: Policy) -> tuple[Diagnostic, ...]:
    """Return the warnings that are left; raise `InputError` where one counts as an error."""
    found = judged(diagnostics, policy)
    if any(item.is_error for item in found):
        raise InputError(found)
    return found


def _judged(item: Diagnostic, policy: Policy) -> Diagnostic | None:
    code = item.more_of or item.code
    if not CODES[code].allowable:
        return item
    if not policy.allowed.isdisjoint((code, item.code)):
        return None
    who = dict(policy.denied).get(code, "`--strict`" if policy.strict else "")
    if item.is_error or not who:
        return item
    return replace(item, denied=True, notes=(*item.notes, f"this warning is an error by {who}"))


# What can be said about codes


def refused_codes(allow: Sequence[str], deny: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield why codes cannot be allowed or denied, each with a suggestion that may be empty."""
    for code in (*allow, *deny):
        if code.upper() not in CODES:
            yield unknown_code(code)
    for code in allow:
        known = CODES.get(code.upper())
        if known is not None and not known.allowable:
            yield f"`{code}` {_NOT_ALLOWED}", ""
    for code in sorted({code.upper() for code in allow} & {code.upper() for code in deny}):
        yield f"`{code}` cannot be both allowed and denied", ""


def unknown_code(code: str) -> tuple[str, str]:
    """Return that there is no such code, and which may have been meant."""
    near = closest(code, [known for known, about in CODES.items() if about.allowable])
    shown = code if len(code) <= _SHORT else f"{code[:_SHORT]}…"
    return f"there is no diagnostic `{shown}`", f"did you mean `{near}`?" if near else ""


def report_rules(rules: Iterable[CodeRule], diagnostics: Diagnostics) -> None:
    """Warn of comments in a file that name codes in vain, or contradict each other."""
    before: dict[str, RuleWord] = {}
    for number, rule in enumerate(rules):
        if number % 4096 == 0:
            check_limits()
        code = rule.code.upper()
        known = CODES.get(code)
        if known is None and diagnostics.counts["G0417"] >= MOST_DIAGNOSTICS:
            diagnostics.counts["G0417"] += 1  # looking for what was meant would take long
        elif known is None:
            message, help_ = unknown_code(rule.code)
            diagnostics.add("G0417", message, rule.span, help=help_)
        elif rule.word == "allow" and not known.allowable:
            diagnostics.add("G0417", f"`{code}` {_NOT_ALLOWED}", rule.span)
        else:
            if before.setdefault(code, rule.word) != rule.word:
                message = f"`{code}` was said to be {_SAID[before[code]]} before: this line counts"
                diagnostics.add("G0417", message, rule.span)
            before[code] = rule.word
