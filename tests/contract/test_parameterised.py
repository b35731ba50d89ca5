"""What is said of any number of agents is so: beside the oracle, beside other engines, and by hand."""

from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.engines.parameterised import compiled, solver_search
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.diagram_space import DiagramSpace
from gnomon.engines.parameterised.needed_facts import needed_facts
from gnomon.engines.parameterised.run import reaches, replayed
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.engines.parameterised.solver_search import decide_with_solver
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import Safety
from tests.comparing import (
    bad_of,
    compare_knowledge,
    compare_literals,
    compare_safety,
    compare_solver,
)
from tests.populations import (
    KINDS,
    chain_program,
    knowing_system,
    literal_program,
    number_program,
    random_program,
    read,
)
from tests.systems import examples, seeds

# Safety, beside the oracle: verdicts, thresholds, runs, facts, and one search beside the other


@given(seeds)
@examples(50)
def test_where_any_number_may_take_part(seed: int) -> None:
    compare_safety(random_program(seed))


@given(seeds)
@examples(120)
def test_where_one_or_all_take_part_and_templates_have_bounds(seed: int) -> None:
    compare_safety(random_program(seed, KINDS))


@given(seeds)
@examples(120)
def test_on_longer_ways(seed: int) -> None:
    compare_safety(chain_program(seed))


@given(seeds)
@examples(120)
def test_on_longer_ways_where_one_or_all_take_part(seed: int) -> None:
    compare_safety(chain_program(seed, KINDS))


@given(seeds)
@examples(100)
def test_with_numbers_that_would_leave_their_ranges(seed: int) -> None:
    compare_safety(number_program(seed))


@given(seeds)
@examples(100)
def test_with_numbers_where_one_or_all_take_part(seed: int) -> None:
    compare_safety(number_program(seed, KINDS))


@given(seeds)
@examples(120)
def test_what_depends_on_facts_is_reached_if_they_can_hold_together(seed: int) -> None:
    compare_literals(seed)


# Guards that speak of every agent


@given(seeds)
@examples(60)
def test_where_guards_speak_of_every_agent(seed: int) -> None:
    compare_safety(random_program(seed, forall=True))


@given(seeds)
@examples(80)
def test_where_guards_speak_of_every_agent_and_one_or_all_take_part(seed: int) -> None:
    compare_safety(random_program(seed, KINDS, forall=True))


# Knowledge


@given(seeds)
@examples(25)
def test_what_agents_know_where_any_number_may_take_part(seed: int) -> None:
    compare_knowledge(knowing_system(seed))


@given(seeds)
@examples(25)
def test_what_agents_know_where_one_or_all_take_part(seed: int) -> None:
    compare_knowledge(knowing_system(seed, KINDS))


def test_nobody_knows_a_fact_that_nobody_asks_for_both_ways() -> None:
    text = """
        Types D : {a, b}; end Types
        Relations R : D; end Relations
        Environment end Environment
        Template T
          Vars: w : boolean; end Vars
          Actions = {stay};
          Protocol: R(a) : {stay}; end Protocol
        end Template
        Evaluation without if !R(a); end Evaluation
        InitStates T.w = true; end InitStates
        Formulae AG (T.w = true -> K(T, !without)); end Formulae
    """

    assert compare_knowledge(read(text)).reached is True


def test_nobody_knows_what_the_environment_does_unseen() -> None:
    text = """
        Environment
          Vars: x : boolean; end Vars
          Actions = {on};
          Protocol: true : {on}; end Protocol
          Evolution: x = true if Action = on; end Evolution
        end Environment
        Template T
          Vars: v : boolean; end Vars
          Actions = {go};
          Protocol: true : {go}; end Protocol
          Evolution: v = true if Action = go; end Evolution
        end Template
        Evaluation on if Environment.x = true; end Evaluation
        InitStates T.v = false and Environment.x = false; end InitStates
        Formulae AG (T.v = true -> K(T, !on)); end Formulae
    """

    assert compare_knowledge(read(text)).reached is True


# Decision diagrams in the place of integers


def said(text: str) -> tuple[object, ...]:
    system = read(text)
    found = decide_safety(CompiledPopulation(system), bad_of(system), Budget())
    return found.reached, found.method, found.smallest, found.exact


