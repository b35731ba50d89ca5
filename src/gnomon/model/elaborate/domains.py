"""Declared types to domains, and domains in words."""

from collections.abc import Mapping

from gnomon.language import syntax
from gnomon.model.domain import Boolean, Domain, Enumeration, IntegerRange, Integers
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span


def describe(domain: Domain) -> str:
    """Return a type in words."""
    match domain:
        case Boolean():
            return "a Boolean"
        case Enumeration():
            return f"a value of {domain}"
        case IntegerRange() | Integers():
            return "a number"


def read_domain(
    type_: syntax.Type, name: str, types: Mapping[str, Domain], diagnostics: Diagnostics
) -> Domain:
    """Return the domain of the type that `name` is declared with; `types` are the named ones."""
    match type_:
        case syntax.BooleanType():
            return Boolean()
        case syntax.IntegerType():
            return Integers()
        case syntax.EnumerationType():
            return _enumeration(type_, name, diagnostics)
        case syntax.RangeType(syntax.Number(low), syntax.Number(high), span):
            if low > high:
                written = diagnostics.source.text[span.start : span.end]
                by_constants = any(letter.isalpha() for letter in written)
                diagnostics.add(
                    "G0308",
                    f"the range {IntegerRange(low, high)} of `{name}` is empty",
                    span,
                    help="give the constants in it other values"
                    if by_constants
                    else f"write `{IntegerRange(high, low)}`",
                )
                return IntegerRange(high, low)
            return IntegerRange(low, high)
        case syntax.RangeType(_, _, span):
            diagnostics.add(
                "G0309",
                f"the bounds of `{name}` must be numbers",
                span,
                help="name them in `Constants` to use them here",
            )
            return Integers()
        case syntax.NamedType(type_name, span):
            if type_name.text in types:
                return types[type_name.text]
            if type_name.text == "int":
                return Integers()  # something is missing behind it, which is said elsewhere
            guess = diagnostics.did_you_mean(type_name.text, ["boolean", "int", *types])
            if types:
                unknown_type(type_name.text, span, types, guess, diagnostics)
                return Integers()
            hint = "an unbounded integer has the type `int`"
            diagnostics.add("G0310", f"`{type_name.text}` is not a type", span, help=guess or hint)
            return Integers()


def _enumeration(type_: syntax.EnumerationType, name: str, diagnostics: Diagnostics) -> Enumeration:
    if type_.open:
        diagnostics.add(
            "G0310",
            f"`{name}` has values that are not named: such types belong to templates",
            type_.span,
            help="declare the type in `Types`, and the agents with `Template`",
        )
    texts = [value.text for value in type_.values]
    if len(set(texts)) < len(texts):
        diagnostics.add("G0402", f"`{name}` lists the same value twice", type_.span)
    return Enumeration(tuple(dict.fromkeys(texts)))


def unknown_type(
    name: str, span: Span, types: Mapping[str, Domain], hint: str, diagnostics: Diagnostics
) -> None:
    """Report that `Types` declares no such type."""
    diagnostics.add(
        "G0702",
        f"there is no type `{name}`",
        span,
        label="not declared in `Types`",
        notes=diagnostics.listing("the types", types, none="none"),
        help=hint,
    )
