"""The texts of models that were opened, so that any process can be told of them again."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gnomon.text.numbers import read_integer

#: So many models are remembered, and so many characters of them.
_MOST: Final = 64
_MOST_CHARACTERS: Final = 64 * 2**20

#: What opens a model, in the words of the protocol.
OPEN: Final = "model/open"
POPULATE: Final = "model/populate"


def without_mark(text: str) -> str:
    """Return a text whose mark of the byte order is a blank, as all that reads texts has it."""
    return f" {text[1:]}" if text.startswith("\ufeff") else text


class KnownModel(NamedTuple):
    """A model by what it takes to open it; where a number of agents was chosen, the one without it first."""

    text: str
    name: str
    #: As they were sent: numbers that a browser cannot hold are texts of digits.
    given: Mapping[str, int | str]
    formulae: int
    base: str | None = None
    population: Mapping[str, int] | None = None

    @property
    def asked(self) -> str:
        """Return the text as a question has it."""
        return without_mark(self.text)

    @property
    def size(self) -> int:
        """Return about how many characters it takes."""
        return len(self.text) + sum(len(name) + len(str(x)) for name, x in self.given.items())

    @property
    def constants(self) -> tuple[tuple[str, int], ...]:
        """Return the constants that were set, in the order of their names."""
        numbers = {
            name: read_integer(value) if isinstance(value, str) else value
            for name, value in self.given.items()
        }
        return tuple(sorted(numbers.items()))


class KnownModels:
    """Models by their ids; those that were not used for longest go."""

    def __init__(self) -> None:
        """Know none."""
        self._models: OrderedDict[str, KnownModel] = OrderedDict()

    def get(self, model: object) -> KnownModel | None:
        """Return a model, if it is known."""
        found = self._models.get(model) if isinstance(model, str) else None
        if found is not None:
            self._models.move_to_end(str(model))
        return found

    def note(self, method: str, params: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Remember a model that was opened by a request."""
        if method == OPEN:
            constants = params.get("constants") or {}
            known = KnownModel(
                params["text"], params["name"], dict(constants), len(result["formulae"])
            )
            self._keep(result["model"], known)
            return
        opened = result.get("opened", result)
        base = self.get(params["model"])
        if base is None or not isinstance(opened, Mapping) or opened.get("population") is None:
            return
        populated = base._replace(
            base=base.base or params["model"],
            population=dict(opened["population"]),
            formulae=len(opened["formulae"]),
        )
        self._keep(opened["model"], populated)

    def _keep(self, model: str, known: KnownModel) -> None:
        self._models[model] = known
        self._models.move_to_end(model)
        size = sum(each.size for each in self._models.values())
        while len(self._models) > 1 and (len(self._models) > _MOST or size > _MOST_CHARACTERS):
            _, gone = self._models.popitem(last=False)
            size -= gone.size

    def openings(self, model: str) -> list[tuple[str, str, dict[str, Any]]]:
        """Return the requests that open a model, each with the id that it gives."""
        known = self.get(model)
        if known is None:
            return []
        opening = {"text": known.text, "name": known.name, "constants": dict(known.given)}
        if known.base is None:
            return [(model, OPEN, opening)]
        populating = {"model": known.base, "population": dict(known.population or {})}
        return [(known.base, OPEN, opening), (model, POPULATE, populating)]
