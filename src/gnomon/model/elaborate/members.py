"""Groups: names to agents, `all`, and what is left of a group."""

from gnomon.language import syntax
from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.elaborate.names import Names
from gnomon.model.elaborate.problems import unknown_agent
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span

#: All agents, unless a group or an agent has that name. The environment is what they do not control.
ALL = "all"


class GroupReader:
    """Says who the members of groups are, with the names of one program."""

    def __init__(self, names: Names, diagnostics: Diagnostics) -> None:
        """Read with the program's names."""
        self.names = names
        self.diagnostics = diagnostics

    def group(self, who: syntax.Members) -> logic.Group:
        """Return a group; an agent is a group of one."""
        match who:
            case syntax.Name(text, _, span):
                return logic.Group(self._named(text, span), text)
            case syntax.GroupDifference(base, removed):
                members = self._named(base.text, base.span)
                without = {each for name in removed for each in self._named(name.text, name.span)}
                left = tuple(each for each in members if each not in without)
                taken = ", ".join(name.text for name in removed)
                one = len(removed) == 1 and removed[0].text in self.names.groups
                return logic.Group(left, f"{base.text} \\ {taken if one else f'{{{taken}}}'}")

    def groups(self, who: tuple[syntax.Members, ...]) -> logic.Group:
        """Return a group of several, which has no name unless it is only one, or one agent."""
        if len(who) == 1:
            return self.group(who[0])
        agents = [agent for each in who for agent in self.group(each).members]
        members = tuple(dict.fromkeys(agents))
        return logic.Group(members, members[0] if len(members) == 1 else "")

    def listed(self, member: syntax.Members) -> tuple[str, ...]:
        """Return a member of a group that is being defined: an agent, or what is left of a group."""
        if not isinstance(member, syntax.Name):
            return self.group(member).members
        if member.text in self.names.agents:
            return (member.text,)
        agents = () if self.diagnostics.full else self.names.agents
        known = [name for name in agents if name != ENVIRONMENT]
        raise unknown_agent(self.diagnostics, member.text, member.span, known)

    def _named(self, name: str, span: Span) -> tuple[str, ...]:
        if name in self.names.groups:
            return self.names.groups[name]
        if name in self.names.agents:
            return (name,)
        if name == ALL:
            return tuple(agent for agent in self.names.agents if agent != ENVIRONMENT)
        known = {**self.names.groups, **self.names.agents} if not self.diagnostics.full else ()
        raise self.diagnostics.fail(
            "G0603",
            f"there is no group `{name}`",
            span,
            label="not defined in `Groups`",
            notes=self.diagnostics.listing("the groups", self.names.groups, none="none"),
            help=self.diagnostics.did_you_mean(name, known),
        )
