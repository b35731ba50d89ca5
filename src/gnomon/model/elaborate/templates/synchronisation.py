"""Synchronised actions: who declares them, how many take part, and what their guards may look at."""

from gnomon.language import syntax
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.parameterised.condition import Condition, Exists, Forall, relations, walk
from gnomon.model.parameterised.system import Multiplicity
from gnomon.text.diagnostic import Diagnostics, Label


def declare_actions(agent: syntax.Agent, own: AgentNames, diagnostics: Diagnostics) -> None:
    """Collect the local and the synchronised actions of a part."""
    synchronised = [item.name for item in agent.synchronised or ()]
    for action in (*(agent.actions or ()), *synchronised):
        if action.text in own.actions:
            diagnostics.add(
                "G0718",
                f"action `{action.text}` is declared twice",
                action.span,
                related=(Label(own.actions[action.text], "here it is, too"),),
                help="an action is either local, in `Actions`, or in `Sync`",
            )
        own.actions.setdefault(action.text, action.span)


def synchronised(agents: list[syntax.Agent], diagnostics: Diagnostics) -> dict[str, Multiplicity]:
    """Return the synchronised actions and how many agents take part in each."""
    environment = next((agent for agent in agents if agent.kind == "environment"), None)
    known = {item.name.text: item for item in (environment and environment.synchronised) or ()}
    found: dict[str, Multiplicity] = {name: item.multiplicity for name, item in known.items()}
    for agent in agents:
        for action in agent.actions or ():
            if action.text in known and agent.kind == "template":
                diagnostics.add(
                    "G0718",
                    f"`{action.text}` is local here and synchronised in the environment",
                    action.span,
                    related=(Label(known[action.text].span, "here it is synchronised"),),
                    help="move it to `Sync`, or choose another name",
                )
        for item in agent.synchronised or () if agent.kind == "template" else ():
            name = item.name.text
            if name not in found:
                _report_missing(item, agent, known, diagnostics)
                continue
            if item.multiplicity == "some" or item.multiplicity == found[name]:
                continue
            if found[name] != "some":
                diagnostics.add(
                    "G0707",
                    f"`{name}` is `{item.multiplicity}` here and `{found[name]}` elsewhere",
                    item.span,
                    help="say it once, in the environment",
                )
            found[name] = item.multiplicity
    return found


def _report_missing(
    item: syntax.SyncDeclaration,
    agent: syntax.Agent,
    known: dict[str, syntax.SyncDeclaration],
    diagnostics: Diagnostics,
) -> None:
    guess = diagnostics.did_you_mean(item.name.text, known)
    diagnostics.add(
        "G0706",
        f"`{item.name.text}` can never happen: the environment has no such `Sync` action",
        item.name.span,
        label=f"a synchronised action of `{agent.name.text}`",
        notes=diagnostics.listing("the environment has", known, none="none"),
        help=guess or "add it to the environment's `Sync`, or to `Actions`",
    )


def check_broadcast(
    action: syntax.Name, condition: Condition, line: syntax.ProtocolLine, diagnostics: Diagnostics
) -> None:
    """Report a guard of an action of all agents that looks at more than the agent and the environment."""
    quantified = any(isinstance(part, (Exists, Forall)) for part in walk(condition))
    if not quantified and not relations(condition):
        return
    what = "other agents" if quantified else "relations"
    diagnostics.add(
        "G0709",
        f"all agents that can take part in `{action.text}`, so its guard cannot look at {what}",
        line.span,
        label="looks at more than the agent and the environment",
        help=f"let `{action.text}` be `some` or `one`, or keep what matters in the environment",
    )
