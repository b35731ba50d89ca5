"""A place in a text to all that is offered there."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from gnomon.editing.analysis import Analysis
from gnomon.editing.completion.items import Completions
from gnomon.editing.completion.offer_formulae import offer_formulae, offer_joining, offer_paths
from gnomon.editing.completion.offer_names import (
    offer_leaders,
    offer_listed,
    offer_lists,
    offer_members,
    offer_targets,
)
from gnomon.editing.completion.offer_operands import offer_attributes, offer_operands
from gnomon.editing.completion.offer_sections import (
    offer_agent_name,
    offer_agent_sections,
    offer_behind_new,
    offer_closing,
    offer_domains,
    offer_multiplicities,
    offer_program_sections,
    offer_semantics,
    offer_statement,
    offer_type_names,
    offer_types,
    offer_verdicts,
)
from gnomon.editing.completion.offers import GOOD, MOST_ITEMS, Offers
from gnomon.editing.completion.places import site_at, word_at
from gnomon.editing.completion.remarks import remark_completions
from gnomon.editing.completion.surroundings import comment_start
from gnomon.editing.completion.terms import Wants
from gnomon.text.source import Span

_REMARK: Final = "--! "


def complete(text: str, offset: int, known: Analysis, *, snippets: bool) -> Completions:
    """Return what may stand at a place of a text, of which `known` is this or a slightly earlier version."""
    word = word_at(text, offset)
    comment = comment_start(text, word.start)
    if comment >= 0:
        said = text[comment : word.start]
        if not said.startswith(_REMARK):
            return Completions(Span(offset, offset))
        return Completions(word, remark_completions(said[len(_REMARK) :]))
    if text[word.start : word.start + 1].isdigit():
        return Completions(Span(offset, offset))
    site = site_at(text, word.start, known, text[word.end : word.end + 1])
    offers = Offers(site, text[word.start : offset], snippets=snippets)
    _offer(offers)
    return _limited(word, offers)


def _offer(offers: Offers) -> None:
    reading = offers.site.reading
    if reading.at_start and reading.line.part == 0 and reading.wants not in _BETWEEN:
        offer_statement(offers)
    offer = _OFFERED.get(reading.wants)
    if offer is not None:
        offer(offers)


def _operands(offers: Offers) -> None:
    if offers.site.formula:
        offer_formulae(offers)
    else:
        offer_operands(offers)


def _indices(offers: Offers) -> None:
    """Offer the value of an index, where it need not be new."""
    if offers.site.reading.top.kind == "index":
        offer_operands(offers)


def _bounds(offers: Offers) -> None:
    offers.constants(GOOD)


#: Where no statement begins.
_BETWEEN: Final = (Wants.SECTION, Wants.PART, Wants.AGENT_NAME, Wants.EQUALS)

#: What offers what may stand next.
_OFFERED: Final[Mapping[Wants, Callable[[Offers], None]]] = MappingProxyType(
    {
        Wants.SECTION: offer_program_sections,
        Wants.PART: offer_agent_sections,
        Wants.CLOSING: offer_closing,
        Wants.AGENT_NAME: offer_agent_name,
        Wants.NEW_END: offer_behind_new,
        Wants.TYPE: offer_types,
        Wants.TYPE_NAME: offer_type_names,
        Wants.OPERAND: _operands,
        Wants.OPERATOR: offer_joining,
        Wants.PATH: offer_paths,
        Wants.ATTRIBUTE: offer_attributes,
        Wants.BOUND: _bounds,
        Wants.TARGET: offer_targets,
        Wants.MEMBER: offer_members,
        Wants.LISTED: offer_listed,
        Wants.EQUALS: offer_lists,
        Wants.MULTIPLICITY: offer_multiplicities,
        Wants.LEADER: offer_leaders,
        Wants.INDEX: _indices,
        Wants.DOMAIN: offer_domains,
        Wants.VERDICT: offer_verdicts,
        Wants.SEMANTICS: offer_semantics,
    }
)


def _limited(span: Span, offers: Offers) -> Completions:
    """Return all items, or, where there are too many, those that begin like the word."""
    items = tuple(offers.best())
    if len(items) <= MOST_ITEMS and not offers.left_out:
        return Completions(span, items)
    fitting = [item for item in items if item.label.lower().startswith(offers.prefix)]
    best = sorted(fitting, key=lambda item: item.sort)[:MOST_ITEMS]
    return Completions(span, tuple(best), incomplete=True)
