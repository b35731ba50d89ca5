"""A program as a user writes it: build a model, walk through it; type checkers must know every type."""

from typing import assert_type

import gnomon


def built() -> gnomon.Model:
    b = gnomon.SystemBuilder("lamp", semantics="SingleAssignment")
    room = b.environment(actions=["wait"])
    lit = room.boolean("lit", observed=True, initial=False)
    room.otherwise("wait")
    hand = b.agent("Hand", actions=["press", "rest"], sees=[lit])
    count = hand.integer("count", 0, 3)
    mood = hand.enumeration("mood", ["calm", "hasty"])
    hand.may("press", "rest", when=(count < 3) & (mood == "calm"))
    hand.otherwise("rest")
    hand.evolve({count: gnomon.minimum(count + 1, 3)}, when=hand.does("press"))
    room.evolve({lit: gnomon.If(count > 1, ~lit, lit)}, when=hand.does("press"))
    b.proposition("lit", lit)
    b.group("all", hand, "Environment")
    b.formula("EF lit", name="can", expect=True)
    model = b.build(initial=(count == 0) & (mood == "calm"), terminal=count == 3)
    assert_type(model, gnomon.Model)
    assert_type(model.to_ispl(), str)
    return model


def walked(model: gnomon.Model) -> None:
    walk = model.walk(seed=1, timeout=2)
    assert_type(walk, gnomon.Walk)
    assert_type(walk.state["Hand"]["count"], bool | int | str)
    for move in walk.moves:
        assert_type(move.number, int)
        assert_type(move.actions, dict[str, str])
        assert_type(move.changes, dict[str, bool | int | str])
    assert_type(walk.choose(1), gnomon.Walk)
    assert_type(walk.choose(Hand="press").undo().redo().random(3), gnomon.Walk)
    assert_type(walk.choose({"Hand.count": 2}).fork(), gnomon.Walk)
    assert_type(walk.evaluate("K(Hand, lit)"), gnomon.Answer)
    assert_type(walk.holds("AG lit"), bool | None)
    assert_type(walk.propositions, tuple[str, ...])
    assert_type(walk.look_alikes("Hand").total, int)
    assert_type(walk.look_alikes("Hand")[0]["Hand"]["mood"], bool | int | str)
    trace = model.simulate(10, seed=1)
    assert_type(trace, gnomon.Trace)
    assert_type(trace[1].actions, dict[str, str])
    assert_type(trace.seed, int | None)
    assert_type(model.graph(20, knowledge=["Hand"]).dot(), str)
    try:
        walk.choose(99)
    except gnomon.WalkError as error:
        assert_type(str(error), str)


def campaign(models: list[gnomon.Model]) -> None:
    with gnomon.Campaign("x.store", jobs=2) as campaign:
        future = campaign.submit("model.ispl", "AG p", constants={"n": 3}, timeout=3)
        result = future.result()
        assert_type(result, gnomon.CampaignResult)
        assert_type(result.value, gnomon.Value)
        assert_type(result.data["formulae"][0]["seconds"], float)
        for each in campaign.map(models, "AG p", engine="bdd", n=3):
            assert_type(each.as_expected, bool)
