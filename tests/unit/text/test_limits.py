import gc
import sys

import pytest

from gnomon.text.limits import paused_collection, room_to_recurse


def test_room_to_recurse_is_given_back() -> None:
    before = sys.getrecursionlimit()
    with room_to_recurse():
        assert sys.getrecursionlimit() > before
    assert before == sys.getrecursionlimit()


def test_room_to_recurse_is_given_back_after_a_mistake() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(ValueError, match="mine"), room_to_recurse():
        raise ValueError("mine")
    assert before == sys.getrecursionlimit()


def test_garbage_is_collected_again_afterwards() -> None:
    assert gc.isenabled()
    with paused_collection():
        assert not gc.isenabled()
        with paused_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
