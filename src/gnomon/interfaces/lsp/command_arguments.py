"""What clients send beyond the protocol, looked at before it is used."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gnomon.interfaces.lsp.refusing import Refused


@dataclass(frozen=True)
class CommandArguments:
    """What a command was given: a text, formulae of it, and how strategies are read."""

    uri: str
    numbers: tuple[int, ...] | None
    strategies: str | None


def read_arguments(given: tuple[Any, ...]) -> CommandArguments:
    """Read the arguments of a command; raise `Refused` where they are none."""
    if len(given) != 1:
        raise Refused("the command takes one object: { uri, … }")
    uri = field_of(given[0], "uri")
    numbers = field_of(given[0], "numbers")
    number = field_of(given[0], "number")
    strategies = field_of(given[0], "strategies")
    if not isinstance(uri, str):
        raise Refused("the command wants to know which text is meant: { uri: … }")
    chosen = [number] if number is not None else numbers
    if chosen is not None and not (
        isinstance(chosen, list | tuple) and all(type(each) is int for each in chosen)
    ):
        raise Refused("formulae are given by their numbers")
    if strategies is not None and not isinstance(strategies, str):
        raise Refused("how strategies are read is a word, such as uniform")
    return CommandArguments(uri, None if chosen is None else tuple(chosen), strategies)


def uri_of(params: Any) -> str:
    """Return which text a request is about."""
    uri = field_of(field_of(params, "textDocument"), "uri")
    if not isinstance(uri, str):
        raise Refused("which text? { textDocument: { uri } }")
    return uri


def field_of(data: Any, name: str) -> Any:
    """Return a field of what a client sent, which the library may have made an object of."""
    if isinstance(data, Mapping):
        return data.get(name)
    return getattr(data, name, None)
