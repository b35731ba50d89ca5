"""Labels of arrows: few words that say exactly what leads there."""

from itertools import product
from random import Random

from hypothesis import given

from gnomon.results.drawing.bundles import ArrowWords, bundles, few_lines, options
from gnomon.results.projection import PictureStyle
from tests.systems import examples, seeds
from tests.unit.results import samples

WORDS = ArrowWords(samples.system(), PictureStyle())


@examples(200)
@given(seeds)
def test_bundles_are_exactly_the_joint_actions(seed: int) -> None:
    random = Random(seed)
    every = list(product("ab", "xyz", "-"))
    actions = random.sample(every, random.randint(1, len(every)))
    places = [place for place in range(3) if random.random() < 0.7]
    wanted = {tuple(joint[place] for place in places) for joint in actions}
    said = [choice for bundle in bundles(actions, places) for choice in product(*bundle)]

    assert sorted(wanted) == sorted(said)  # each once


def test_what_does_not_matter_is_left_out() -> None:
    every = list(product(("work", "fail"), ("send", "wait"), ("idle",)))
    free = options(every, 3)

    assert WORDS.lines([("work", "send", "idle"), ("work", "wait", "idle")], free) == ["work"]
    assert WORDS.lines(every, free) == ["any"]


def test_alternatives_stand_side_by_side() -> None:
    actions = [("work", "send", "idle"), ("fail", "send", "idle")]

    assert WORDS.lines(actions, {}) == ["work|fail, send, idle"]


def test_what_several_agents_can_do_goes_with_the_name_of_one() -> None:
    named = ArrowWords(samples.system(), PictureStyle(), named=True)

    assert named.lines([("work", "send", "idle")], {}) == [
        "Environment: work, Sender: send, Receiver: idle"
    ]


def test_actions_can_be_hidden() -> None:
    for hidden in ("idle", "Receiver.idle"):
        words = ArrowWords(samples.system(), PictureStyle(hidden=(hidden,)))
        assert words.lines([("work", "send", "idle")], {}) == ["work, send"]
    words = ArrowWords(samples.system(), PictureStyle(agents=("Sender",)))
    assert words.lines([("work", "send", "idle")], {}) == ["send"]


def test_too_many_lines_are_counted() -> None:
    assert few_lines(["a", "b", "c", "d"]) == ("a", "b", "… 2 more")
    assert few_lines(["a" * 60]) == ("a" * 47 + "…",)
    assert few_lines(["a" * 20 + ", " + "b" * 20]) == ("a" * 20 + ",", "b" * 20)
