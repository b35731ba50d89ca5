"""Synchronised actions: who declares them, how many take part, and what their guards may look at."""

from collections.abc import Mapping

from gnomon.language import syntax
from gnomon.model.elaborate.names import AgentNames
from gnomon.model.parameterised.condition import Condition, Exists, Forall, relations, walk
from gnomon.model.parameterised.system import Multiplicity
from gnomon.text.diagnostic import Diagnostics, Label
from gnomon.text.record import Record
from gnomon.text.source import Span


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


class Together(Record):
    """How many take part in each synchronised action, and which action all others follow it by."""

    sync: Mapping[str, Multiplicity]
    followed_by: Mapping[str, str]

    @property
    def broadcast(self) -> frozenset[str]:
        """Return the actions that all agents do who can."""
        by_all = (action for action, kind in self.sync.items() if kind == "all")
        return frozenset({*by_all, *self.followed_by.values()})


def synchronised(agents: list[syntax.Agent], diagnostics: Diagnostics) -> Together:
    """Return the synchronised actions, how many agents take part in each, and who follows."""
    environment = next((agent for agent in agents if agent.kind == "environment"), None)
    known = {
        item.name.text: item
        for item in (environment and environment.synchronised) or ()
        if item.leader is None
    }
    leading = _FollowingActions(agents, known, diagnostics)
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
            if name in leading.leader or item.leader is not None:
                continue
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
    return Together(found, leading.followed_by())


class _FollowingActions:
    """The actions that follow others, `drop : all with take`; who follows is an agent of a template."""

    def __init__(
        self,
        agents: list[syntax.Agent],
        known: Mapping[str, syntax.SyncDeclaration],
        diagnostics: Diagnostics,
    ) -> None:
        self._known = known
        self._diagnostics = diagnostics
        #: The action that each one follows, and where that is said.
        self.leader: dict[str, syntax.SyncDeclaration] = {}
        for agent in agents:
            for item in agent.synchronised or ():
                if item.leader is not None:
                    self._take(item, agent)
        for agent in agents:
            for action in agent.actions or ():
                if action.text in self.leader:
                    self._report(action, f"`{action.text}` is local here, and follows elsewhere")
            for item in agent.synchronised or ():
                if item.name.text in self.leader and item.multiplicity == "one":
                    self._report(
                        item.name,
                        f"`{item.name.text}` is done by all who can",
                        related=self.leader[item.name.text].span,
                    )

    def _take(self, item: syntax.SyncDeclaration, agent: syntax.Agent) -> None:
        assert item.leader is not None
        name, leader = item.name.text, item.leader.text
        if agent.kind == "environment":
            self._report(
                item.name,
                f"agents follow, and not the environment, which does `{leader}` itself",
                f"say `{name} : all with {leader}` in a template",
            )
            return
        if name in self._known:
            self._report(
                item.name,
                f"`{name}` follows nothing: the environment does it with others",
                "give what all others do a name of its own",
                self._known[name].span,
            )
            return
        before = self.leader.setdefault(name, item)
        if before.leader is not None and before.leader.text != leader:
            self._report(
                item.leader, f"`{name}` follows `{before.leader.text}` already", related=before.span
            )

    def followed_by(self) -> dict[str, str]:
        """Return which action follows each one, of those that the environment has."""
        found: dict[str, str] = {}
        for name, item in self.leader.items():
            assert item.leader is not None
            leader = item.leader.text
            if leader in self.leader:
                self._report(item.leader, f"`{leader}` follows another action itself")
            elif leader not in self._known:
                guess = self._diagnostics.did_you_mean(leader, self._known)
                self._report(
                    item.leader,
                    f"there is no action `{leader}` to follow: the environment has no such `Sync` action",
                    guess or "add it to the `Sync` of the environment",
                )
            elif leader in found:
                self._report(
                    item.name,
                    f"`{leader}` is followed by `{found[leader]}` already",
                    f"call this one `{found[leader]}`, too",
                    self.leader[found[leader]].span,
                )
            else:
                found[leader] = name
        return found

    def _report(
        self, at: syntax.Name, message: str, help_: str = "", related: Span | None = None
    ) -> None:
        labels = () if related is None else (Label(related, "here it is said"),)
        self._diagnostics.add("G0727", message, at.span, related=labels, help=help_)


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
