"""What may stand between sections and at the beginning of statements, and the words of lists and types."""

from typing import Final

from gnomon.editing.completion.items import CompletionKind
from gnomon.editing.completion.offers import BEST, FAIR, GOOD, RARE, SKELETON, WORD, Offers
from gnomon.editing.sections import AGENT_SECTIONS
from gnomon.editing.snippets import SNIPPETS, SnippetPlace
from gnomon.language.cursor import PROGRAM_SECTIONS
from gnomon.model.agent import ENVIRONMENT

#: Sections that programs with templates have not, and those that only they have.
_WITHOUT_TEMPLATES: Final = frozenset(
    ("Groups", "Fairness", "Predicates", "Agent", "Agent Environment")
)
_WITH_TEMPLATES: Final = frozenset(
    ("Template", "Environment", "Relations", "Axioms", "Parameters", "Assume")
)
#: As often as wanted.
_MANY: Final = frozenset(("Agent", "Template"))
#: Sections whose lines may be repeated.
_REPEATED: Final = frozenset(
    "Obsvars Vars Protocol Evolution Definitions Types Axioms Predicates Evaluation Groups Fairness "
    "Formulae".split()
)
_LINES: Final[tuple[SnippetPlace, ...]] = (
    "Constants",
    "Definitions",
    "Types",
    "Relations",
    "Vars",
    "Protocol",
    "Evolution",
    "Evaluation",
    "Groups",
    "Formulae",
)


def offer_program_sections(offers: Offers) -> None:
    """Offer the sections that a program may still have."""
    names = offers.site.names
    excluded: frozenset[str] = frozenset()
    if names.templates:
        excluded = _WITHOUT_TEMPLATES
    elif names.players:
        excluded = _WITH_TEMPLATES
    if ENVIRONMENT in names.agents:
        excluded |= {ENVIRONMENT, "Agent Environment"}
    written = (names.sections - _MANY) | excluded
    for word in PROGRAM_SECTIONS:
        if word not in written:
            offers.add(GOOD, word, CompletionKind.KEYWORD, "a section")
    for snippet in SNIPPETS["program"]:
        if snippet.label not in written:
            shown = snippet.label if snippet.label == "Semantics" else f"{snippet.label} …"
            offers.snippet(BEST, snippet, shown)


def offer_agent_sections(offers: Offers) -> None:
    """Offer the sections that an agent may still have, and its end."""
    inside, own = offers.site.inside, offers.site.own
    written = set(inside.seen)
    if own is not None:
        written |= own.sections
    environment = inside.top == ENVIRONMENT or (own is not None and own.name == ENVIRONMENT)
    if environment:
        written |= {"Lobsvars"}
    else:
        written |= {"Obsvars"}
    if offers.site.names.templates or inside.top == "Template":
        written |= {"RedStates"}
    else:
        written |= {"Sync"}
    for word in AGENT_SECTIONS:
        if word not in written:
            offers.add(GOOD, word, CompletionKind.KEYWORD, "a section of an agent")
    for snippet in SNIPPETS["agent"]:
        if snippet.label not in written:
            offers.snippet(BEST, snippet, f"{snippet.label} …")
    offer_end(offers)


def offer_end(offers: Offers) -> None:
    """Offer the end of the innermost section."""
    if word := offers.site.inside.closing:
        offers.add(WORD, f"end {word}", CompletionKind.KEYWORD, f"ends `{word}`")


def offer_statement(offers: Offers) -> None:
    """Offer what may begin any statement of a section: `for`, `end`, and a line as it looks."""
    section = offers.site.inside.section
    if section in _REPEATED:
        offers.place(RARE, "for")
    offer_end(offers)
    shape = "Vars" if section == "Obsvars" else section
    for place in _LINES:
        if place == shape:
            offers.place(SKELETON, place)


def offer_closing(offers: Offers) -> None:
    """Offer the word behind `end`."""
    if word := offers.site.inside.closing:
        offers.add(BEST, word, CompletionKind.KEYWORD, "the section that is open here")


def offer_agent_name(offers: Offers) -> None:
    """Offer the one name of an agent that is not new."""
    if offers.site.inside.top == "Agent" and ENVIRONMENT not in offers.site.names.agents:
        offers.add(BEST, ENVIRONMENT, CompletionKind.AGENT, "the environment")


def offer_types(offers: Offers) -> None:
    """Offer the types of variables."""
    offers.add(BEST, "boolean", CompletionKind.TYPE, "true or false")
    offers.place(BEST, "type")
    offer_type_names(offers)
    _offer_pointers(offers)
    offers.add(FAIR, "int", CompletionKind.TYPE, "a number without bounds")
    offers.constants(FAIR)
    offers.indices(FAIR, ("",))


def offer_type_names(offers: Offers) -> None:
    """Offer the types that have names."""
    for name, type_ in offers.site.names.types.items():
        offers.add(GOOD, name, CompletionKind.TYPE, offers.type_text(type_))


def _offer_pointers(offers: Offers) -> None:
    """Offer the templates whose agents a variable of the environment may point to."""
    own = offers.site.own
    if own is not None and own.kind == "environment":
        for name in sorted(offers.site.names.templates - offers.site.names.types.keys()):
            offers.add(FAIR, name, CompletionKind.AGENT, "an agent of it, or none")


def offer_domains(offers: Offers) -> None:
    """Offer what an index may run through."""
    names = offers.site.names
    if names.templates:
        for agent in names.players:
            offers.agent(BEST, agent)
        offer_type_names(offers)
    offers.constants(GOOD)
    offers.indices(GOOD, ("",))
    offers.place(GOOD, "type", ("range",))


def offer_semantics(offers: Offers) -> None:
    """Offer the ways in which lines of `Evolution` are taken."""
    for word, detail in (
        ("MultiAssignment", "one line at a time"),
        ("SingleAssignment", "each variable by its own lines"),
        ("Interleaved", "one event at a time"),
    ):
        offers.add(BEST, word, CompletionKind.KEYWORD, detail)


def offer_multiplicities(offers: Offers) -> None:
    """Offer how many take part in a synchronised action."""
    for word, detail in (
        ("some", "any number but none"),
        ("one", "a single agent"),
        ("all", "all that can, and be it none"),
        ("all with", "all others that can, when another action is done"),
    ):
        offers.add(BEST, word, CompletionKind.KEYWORD, detail)


def offer_verdicts(offers: Offers) -> None:
    """Offer what may be expected of a formula."""
    for word in ("true", "false", "undefined"):
        offers.add(BEST, word, CompletionKind.KEYWORD, "what is expected")


def offer_behind_new(offers: Offers) -> None:
    """Offer the word that goes on behind a new name."""
    if offers.site.inside.section == "Evaluation":
        offers.add(BEST, "if", CompletionKind.KEYWORD, "where the proposition holds")
