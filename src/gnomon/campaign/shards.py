"""Parts of a campaign, for machines that share nothing: by digests, everywhere the same."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gnomon.campaign.job import JobKey


class Shard(NamedTuple):
    """One of so many parts of a campaign, from 1: `3/16`."""

    number: int
    of: int

    def has(self, key: "JobKey") -> bool:
        """Return whether a job is in this part: the same everywhere, and every job is in one part.

        Repetitions of a question are in the same part, so that one machine answers them all.
        """
        return int(key.digest[:16], 16) % self.of == self.number - 1

    def __str__(self) -> str:
        """Return it as it is typed."""
        return f"{self.number}/{self.of}"
