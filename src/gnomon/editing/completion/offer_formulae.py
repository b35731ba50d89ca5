"""What formulae begin with, what joins two of them, and what joins conditions and values."""

from typing import Final

from gnomon.editing.completion.items import CompletionKind
from gnomon.editing.completion.offer_operands import offer_agents, offer_definitions
from gnomon.editing.completion.offers import BEST, FAIR, GOOD, RARE, WORD, Offers

_COMPARISONS: Final = ("=", "<>", "<", "<=", ">", ">=")
_ARITHMETIC: Final = ("+", "-", "*", "div", "mod", "/")
_CONNECTIVES: Final = (
    ("and", "both hold"),
    ("or", "one holds, or both"),
    ("->", "the second holds where the first does"),
    ("<->", "both hold, or neither"),
    ("xor", "one holds, and not the other"),
)
_UNTIL: Final = (
    ("U", "until the second comes, which it does"),
    ("W", "until the second comes, or for ever"),
    ("R", "the second holds until both do, or for ever"),
)
#: What is asked of any number of agents.
_OF_ANY_NUMBER: Final = ("AG", "EF")


def offer_formulae(offers: Offers) -> None:
    """Offer what a formula may begin with."""
    site = offers.site
    names = site.names
    for name, proposition in names.propositions.items():
        if offers.admits(name):
            shown = names.shown(proposition.span)
            kind, indices = CompletionKind.PROPOSITION, len(proposition.name.indices)
            offers.name(BEST, name, kind, "proposition", shown, indices=indices)
    offer_definitions(offers, None)
    offer_operators(offers)
    offer_agents(offers)
    if names.templates:
        offers.indices(GOOD, set(site.reading.bound.values()) - {""})
        offers.parameters(FAIR)
        if site.reading.at_start and site.inside.section == "Fairness":
            offers.add(GOOD, "weak", CompletionKind.KEYWORD, "who is always able acts again")
            offers.add(GOOD, "strong", CompletionKind.KEYWORD, "who is able time and again acts so")
    offers.place(WORD, "quantifier")
    offers.words(WORD, ("true", "false"))
    offers.place(RARE, "number")
    offers.place(RARE, "condition")


def offer_operators(offers: Offers) -> None:
    """Offer the operators of the logic that stand before formulae."""
    site = offers.site
    reading, templates = site.reading, site.names.templates
    if reading.logic == "LTL":
        offers.place(GOOD, "ltl")
    elif reading.logic == "CTL*":
        offers.words(GOOD, ("A", "E"), CompletionKind.OPERATOR)
        offers.place(GOOD, "ltl")
        offers.place(GOOD, "ctl", ("AG", "AF", "AX", "EF", "EG", "EX"))
    else:
        offers.place(GOOD, "ctl", _OF_ANY_NUMBER if templates else None)
    offers.place(GOOD, "knowledge", ("K", "GK") if templates else None)
    if not templates and site.inside.section == "Formulae":
        offers.place(WORD, "coalition")
    if reading.at_start and site.inside.section == "Formulae":
        offers.place(WORD, "logic")


def offer_paths(offers: Offers) -> None:
    """Offer what follows `A`, `E` and a coalition."""
    for word, detail in (("F", "sooner or later"), ("G", "always"), ("X", "next")):
        offers.add(BEST, word, CompletionKind.OPERATOR, detail)


def offer_joining(offers: Offers) -> None:
    """Offer what may follow a whole operand."""
    site = offers.site
    reading, frame = site.reading, site.reading.top
    if frame.kind in ("quantifier", "binder"):
        offers.words(BEST, (("..",) if frame.part == 1 else ()), CompletionKind.OPERATOR)
        if frame.part > 1 or frame.domain:
            offers.words(BEST, () if frame.part == 3 else ("where",))
    for each in reversed(reading.frames):
        if each.kind == "if":
            offers.words(BEST, ("then",) if each.part == 0 else ("else",) if each.part == 1 else ())
        elif each.kind not in ("line", "if"):
            break
    _of_statement(offers)
    if _assigning(offers):
        numbers = site.wanted in (None, "number")
        offers.words(WORD, _ARITHMETIC if numbers else (), CompletionKind.OPERATOR)
    else:
        _between_operands(offers)


def _between_operands(offers: Offers) -> None:
    """Offer the operators that fit to what stands before them."""
    site = offers.site
    compared, last = site.reading.top.compared, site.reading.last
    # The right side of a comparison is of the kind of the left one.
    kind = site.wanted if compared else site.category(last)
    if last is None or (
        site.formula and last.owner is None and last.name in site.names.propositions
    ):
        kind = "boolean"
    if not compared and kind in ("number", "names", "agents", None):
        signs = _COMPARISONS if kind in ("number", None) else _COMPARISONS[:2]
        offers.words(GOOD, signs, CompletionKind.OPERATOR)
        offers.words(GOOD, ("in",) if kind != "agents" else (), CompletionKind.OPERATOR)
    if compared or kind in ("boolean", None):
        for word, detail in _CONNECTIVES:
            offers.add(FAIR, word, CompletionKind.OPERATOR, detail)
    if kind in ("number", None):
        offers.words(WORD, _ARITHMETIC, CompletionKind.OPERATOR)


def _assigning(offers: Offers) -> bool:
    """Return whether this is the value of an assignment, and no condition in brackets or behind `if`."""
    reading, frame = offers.site.reading, offers.site.reading.top
    if frame.kind == "if" and frame.part == 0:
        return False
    plain = frame.kind in ("line", "targets", "if")
    return offers.site.inside.section == "Evolution" and reading.line.part == 1 and plain


def _of_statement(offers: Offers) -> None:
    """Offer what goes on with the statement, and not with the operand."""
    site = offers.site
    reading, section = site.reading, site.inside.section
    top = reading.top
    if _assigning(offers):
        offers.add(BEST, "if", CompletionKind.KEYWORD, "when the line is taken")
        if site.names.semantics != "SingleAssignment":
            offers.add(GOOD, "and", CompletionKind.OPERATOR, "another assignment")
    if section in ("Vars", "Obsvars", "Types") and reading.line.part == 1:
        offers.words(BEST, ("..",), CompletionKind.OPERATOR)
    if section not in ("Formulae", "Fairness"):
        return
    if reading.logic != "CTL" or (top.kind == "until" and top.part == 0):
        for word, detail in _UNTIL:
            offers.add(GOOD, word, CompletionKind.OPERATOR, detail)
    if section == "Formulae" and top.kind == "line":
        offers.add(FAIR, "expect", CompletionKind.KEYWORD, "the verdict that is expected")
