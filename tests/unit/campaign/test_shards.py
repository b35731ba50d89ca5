"""Parts of a campaign: every job is in one of them, and always in the same."""

import hashlib

from hypothesis import given
from hypothesis import strategies as draw

from gnomon.campaign.job import JobKey
from gnomon.campaign.shards import Shard
from tests.systems import examples


@examples(200)
@given(text=draw.text(), repetition=draw.integers(1, 9), of=draw.integers(1, 400))
def test_every_job_is_in_exactly_one_part(text: str, repetition: int, of: int) -> None:
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    key = JobKey(digest, repetition)
    parts = [number for number in range(1, of + 1) if Shard(number, of).has(key)]

    assert 1 == len(parts)
    assert Shard(parts[0], of).has(JobKey(digest, 1))


def test_parts_are_about_as_large() -> None:
    keys = [JobKey(hashlib.sha256(str(number).encode()).hexdigest()) for number in range(4000)]
    sizes = [sum(Shard(number, 16).has(key) for key in keys) for number in range(1, 17)]

    assert 4000 == sum(sizes)
    assert 200 < min(sizes) <= max(sizes) < 300
