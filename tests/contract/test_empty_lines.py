"""Lines of a protocol that allow nothing: an agent that cannot act stops everybody, whoever asks."""

from dataclasses import replace as changed
from random import Random

import pytest
from hypothesis import given

import gnomon
from gnomon.checking.check import Options, check
from gnomon.checking.verdict import Value
from gnomon.model.agent import Agent, ProtocolLine
from gnomon.model.expression import TRUE
from gnomon.model.system import Specification, System
from gnomon.results.export.ispl import render
from gnomon.text.record import replace
from tests.contract.compare import ENGINES, Contest, compare_steps
from tests.contract.ways import exported, writable
from tests.support import VACUOUS
from tests.systems import examples, random_formula, random_system, seeds

#: Agent Q may do nothing in some states; P counts. With ranges, the explicit engine knows what is right.
PROTOCOLS = [
    "true : {};",
    "Other : {};",
    "Environment.e > 1 : {}; Other : { a };",
    "Environment.e > 1 : {}; Environment.e >= 0 : { a };",
    "Environment.e > 1 : {}; Environment.e > 2 : { a }; Other : { a };",
]
MODEL = """
Agent Environment Obsvars: e : 0..3; end Obsvars end Agent
Agent P
  Vars: n : {numbers}; end Vars
  Actions = {{ up }};
  Protocol: Other : {{ up }}; end Protocol
  Evolution: n = n + 1 if n < 9; end Evolution
end Agent
Agent Q Actions = {{ a }}; Protocol: {protocol} end Protocol end Agent
InitStates P.n >= {low} and P.n <= 9; end InitStates
Formulae
  <P>X false; <P>F false; <P>G P.n >= 0; <P>X true; !<P>X true; <P>F P.n > 3; EX true; AF P.n > 3; <Q>X true;
  AG (Environment.e = 1 -> <P>F P.n > 3);
end Formulae
"""


def with_empty_lines(rng: Random, system: System) -> System:
    """Return a system in which some lines of protocols, or `Other`, allow nothing."""
    return changed(system, agents=tuple(_emptied(rng, agent) for agent in system.agents))


def _emptied(rng: Random, agent: Agent) -> Agent:
    if not agent.actions or rng.random() < 0.4:
        return agent
    conditions = [line.condition for line in agent.protocol] or [TRUE]
    match rng.randrange(4):
        case 0:
            empty = ProtocolLine(rng.choice([*conditions, TRUE]), ())
            return replace(agent, protocol=(*agent.protocol, empty))
        case 1:
            return replace(agent, other=())
        case 2:
            lines = tuple(
                replace(line, actions=()) if rng.random() < 0.5 else line for line in agent.protocol
            )
            return replace(agent, protocol=lines)
        case _:
            return replace(agent, protocol=(ProtocolLine(TRUE, ()),), other=None)


@pytest.mark.parametrize("engine", ENGINES)
@given(seeds)
@examples(120)
def test_engines_agree_with_the_oracle_where_nothing_is_allowed(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = with_empty_lines(rng, random_system(rng))
    compare_steps(engine, system)
    contest = Contest(engine, system)
    for _ in range(3):
        contest.on(random_formula(rng, system, 3, "bool ctl know norm atl"))


@given(seeds)
@examples(120)
def test_exported_systems_are_the_same_where_nothing_is_allowed(seed: int) -> None:
    rng = Random(seed)
    system = with_empty_lines(rng, random_system(rng, largest=48))
    asked = tuple(Specification(random_formula(rng, system, 2), "") for _ in range(3))
    system = writable(changed(system, specifications=asked, fairness=()))
    written = exported(system)
    one, other = (
        check(system, options=Options(allow=VACUOUS)),
        check(written, options=Options(allow=VACUOUS)),
    )

    assert [verdict.value for verdict in one] == [verdict.value for verdict in other], render(
        system
    )


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("low", [0, 5])
def test_cells_never_contradict_states_where_nothing_is_allowed(protocol: str, low: int) -> None:
    bounded = gnomon.load_text(MODEL.format(numbers="0..10", protocol=protocol, low=low))
    unbounded = gnomon.load_text(MODEL.format(numbers="int", protocol=protocol, low=low))
    right = check(bounded.system, options=Options(allow=VACUOUS, engine="explicit"))
    for engine in ("auto", "abstraction"):
        found = check(unbounded.system, options=Options(allow=VACUOUS, engine=engine, timeout=60))
        for one, other in zip(right, found, strict=True):
            assert other.value in {one.value, Value.UNDEFINED, Value.UNKNOWN}, one.formula