def check_wide(text: str) -> None:
    narrow = said(text)
    with patch.object(compiled, "_space", DiagramSpace):
        assert narrow == said(text)
        compare_safety(text)


@given(seeds)
@examples(20)
def test_diagrams_decide_the_same(seed: int) -> None:
    check_wide(random_program(seed, KINDS))


@given(seeds)
@examples(20)
def test_diagrams_decide_the_same_on_longer_ways(seed: int) -> None:
    check_wide(chain_program(seed))


@given(seeds)
@examples(15)
def test_diagrams_decide_the_same_of_numbers(seed: int) -> None:
    check_wide(number_program(seed, KINDS))


@given(seeds)
@examples(10)
def test_diagrams_decide_the_same_of_knowledge(seed: int) -> None:
    system = knowing_system(seed)
    narrow = compare_knowledge(system)
    with patch.object(compiled, "_space", DiagramSpace):
        wide = compare_knowledge(system)

    assert (narrow.reached, narrow.method) == (wide.reached, wide.method)


# The solver in the place of local states


def check_solver(text: str) -> None:
    with suppress(LimitReached):  # it need not come to an end
        compare_solver(text, 2)


@given(seeds)
@examples(20)
def test_the_solver_agrees(seed: int) -> None:
    check_solver(random_program(seed, KINDS))


@given(seeds)
@examples(5)
def test_the_solver_agrees_where_guards_speak_of_every_agent(seed: int) -> None:
    check_solver(random_program(seed, KINDS, forall=True))


@given(seeds)
@examples(5)
def test_the_solver_agrees_on_numbers(seed: int) -> None:
    check_solver(number_program(seed, KINDS))


@given(seeds)
@examples(3)
def test_the_solver_agrees_on_what_depends_on_facts(seed: int) -> None:
    check_solver(literal_program(seed))


def solved(text: str) -> PopulationDecision:
    """Decide a program by the solver; a run that it finds is one with the facts it is said to take."""
    system = read(text)
    bad = bad_of(system)
    found = decide_with_solver(system, Safety(bad), Budget(seconds=20))
    assert (found.reached is True) == (found.run is not None)
    if found.run is not None:
        assert reaches(system, found.run, bad, None, dict(found.facts))
    return found


def counting(bad: str, change: str = "n + 1", initial: str = "= 0", guard: str = "true") -> str:
    return f"""
        Environment end Environment
        Template T
          Vars: n : int; end Vars
          Actions = {{go}};
          Protocol: {guard} : {{go}}; end Protocol
          Evolution: n = {change} if Action = go; end Evolution
        end Template
        Evaluation bad if {bad}; end Evaluation
        InitStates T.n {initial}; end InitStates
        Formulae AG !bad; end Formulae
    """


def test_a_number_gets_to_three_in_three_steps() -> None:
    found = solved(counting("exists i : T (i.n = 3)"))

    assert found.run is not None
    assert (((1,),), 3) == (found.smallest, len(found.run.events))


def test_a_number_that_grows_is_never_negative() -> None:
    assert solved(counting("exists i : T (i.n < 0)")).reached is False


def test_a_number_may_start_anywhere_its_condition_allows() -> None:
    found = solved(counting("exists i : T (i.n = 100)", initial="> 97"))

    assert found.reached is True


def test_two_numbers_that_differ_take_two_agents() -> None:
    found = solved(counting("exists i, j : T (i.n = j.n + 2)"))

    assert (True, ((2,),)) == (found.reached, found.smallest)


def test_one_who_may_not_be_ahead_of_all_others_needs_another_one() -> None:
    ahead = "exists j : T (j != self and j.n = self.n)"
    found = solved(counting("exists i : T (i.n = 2)", guard=ahead))

    assert (True, ((2,),)) == (found.reached, found.smallest)


def test_a_search_without_end_is_given_up() -> None:
    # An odd number is never reached in steps of two from zero: no finite number of cubes says so.
    with patch.object(solver_search, "_MOST_CUBES", 30):
        found = solved(counting("exists i : T (i.n = -1)", change="n + 2"))

    assert found.reached is None
    assert "no end" in found.reason


