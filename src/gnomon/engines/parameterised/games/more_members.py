"""Whether a coalition of all agents can be worse off with more members."""

from gnomon.model.parameterised.condition import Condition, Exists, Forall, positive, walk
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.system import OpenSystem


def may_be_more(system: OpenSystem, query: Ability) -> str:
    """Return why more members may be worse off than fewer; "" where they are not.

    A further member can wait for ever. It is in nobody's way if no action takes it along, no guard says
    something of every agent, the environment looks at nobody, and what is wanted stays so with it there.
    """

    def speaks_of(condition: Condition, *kinds: type[Exists | Forall]) -> bool:
        return any(isinstance(part, kinds) for part in walk(positive(condition)))

    if query.forever:
        return "it takes nobody to keep something as it is"
    if speaks_of(query.stay, Forall) or speaks_of(query.goal, Forall):
        return "what is wanted is said of every agent"
    if "all" in system.sync.values() or system.followed_by:
        return "an action takes every member along"
    if any(speaks_of(guard, Exists, Forall) for guard in system.environment.guards.values()):
        return "what the environment can do depends on agents"
    for part in system.templates:
        if any(speaks_of(guard, Forall) for guard in part.guards.values()):
            return f"a guard of `{part.name}` speaks of every agent"
    return ""
