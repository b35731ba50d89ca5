"""Which answers of a store are meant: by model, standing, version and age."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from gnomon.campaign.store import Store
from gnomon.campaign.stored import StoredAnswer

_DAY: Final = 86_400.0


@dataclass(frozen=True)
class AnswerSelection:
    """What is meant; whatever is left out means all."""

    #: Patterns (`*` and `?`) of which the name of the model fits one.
    models: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()
    #: The version of Gnomon that answered.
    version: str | None = None
    #: Answered at least so many days ago.
    older_than: float | None = None

    @property
    def means_all(self) -> bool:
        """Return whether nothing is left out."""
        return self == AnswerSelection()

    def means(self, stored: StoredAnswer, now: float) -> bool:
        """Return whether an answer is meant."""
        named = not self.models or any(
            fnmatchcase(stored.question.name, pattern) for pattern in self.models
        )
        stands = not self.standings or stored.answer.standing in self.standings
        old = self.older_than is None or now - stored.finished >= self.older_than * _DAY
        return named and stands and old

    def of(self, store: Store) -> Iterator[StoredAnswer]:
        """Yield the answers of a store that are meant, the oldest first."""
        now = time.time()
        return (each for each in store.answers(self.version) if self.means(each, now))
