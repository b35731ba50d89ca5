"""Systems with all that MCMAS insists on: an agent, and for agents all sections."""

from dataclasses import replace as changed

from gnomon.model import formula as logic
from gnomon.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import Boolean
from gnomon.model.expression import FALSE, And, Does, Not, Read
from gnomon.model.fold.expressions import Folder, is_constant
from gnomon.model.formula import show_formula
from gnomon.model.system import Specification, System
from gnomon.text.record import replace


def completed(system: System) -> System:
    """Return the system with what every program must have: an agent, and for agents all sections."""
    environment, *others = system.agents
    if not others:
        others = [Agent("Nobody", (), ())]
    agents = [_completed_environment(environment), *map(_completed_agent, others)]
    added = [
        Not(Read(agent.name, agent.variables[0].name))
        for agent, before in zip(agents, (environment, *others), strict=True)
        if len(agent.variables) > len(before.variables)
    ]
    fold = Folder({(v.agent, v.name): v.domain for agent in agents for v in agent.variables})
    specifications = system.specifications
    if not specifications:
        nothing = logic.All(logic.Globally(logic.Constant(True)))
        specifications = (Specification(nothing, show_formula(nothing)),)
    return changed(
        system,
        agents=tuple(agents),
        initial=fold(And((system.initial, *added))),
        specifications=specifications,
    )


def _completed_environment(agent: Agent) -> Agent:
    never = bool(agent.protocol) and all(
        is_constant(line.condition, FALSE) for line in agent.protocol
    )
    # What never applies, and what is always or never red, is said of a variable.
    needed = (never and agent.other is None) or agent.red is not None
    return _with_variable(agent) if needed else agent


def _completed_agent(agent: Agent) -> Agent:
    agent = _with_variable(agent)
    if not agent.actions:
        agent = replace(agent, actions=("nop",), protocol=(), other=("nop",))
    if not agent.protocol and agent.other is None:
        agent = replace(agent, protocol=(ProtocolLine(FALSE, agent.actions),))
    if not agent.evolution:
        name = agent.variables[0].name
        stays = Assignment(name, Read(agent.name, name))
        line = EvolutionLine((stays,), Does(agent.name, agent.actions[0]))
        agent = replace(agent, evolution=(line,))
    return agent


def _with_variable(agent: Agent) -> Agent:
    return (
        agent
        if agent.variables
        else replace(agent, variables=(Variable(agent.name, "idle", Boolean()),))
    )