def rooms(bad: str, axiom: str = "", guard: str = "true") -> str:
    return f"""
        Types Room : {{lobby, ..}}; Guild : {{red, blue, none}}; end Types
        Relations Owner : Room -> Guild; Next : Room -> Room; Door : Room * Room; end Relations
        Axioms Owner(lobby) = none; {axiom} end Axioms
        Environment end Environment
        Template P
          Vars: place : Room; badge : Guild; end Vars
          Actions = {{swap, onward}};
          Protocol: place = lobby : {{swap}}; {guard} : {{onward}}; end Protocol
          Evolution:
            badge = red if Action = swap;
            place = Next(place) if Action = onward;
          end Evolution
        end Template
        Evaluation bad if {bad}; end Evaluation
        InitStates P.place = lobby and P.badge = none; end InitStates
        Formulae AG !bad; end Formulae
    """


OWNED = "Owner(Next(place)) = badge or Owner(Next(place)) = none"


def test_doors_that_look_at_badges_keep_others_out() -> None:
    bad = "exists p : P (Owner(p.place) <> none and Owner(p.place) <> p.badge)"

    assert solved(rooms(bad, guard=OWNED)).reached is False


def test_there_may_be_a_room_of_any_guild() -> None:
    found = solved(rooms("exists p : P (Owner(p.place) = red)", guard=OWNED))

    assert (True, ((1,),)) == (found.reached, found.smallest)
    assert "red" in dict(found.facts).values()


def test_an_axiom_about_all_rooms_is_kept() -> None:
    axiom = "forall x : Room (Owner(x) <> red);"
    bad = "exists p : P (Owner(p.place) = red)"

    assert solved(rooms(bad, axiom)).reached is False


def test_from_a_room_one_goes_on_to_the_same_room_always() -> None:
    bad = "exists p, q : P (p.place <> q.place and p.place <> lobby and q.place <> lobby)"
    stuck = "place = lobby"

    assert solved(rooms(bad, guard=stuck)).reached is False
    assert solved(rooms(bad)).reached is True


def test_what_a_relation_says_both_ways_never_holds() -> None:
    bad = (
        "exists p, q : P (Door(p.place, q.place) and p.place = q.place and !Door(p.place, p.place))"
    )

    assert solved(rooms(bad)).reached is False


def open_types(text: str, **others: str) -> str:
    """Return a program about people in rooms that are not all named."""
    parts = {
        "types": "Room : {lobby, vault, ..}; Light : boolean; Floor : 0..2;",
        "relations": "",
        "vars": "place : Room;",
        "protocol": "true : {stay};",
        "evolution": "",
        "initial": "P.place = lobby",
    } | others
    return f"""
        Types {parts["types"]} end Types
        Relations {parts["relations"]} end Relations
        Template P
          Vars: {parts["vars"]} end Vars
          Actions = {{stay, look}};
          Protocol: {parts["protocol"]} end Protocol
          Evolution: {parts["evolution"]} end Evolution
        end Template
        Evaluation bad if {text}; end Evaluation
        InitStates {parts["initial"]}; end InitStates
        Formulae AG !bad; end Formulae
    """


def test_named_values_of_an_open_type_differ_also_where_there_is_no_relation() -> None:
    assert solved(open_types("exists p : P (p.place = vault)")).reached is False


def looking(bad: str, value: str, type_: str) -> PopulationDecision:
    """Decide what an agent may come to see that looks something up about the place it is at."""
    return solved(
        open_types(
            bad,
            relations=f"Seen : Room -> {type_};",
            vars=f"place : Room; seen : {type_}; other : {type_};",
            protocol="true : {look};",
            evolution="seen = Seen(place) if Action = look;",
            initial=f"P.place = lobby and P.seen = {value} and P.other = {value}",
        )
    )


@pytest.mark.parametrize(
    ("bad", "reached"),
    [
        ("p.seen", True),
        ("!p.seen", True),
        ("p.seen and p.other", False),
        ("p.seen = p.other", True),
        ("p.seen <> p.other", True),
        ("p.seen = (p.place = vault)", True),
        ("p.seen and p.place = vault", False),
        ("exists q : P (p.seen and !q.seen)", True),
    ],
)
def test_a_truth_that_was_looked_up_is_read_anywhere(bad: str, *, reached: bool) -> None:
    found = looking(f"exists p : P ({bad})", "false", "Light")

    assert found.reached is reached


