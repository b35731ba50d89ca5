"""What belongs between the brackets around a place: of operators, functions, relations and quantifiers."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis
from gnomon.editing.completion.places import site_at, word_at
from gnomon.editing.completion.site import Site
from gnomon.editing.completion.surroundings import comment_start
from gnomon.editing.completion.terms import FORMULA_SECTIONS, OpenFrame, Wants
from gnomon.language.syntax import FUNCTIONS
from gnomon.text.source import Span


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """How something is written, and what it says.

    `parameters` are where its parts stand in the label, with `stories` of what each of them is; `active` is
    the number of the one that a place is in, from 0, and behind the last where there is none for it.
    """

    label: str
    documentation: str
    parameters: tuple[Span, ...]
    stories: tuple[str, ...]
    active: int


class _Shape(NamedTuple):
    """A signature with its parts in `«…»`, and a word about each of them."""

    label: str
    documentation: str
    parts: tuple[str, ...]


_AGENT: Final = "the name of an agent"
_GROUP: Final = "a group, an agent, or a list of agents in braces"
_KNOWN: Final = "what is known"

_MODALITIES: Final[Mapping[str, _Shape]] = MappingProxyType(
    {
        "K": _Shape(
            "K(«agent», «formula»)", "The agent knows that the formula holds.", (_AGENT, _KNOWN)
        ),
        "GK": _Shape(
            "GK(«group», «formula»)",
            "Everybody in the group knows that the formula holds.",
            (_GROUP, _KNOWN),
        ),
        "GCK": _Shape(
            "GCK(«group», «formula»)",
            "The formula is common knowledge: all know it, and know that all know it, and so on.",
            (_GROUP, _KNOWN),
        ),
        "DK": _Shape(
            "DK(«group», «formula»)",
            "The group would know the formula if its members put together what they see.",
            (_GROUP, _KNOWN),
        ),
        "O": _Shape(
            "O(«agent», «formula»)",
            "The formula holds wherever the agent keeps to the rules: in its green states.",
            (_AGENT, "what ought to hold"),
        ),
    }
)
_LEFT: Final = "what holds on the way"
_RIGHT: Final = "what comes in the end; `W` and `R` may stand for `U`"
_UNTIL: Final[Mapping[str, _Shape]] = MappingProxyType(
    {
        "A": _Shape(
            "A(«left» U «right»)",
            "On every path the right one comes, and the left one holds until then.",
            (_LEFT, _RIGHT),
        ),
        "E": _Shape(
            "E(«left» U «right»)",
            "On some path the right one comes, and the left one holds until then.",
            (_LEFT, _RIGHT),
        ),
        "": _Shape(
            "<group>(«left» U «right»)",
            "The group can see to it that the right one comes, and the left one holds until then.",
            (_LEFT, _RIGHT),
        ),
    }
)
_NUMBER: Final = "a number"
_FUNCTIONS: Final[Mapping[str, _Shape]] = MappingProxyType(
    {
        "min": _Shape(
            "min(«a», «b», «…»)",
            "The smallest of some numbers.",
            (_NUMBER, _NUMBER, "more of them"),
        ),
        "max": _Shape(
            "max(«a», «b», «…»)",
            "The greatest of some numbers.",
            (_NUMBER, _NUMBER, "more of them"),
        ),
        "abs": _Shape("abs(«a»)", "The number without its sign.", (_NUMBER,)),
        "number": _Shape(
            "number(«condition»)", "1 where the condition holds, and 0 elsewhere.", ("a condition",)
        ),
    }
)
_QUANTIFIERS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "forall": ("condition", "The condition holds for all values of the index."),
        "exists": ("condition", "The condition holds for some value of the index."),
        "sum": ("number", "The numbers for all values of the index, added up."),
        "count": ("condition", "How many values of the index satisfy the condition."),
        "for": ("lines", "The lines are repeated for each value of the index."),
    }
)
_INDEX: Final = "the name of the index; several, with commas between them, run through the same"


def signature_at(text: str, offset: int, known: Analysis) -> SignatureHelp | None:
    """Return how what a place is in the brackets of is written; None where it is in none such."""
    start = word_at(text, offset).start
    if comment_start(text, start) >= 0:
        return None
    site = site_at(text, start, known)
    if site.reading.wants is Wants.NOTHING:
        return None
    for frame in reversed(site.reading.frames):
        found = _of_frame(site, frame)
        if found is not None:
            return found
    return None


def _of_frame(site: Site, frame: OpenFrame) -> SignatureHelp | None:
    match frame.kind:
        case "modality":
            return _help(_MODALITIES[frame.word], frame.part)
        case "until":
            return _help(_UNTIL[frame.word], frame.part)
        case "call":
            shape = _applied(site, frame.word)
            return None if shape is None else _help(shape, frame.part)
        case "quantifier":
            return _quantified(site, frame)
        case _:
            return None


def _applied(site: Site, word: str) -> _Shape | None:
    """Return the signature of a relation, which goes before a function of the same name."""
    relation = site.names.relations.get(word)
    if relation is None:
        return _FUNCTIONS[word] if word in FUNCTIONS else None
    columns = [column.text for column in relation.columns]
    label = f"{word}({', '.join(f'«{column}»' for column in columns)})"
    story = "Whether the relation holds of these values."
    if relation.result is not None:
        label += f" -> {relation.result.text}"
        story = f"The value of type `{relation.result.text}` that the relation gives to these."
    return _Shape(label, story, tuple(f"a value of type `{column}`" for column in columns))


def _quantified(site: Site, frame: OpenFrame) -> SignatureHelp:
    """Return the signature of a quantifier, by what its index runs through."""
    body, story = _QUANTIFIERS[frame.word]
    if site.reading.section in FORMULA_SECTIONS and frame.word in ("forall", "exists"):
        body, story = "formula", story.replace("condition", "formula")
    ending = f": «{body}» end for" if frame.word == "for" else f" («{body}»)"
    # Brackets in the range of an index are no body.
    inside = frame is not site.reading.top and not frame.pending and frame.part != 3
    inside = inside or any(
        each.kind == "body" and each.start > frame.start for each in site.reading.frames
    )
    through_type = bool(frame.domain) and (inside or frame.part == 3)
    if through_type:
        shape = _Shape(
            f"{frame.word} «i» : «Type» where «test»{ending}",
            story,
            (_INDEX, "a template or a type", "which values count; may be left out", "the body"),
        )
        return _help(shape, 3 if inside else min(frame.part, 2))
    shape = _Shape(
        f"{frame.word} «i» : «low»..«high» where «test»{ending}",
        story,
        (
            _INDEX,
            "the first value",
            "the last value",
            "which values count; may be left out",
            "the body",
        ),
    )
    return _help(shape, 4 if inside else frame.part)


def _help(shape: _Shape, active: int) -> SignatureHelp:
    """Return a signature with the places of its parts in the label."""
    pieces = shape.label.replace("»", "«").split("«")
    place = 0
    parameters: list[Span] = []
    for number, piece in enumerate(pieces):
        end = place + len(piece)
        if number % 2:
            parameters.append(Span(place, end))
        place = end
    if "…" in shape.label:
        active = min(active, len(parameters) - 1)
    label = "".join(pieces)
    return SignatureHelp(label, shape.documentation, tuple(parameters), shape.parts, active)
