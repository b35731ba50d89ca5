"""Declarations: the agents of a program, their variables, actions and values, as names."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT, Variable
from gnomon.model.domain import Enumeration
from gnomon.model.elaborate.domains import read_domain
from gnomon.model.elaborate.names import AgentNames, Names
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.source import Span

if TYPE_CHECKING:
    from gnomon.model.elaborate.memory import MeaningMemory


def declare_system(
    agents: Iterable[syntax.Agent], diagnostics: Diagnostics, memory: "MeaningMemory | None" = None
) -> tuple[Names, list[syntax.Agent]]:
    """Collect the names of all agents, and return those that count, the environment first."""
    names = Names() if memory is None else memory.names
    kept: list[syntax.Agent] = []
    for agent in each_once(agents, names, "agent", diagnostics):
        kept.append(agent)
        own = _declare_agent(agent, names, diagnostics, memory)
        names.agents[agent.name.text] = own
    values = values_of_environment(names)
    for agent in kept:
        _declare_observed(agent, names, diagnostics)
        check_seen_values(names.agents[agent.name.text], names, values, diagnostics)
    return names, kept


def each_once(
    agents: Iterable[syntax.Agent], names: Names, what: str, diagnostics: Diagnostics
) -> Iterator[syntax.Agent]:
    """Yield the agents that are not in `names` yet; the environment first, empty where none was written."""
    ordered = sorted(agents, key=lambda agent: agent.kind != "environment")
    if not ordered or ordered[0].kind != "environment":
        ordered.insert(0, syntax.Agent(syntax.Name(ENVIRONMENT), "environment"))
    for agent in ordered:
        first = names.agents.get(agent.name.text)
        if first is None:
            yield agent
            continue
        diagnostics.add(
            "G0402",
            f"a second {what} `{agent.name.text}`; it is left out",
            agent.name.span,
            label="declared again",
            related=(Label(first.span, "the first one is here"),),
        )


def _declare_agent(
    agent: syntax.Agent, names: Names, diagnostics: Diagnostics, memory: "MeaningMemory | None"
) -> AgentNames:
    """Collect the names of an agent; those that are remembered may have been elsewhere in the text."""

    def declared(agent: syntax.Agent) -> AgentNames:
        return _declared(agent, names, diagnostics)

    if memory is None:
        return declared(agent)
    from gnomon.language.moved import moved, moved_span  # for who reads again and again

    own = memory.recall(agent, "names", declared)
    by = agent.name.span.start - own.span.start
    return AgentNames(
        own.name,
        agent.name.span,
        own.variables,
        {name: moved_span(place, by) for name, place in own.places.items()},
        {name: moved_span(place, by) for name, place in own.actions.items()},
        written=agent,
        listed=tuple(moved(name, by) for name in own.listed),
    )


def _declared(agent: syntax.Agent, names: Names, diagnostics: Diagnostics) -> AgentNames:
    listed = agent.local_observed or ()
    own = AgentNames(agent.name.text, agent.name.span, written=agent, listed=listed)
    for action in agent.actions or ():
        if action.text in own.actions:
            diagnostics.add("G0402", f"action `{action.text}` is declared twice", action.span)
        own.actions.setdefault(action.text, action.span)
    declare_variables(agent, own, own.name, names, diagnostics)
    if agent.kind != "environment":
        refuse_observed(agent, "another agent", diagnostics)
    check_values(own, diagnostics)
    return own


def declare_variables(
    agent: syntax.Agent, own: AgentNames, reader: str, names: Names, diagnostics: Diagnostics
) -> None:
    """Collect the variables of an agent; `reader` is what stands for it where they are read."""
    for observed, lines in ((True, agent.observed or ()), (False, agent.variables or ())):
        for line in lines:
            assert isinstance(line, syntax.VariableDeclaration)
            name = line.name.text
            domain = read_domain(line.type, name, names.types, diagnostics)
            if name in own.variables:
                diagnostics.add(
                    "G0402",
                    f"variable `{name}` is declared twice; the second declaration is left out",
                    line.span,
                    related=(Label(own.places[name], "the first one is here"),),
                )
                continue
            own.variables[name] = Variable(reader, name, domain, observed)
            own.places[name] = line.span


def refuse_observed(agent: syntax.Agent, what: str, diagnostics: Diagnostics) -> None:
    """Report variables in `Obsvars` of what is not the environment."""
    for line in (agent.observed or ())[:1]:
        diagnostics.add(
            "G0212",
            f"only the environment has `Obsvars`, and `{agent.name.text}` is {what}",
            line.span,
            help="use `Vars`, or move the variables to the environment",
        )


def check_values(own: AgentNames, diagnostics: Diagnostics) -> None:
    """Report a variable and a value of the same name, which could not be told apart."""
    for variable in own.variables.values():
        if not isinstance(variable.domain, Enumeration):
            continue
        for value in variable.domain.names:
            if value in own.variables:
                diagnostics.add(
                    "G0209",
                    f"`{value}` is a variable of `{own.name}` and also a value of `{variable.name}`",
                    own.places[value],
                    related=(Label(own.places[variable.name], "the value is declared here"),),
                    help="rename one of them",
                )


# What agents see of the environment


def values_of_environment(names: Names) -> dict[str, list[str]]:
    """Return the variables of the environment that have each value."""
    values: dict[str, list[str]] = {}
    for variable in names.environment.variables.values():
        if isinstance(variable.domain, Enumeration):
            for value in variable.domain.names:
                values.setdefault(value, []).append(variable.name)
    return values


def check_seen_values(
    own: AgentNames, names: Names, values: dict[str, list[str]], diagnostics: Diagnostics
) -> None:
    """A variable that has the name of a value that its agent sees is what the name means there."""
    for name, place in own.places.items():
        for source in values.get(name, ()):
            seen = own.observed.get(source)
            if seen is None:
                continue
            # MCMAS looks at `Obsvars` only, and its programs are to be read.
            diagnostics.add(
                "G0209" if seen.observed else "G0414",
                f"`{name}` is a variable of `{own.name}` and also a value of `Environment.{source}`, "
                "which it sees",
                place,
                label="read as the variable" if not seen.observed else "",
                related=(Label(names.environment.places[source], "the value is declared here"),),
                help="rename one of them",
            )


def _declare_observed(agent: syntax.Agent, names: Names, diagnostics: Diagnostics) -> None:
    own = names.agents[agent.name.text]
    if agent.kind == "environment":
        return
    variables = names.environment.variables
    own.observed.update({name: item for name, item in variables.items() if item.observed})
    for item in own.listed:
        found = variables.get(item.text)
        if found is None:
            unknown_observed(item, names, diagnostics)
        elif found.observed:
            diagnostics.add(
                "G0409", f"`{item.text}` is in `Obsvars`: every agent sees it already", item.span
            )
        else:
            own.observed[item.text] = found


def unknown_observed(item: syntax.Name, names: Names, diagnostics: Diagnostics) -> None:
    """Report that `Lobsvars` lists what is no variable of the environment."""
    diagnostics.add(
        "G0210",
        f"the environment has no variable `{item.text}` to observe",
        item.span,
        help=diagnostics.did_you_mean(item.text, names.environment.variables),
    )


# Sections that programs with and without templates have


def report_missing_sections(
    program: syntax.Program,
    diagnostics: Diagnostics,
    declares: "Callable[[Iterable[syntax.Agent]], bool] | None" = None,
) -> None:
    """Report that nothing is said of where to start, or nothing asked; `declares` is `declares_values`."""
    end = Span(max(program.span.end - 1, 0), program.span.end)
    if program.initial is None and not (declares or declares_values)(program.agents):
        diagnostics.add(
            "G0113",
            "the program does not say which states are initial",
            end,
            help="add `InitStates … end InitStates`, or give values to variables: `x : 0..3 = 0;`",
        )
    if not program.formulae:
        diagnostics.add(
            "G0410",
            "the program has no formula: there is nothing to check",
            end,
            help="add `Formulae … end Formulae`, or give one with `--formula`",
        )


def declares_values(agents: Iterable[syntax.Agent]) -> bool:
    """Return whether some variable is declared with its value at the start."""
    return any(
        line.initial is not None
        for agent in agents
        for line in (*(agent.observed or ()), *(agent.variables or ()))
    )


def declare_proposition(line: syntax.Proposition, names: Names, diagnostics: Diagnostics) -> None:
    """Note where a proposition is defined."""
    name = line.name.text
    if name in names.propositions:
        diagnostics.add(
            "G0402",
            f"proposition `{name}` is defined twice; the last definition counts",
            line.span,
        )
    names.propositions[name] = line.span