@pytest.mark.parametrize(
    ("bad", "reached"),
    [
        ("p.seen > 0", True),
        ("p.seen + p.other = 2", True),
        ("p.seen + p.other > 2", False),
        ("2 * p.seen = p.seen + 1", True),
        ("exists q : P (p.seen = q.seen + 2)", True),
        ("exists q : P (p.seen > 0 and q.seen > 0 and p.seen <> q.seen)", False),
    ],
)
def test_a_number_that_was_looked_up_is_calculated_with(bad: str, *, reached: bool) -> None:
    found = looking(f"exists p : P ({bad})", "0", "Floor")

    assert found.reached is reached


def test_the_solver_stops_when_the_time_is_over() -> None:
    system = read(open_types("exists p : P (p.place = vault)"))

    with pytest.raises(LimitReached, match="time limit"):
        decide_with_solver(system, Safety(bad_of(system)), Budget(seconds=0))


# By hand


def decided(text: str) -> PopulationDecision:
    """Decide a program, and compare with the oracle."""
    return compare_safety(text)


def voting(number: int, bounds: str = "", goal: str = "") -> str:
    return f"""
        Environment
          Vars: votes : 0..{number}; end Vars
          Sync = {{vote : one}};
          Protocol: votes < {number} : {{vote}}; end Protocol
          Evolution: votes = votes + 1 if Action = vote; end Evolution
        end Environment
        Template T {bounds}
          Vars: voted : boolean; end Vars
          Sync = {{vote}};
          Protocol: voted = false : {{vote}}; end Protocol
          Evolution: voted = true if Action = vote; end Evolution
        end Template
        Evaluation bad if {goal or f"Environment.votes = {number}"}; end Evaluation
        InitStates Environment.votes = 0 and T.voted = false; end InitStates
        Formulae AG !bad; end Formulae
    """


def test_a_quorum_of_six_takes_six() -> None:
    found = decided(voting(6))

    assert found.run is not None
    assert (((6,),), True) == (found.smallest, found.exact)
    assert (6, 6) == (len(found.run.members), len(found.run.events))


def test_where_any_number_may_vote_at_once_six_agents_are_enough_but_one_is_not() -> None:
    # Whoever has voted does not vote again, but nobody counts who votes together.
    found = decided(voting(6).replace("vote : one", "vote : some"))

    assert (((6,),), True) == (found.smallest, found.exact)


@pytest.mark.parametrize(
    ("number", "smallest"), [(1, ((2,),)), (2, ((2,),)), (4, ((4,),)), (5, ())]
)
def test_there_are_from_two_to_four(number: int, smallest: tuple[tuple[int, ...], ...]) -> None:
    assert smallest == decided(voting(number, "[2..4]")).smallest


def test_there_are_at_least_three() -> None:
    found = decided(voting(1, "[3..*]"))

    assert found.run is not None
    assert (((3,),), ("T",) * 3) == (found.smallest, found.run.members)


def test_all_of_those_there_must_be_take_part_in_a_broadcast() -> None:
    waiting = "exists i : T (i.voted = false) and Environment.votes = 1"
    text = voting(1, "[2..*]", waiting)

    assert ((2,),) == decided(text).smallest
    assert not decided(text.replace("vote : one", "vote : all")).reached


def test_no_agent_at_all_is_enough_for_what_the_environment_does_by_itself() -> None:
    text = voting(1).replace("Sync = {vote : one};", "Sync = {vote : one}; Actions = {tick};")
    text = text.replace("votes < 1 : {vote};", "votes < 1 : {vote, tick};", 1)
    text = text.replace("if Action = vote;", "if Action = vote or Action = tick;", 1)

    assert (((0,),), True) == (decided(text).smallest, decided(text).exact)


def test_an_agent_that_is_not_used_has_to_be_there() -> None:
    text = voting(1, goal="exists i : T (Environment.votes = 0)")

    assert ((1,),) == decided(text).smallest


