"""Knowledge, where states are conditions: two states that look the same, and what follows for the other."""

from collections.abc import Collection

from gnomon.certificate.deductive.assertions import Assertion, some
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.temporal_rules import Setting
from gnomon.certificate.rejection import Unproved
from gnomon.model.expression import Read
from gnomon.model.formula import GroupKnows, Knows, show_formula


class Knowing:
    """The rules for knowledge: what is known holds in all states that look the same and can be reached."""

    def __init__(self, setting: Setting, unfair: Assertion) -> None:
        """Speak of the states in which an invariant holds; those that are unfair do not count."""
        self._system = setting.system
        self._script = setting.steps.script
        self._invariant = setting.invariant
        self._unfair = unfair

    def check(
        self, formula: Knows | GroupKnows, where: Assertion, body: Assertion, *, holds: bool
    ) -> None:
        """Have a label proved; `body` is where that which is known holds, or where it fails."""
        now = SymbolicMoment(self._script)
        given = [self._invariant.text(now), where.text(now)]
        if not holds:
            # A state looks like itself; to nobody at all there is nothing that looks like it.
            if isinstance(formula, GroupKnows) and not formula.group.members:
                raise Unproved(show_formula(formula))
            self._script.prove(given, body.text(now), "what is not known may hold")
            return
        match formula:
            case Knows(agent):
                self._alike((agent,), where, body)
            case GroupKnows("distributed", group):
                self._alike(group.members, where, body)
            case GroupKnows("everybody", group):
                for name in group.members:
                    self._alike((name,), where, body)
            case GroupKnows("common", group):
                counts = some((body, self._unfair)).text(now)
                self._script.prove(given, counts, "what is commonly known may fail")
                for name in group.members:
                    self._alike((name,), where, where)

    def _alike(self, agents: Collection[str], where: Assertion, target: Assertion) -> None:
        """Have it proved that whatever looks like a state to all of some agents is in the target."""
        now = SymbolicMoment(self._script)
        target = some((target, self._unfair))
        seen = self._seen(agents)
        reads = (target.reads | self._invariant.reads) - seen
        other = SymbolicMoment(
            self._script, {read: self._script.variable(read, "w") for read in reads}, now=now
        )
        given = [self._invariant.text(now), where.text(now), self._invariant.text(other)]
        self._script.prove(given, target.text(other), "a state looks the same where it fails")

    def _seen(self, agents: Collection[str]) -> frozenset[Read]:
        """Return the variables that some agents see together."""
        environment = self._system.environment.name
        return frozenset(
            read
            for name in agents
            for read in (
                *(Read(name, variable.name) for variable in self._system.agent(name).variables),
                *(Read(environment, seen) for seen in self._system.agent(name).sees),
            )
        )
