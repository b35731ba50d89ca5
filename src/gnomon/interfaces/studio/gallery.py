"""The examples, to be opened with one click: those of the package, or of the checkout."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from gnomon.workbench.failure import bad_request

#: What says what there is, beside the models.
REGISTER: Final = "gallery.toml"


class GalleryModel(NamedTuple):
    """A model of the gallery."""

    name: str
    title: str
    teaches: str
    group: str
    kind: str
    path: Path

    def to_data(self) -> dict[str, Any]:
        """Return it as the protocol has it."""
        return {key: said for key, said in self._asdict().items() if key != "path"}


def examples() -> Path | None:
    """Return the folder of the examples; None where there is none."""
    packed = Path(__file__).parent / "gallery"
    beside = Path(__file__).parents[4] / "examples"
    return next((each for each in (packed, beside) if (each / REGISTER).is_file()), None)


@cache
def gallery() -> tuple[GalleryModel, ...]:
    """Return all models of the gallery, topic by topic."""
    folder = examples()
    if folder is None:
        return ()
    register = tomllib.loads((folder / REGISTER).read_text(encoding="utf-8"))
    return tuple(
        GalleryModel(
            model["file"],
            model["title"],
            model["teaches"].replace("`", ""),
            topic["title"],
            model.get("kind", "finite"),
            folder / model["file"],
        )
        for topic in register["topic"]
        for model in register["model"]
        if model["topic"] == topic["name"]
    )


def read_example(name: str) -> str:
    """Return the text of a model; raise `RequestFailed` where there is none."""
    for model in gallery():
        if model.name == name:
            return model.path.read_text(encoding="utf-8")
    raise bad_request("there is no such model in the gallery")