def nothing(kind: str, goal: str) -> str:
    return f"""
        Environment
          Vars: hits : 0..2; end Vars
          Sync = {{hit : {kind}}};
          Protocol: hits < 2 : {{hit}}; end Protocol
          Evolution: hits = hits + 1 if Action = hit; end Evolution
        end Environment
        Template T
          Sync = {{hit}};
          Protocol: true : {{hit}}; end Protocol
        end Template
        Template Idle
          Vars: v : boolean; end Vars
        end Template
        Evaluation bad if {goal}; end Evaluation
        InitStates Environment.hits = 0 and Idle.v = false; end InitStates
        Formulae AG !bad; end Formulae
    """


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("goal", "smallest"),
    [
        ("Environment.hits = 2", (1, 0)),
        ("exists i, j : T (i != j)", (2, 0)),
        ("exists i : T (Environment.hits = 0)", (1, 0)),
        ("exists i : Idle (Environment.hits = 1)", (1, 1)),
    ],
)
def test_agents_without_variables_are_agents(
    kind: str, goal: str, smallest: tuple[int, ...]
) -> None:
    found = decided(nothing(kind, goal))

    # A broadcast in which nobody can take part happens all the same.
    alone = kind == "all" and goal.startswith(("Environment", "exists i : Idle"))
    assert ((0, *smallest[1:]) if alone else smallest,) == found.smallest


def test_templates_that_nothing_asks_for_are_empty_unless_they_must_not_be() -> None:
    text = nothing("some", "Environment.hits = 2")

    assert ((1, 0),) == decided(text).smallest
    assert ((1, 2),) == decided(text.replace("Template Idle", "Template Idle [2..*]")).smallest


def test_agents_and_the_environment_may_start_in_several_states() -> None:
    text = voting(2, goal="exists i, j : T (i.voted = true and j.voted = false)")
    open_start = text.replace("Environment.votes = 0 and T.voted = false", "Environment.votes = 1")
    found = decided(open_start)

    assert found.run is not None
    assert (((2,),), ()) == (found.smallest, found.run.events)
    assert ((2,),) == decided(text).smallest


def test_each_agent_starts_in_a_state_of_its_own() -> None:
    goal = "exists i, j, k : T (i.v = a and j.v = b and k.v = c)"
    text = f"""
        Environment end Environment
        Template T Vars: v : {{a, b, c}}; end Vars end Template
        Evaluation bad if {goal}; end Evaluation
        InitStates true; end InitStates
        Formulae AG !bad; end Formulae
    """

    assert ((3,),) == decided(text).smallest


# By hand: every agent


def crossing(kind: str, guard: str, bounds: str = "") -> str:
    local, sync = ("go", "") if kind == "local" else ("", "go")
    shared = f"Sync = {{go : {kind}}}; Protocol: true : {{go}}; end Protocol" if sync else ""
    return f"""
        Environment
          Vars: x : boolean; end Vars {shared}
        end Environment
        Template T {bounds}
          Vars: at : {{out, in}}; end Vars
          Actions = {{{local}}}; Sync = {{{sync}}};
          Protocol: at = out and {guard} : {{go}}; end Protocol
          Evolution: at = in if Action = go; end Evolution
        end Template
        Evaluation
          bad if exists i, j : T (i != j and i.at = in and j.at = in);
        end Evaluation
        InitStates T.at = out; end InitStates
        Formulae AG !bad; end Formulae
    """


EMPTY = "forall k : T (k.at = out)"


def test_who_looks_before_going_in_alone_is_alone_there() -> None:
    assert decided(crossing("one", EMPTY)).reached is False


@pytest.mark.parametrize("kind", ["local", "some"])
def test_two_who_look_and_go_in_at_once_meet_there(kind: str) -> None:
    assert ((2,),) == decided(crossing(kind, EMPTY)).smallest


def test_a_run_that_no_population_has_leaves_the_verdict_open() -> None:
    # All others have to be in before anybody gets in, and there are others.
    text = crossing("one", "forall k : T (k = self or k.at = in)", "[2..*]")
    found = decided(text.replace("i != j and ", ""))

    assert found.reached is None
    assert "over-approximation" in found.reason


# By hand: large


