"""The examples, to be opened with one click: those of the package, or of the checkout."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from gnomon.workbench.failure import bad_request

#: Groups by their folders, in the order in which they are shown: what to call each, and what models it has.
_GROUPS: Final = {
    "": ("First steps", "finite"),
    "games": ("Games", "finite"),
    "unbounded": ("Numbers without bounds", "unbounded"),
    "parameterised": ("Any number of agents", "parameterised"),
}
#: Models that are of another kind than their neighbours.
_KINDS: Final = {"tickets.ispl": "unbounded", "unbounded/simbridge.ispl": "finite"}
#: What is called otherwise than by its first words.
_TITLES: Final = {
    "nim.ispl": "Nim, with two piles of stones",
    "shift_register.ispl": "A ring of cells, a circuit, and two who play with it",
    "foraging_stale.ispl": "Scouts and foragers, with stale news",
    "quorum_three.ispl": "A vote with a quorum, at most three voters",
    "rooms_axioms.ispl": "Robots and rooms, with what is known of the building",
    "rooms_trap_all.ispl": "Robots and rooms, with a trap for everybody",
}
_WIDE: Final = 70


class GalleryModel(NamedTuple):
    """A model of the gallery."""

    name: str
    title: str
    group: str
    kind: str
    path: Path

    def to_data(self) -> dict[str, Any]:
        """Return it as the protocol has it."""
        return {"name": self.name, "title": self.title, "group": self.group, "kind": self.kind}


def examples() -> Path | None:
    """Return the folder of the examples; None where there is none."""
    packed = Path(__file__).parent / "gallery"
    beside = Path(__file__).parents[4] / "examples"
    return next((each for each in (packed, beside) if each.is_dir()), None)


@cache
def gallery() -> tuple[GalleryModel, ...]:
    """Return all models of the gallery, group by group."""
    folder = examples()
    if folder is None:
        return ()
    return tuple(
        GalleryModel(
            path.relative_to(folder).as_posix(),
            _TITLES.get(path.name) or _title(path),
            title,
            _KINDS.get(path.relative_to(folder).as_posix(), kind),
            path,
        )
        for group, (title, kind) in _GROUPS.items()
        for path in sorted((folder / group).glob("*.ispl"))
    )


def read_example(name: str) -> str:
    """Return the text of a model; raise `RequestFailed` where there is none."""
    for model in gallery():
        if model.name == name:
            return model.path.read_text(encoding="utf-8")
    raise bad_request("there is no such model in the gallery")


def _title(path: Path) -> str:
    """Return the first words of the first sentence of the comment that a model begins with."""
    comment = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("--") or not line.removeprefix("--").strip():
            break
        comment.append(line.removeprefix("--").strip())
    sentence = re.split(r"[.:](?:\s|$)|,\s+(?:any number|as a process|after )", " ".join(comment))[
        0
    ]
    words = sentence.split()
    while len(" ".join(words)) > _WIDE:
        words.pop()
    said = " ".join(words)
    return said if said == sentence.strip() else f"{said} …"
