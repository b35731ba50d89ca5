"""What protocol and evolution lines of agents and of templates have in common."""

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import OpenEnumeration, contains, show_value
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.elaborate.problems import unknown_action
from gnomon.text.diagnostic import Diagnostics


def check_actions(line: syntax.ProtocolLine, own: AgentNames, diagnostics: Diagnostics) -> None:
    """Report the actions of a protocol line that its agent does not have."""
    for action in line.actions:
        if action.text not in own.actions:
            unknown_action(diagnostics, own, action)


def listed_actions(agent: syntax.Agent) -> set[str]:
    """Return the actions that some line of the protocol lists."""
    return {
        action.text
        for line in agent.protocol or ()
        if isinstance(line, syntax.ProtocolLine)
        for action in line.actions
    }


def check_targets(line: syntax.EvolutionLine, diagnostics: Diagnostics) -> None:
    """Report variables that one line assigns twice."""
    seen: set[str] = set()
    for item in line.assignments:
        if item.target.text in seen:
            diagnostics.add(
                "G0311", f"`{item.target.text}` is assigned twice in one line", item.span
            )
        seen.add(item.target.text)


def check_constant(
    item: syntax.Assignment,
    variable: Variable,
    value: object,
    diagnostics: Diagnostics,
    notes: tuple[str, ...] = (),
) -> None:
    """Refuse an assignment of a constant that is none of the variable's values."""
    domain = variable.domain
    if not isinstance(value, typed.Literal) or isinstance(domain, OpenEnumeration):
        return
    if not contains(domain, value.value):
        raise diagnostics.fail(
            "G0306",
            f"`{variable.name}` is in {domain} and cannot become {show_value(value.value)}",
            item.span,
            label="outside its range",
            notes=notes,
        )