def switched(number: int, *, guard: str = "x0 = false") -> str:
    """Return a program whose environment has many switches, each turned on after the one before it."""
    names = [f"x{n}" for n in range(number)]
    actions = [f"on{n}" for n in range(number)]
    needs = [guard, *(f"{name} = true" for name in names)]
    lines = " ".join(f"{need} : {{{a}}};" for need, a in zip(needs, actions, strict=False))
    effects = " ".join(
        f"{name} = true if Action = {a};" for name, a in zip(names, actions, strict=True)
    )
    return f"""
        Environment
          Vars: {" ".join(f"{name} : boolean;" for name in names)} end Vars
          Sync = {{{", ".join(actions)}}};
          Protocol: {lines} end Protocol
          Evolution: {effects} end Evolution
        end Environment
        Template T
          Vars: done : boolean; end Vars
          Actions = {{finish}}; Sync = {{{", ".join(actions)}}};
          Protocol:
            true : {{{", ".join(actions)}}};
            Environment.{names[-1]} = true : {{finish}};
          end Protocol
          Evolution: done = true if Action = finish; end Evolution
        end Template
        Evaluation bad if exists i : T (i.done = true); end Evaluation
        InitStates
          {" and ".join(f"Environment.{name} = false" for name in names)} and T.done = false;
        end InitStates
        Formulae AG !bad; end Formulae
    """


def decided_alone(text: str) -> PopulationDecision:
    """Decide a program that is too large for the oracle; replay its run."""
    system = read(text)
    bad = bad_of(system)
    found = decide_safety(CompiledPopulation(system), bad, Budget(seconds=60))
    if found.run is not None:
        assert reaches(system, found.run, bad)
        assert found.facts == needed_facts(system, found.run, bad)
        states = replayed(system, found.run)
        assert states is not None and len(states) == len(found.run.events) + 1
    return found


def test_forty_switches_are_turned_on_by_one_agent() -> None:
    found = decided_alone(switched(40))

    assert found.run is not None
    assert (((1,),), 41) == (found.smallest, len(found.run.events))


def test_forty_switches_stay_off_if_the_first_one_does() -> None:
    assert decided_alone(switched(40, guard="x0 = true")).reached is False


def rooms_in_a_chain(number: int, panel: int) -> str:
    """Return a chain of rooms; the last door is open until it is used, once somebody is at the panel."""
    places = [f"r{n}" for n in range(number)]
    moves = [f"go{n}" for n in range(1, number - 1)]
    protocol = [
        f"at = {here} and Door({here}, {there}) : {{{move}}};"
        for here, there, move in zip(places, places[1:], moves, strict=False)
    ]
    evolution = [
        f"at = {there} if Action = {move};" for there, move in zip(places[1:], moves, strict=False)
    ]
    return f"""
        Types Place : {{{", ".join(places)}}}; end Types
        Relations Door : Place * Place; end Relations
        Environment
          Vars: open : boolean; end Vars
          Sync = {{unlock, enter}};
          Protocol: true : {{unlock}}; open = true : {{enter}}; end Protocol
          Evolution:
            open = true if Action = unlock;
            open = false if Action = enter;
          end Evolution
        end Environment
        Template Robot
          Vars: at : Place; end Vars
          Actions = {{{", ".join(moves)}}}; Sync = {{unlock, enter}};
          Protocol:
            {" ".join(protocol)}
            at = {places[panel]} : {{unlock}};
            at = {places[-2]} and !Door({places[0]}, {places[-1]}) : {{enter}};
          end Protocol
          Evolution: {" ".join(evolution)} at = {places[-1]} if Action = enter; end Evolution
        end Template
        Evaluation
          bad if exists i, j : Robot (i.at = {places[-1]} and j.at = {places[-2]});
        end Evaluation
        InitStates Environment.open = false and Robot.at = {places[0]}; end InitStates
        Formulae AG !bad; end Formulae
    """


def test_a_chain_of_sixty_rooms_is_no_obstacle() -> None:
    found = decided_alone(rooms_in_a_chain(60, 30))
    doors = {("Door", (f"r{n}", f"r{n + 1}")): True for n in range(58)}

    assert found.run is not None
    assert ((2,),) == found.smallest
    assert 118 == len(found.run.events)
    assert {**doors, ("Door", ("r0", "r59")): False} == dict(found.facts)


def test_a_chain_of_sixty_rooms_with_the_panel_behind_the_last_door_is_safe() -> None:
    assert decided_alone(rooms_in_a_chain(60, 59)).reached is False
