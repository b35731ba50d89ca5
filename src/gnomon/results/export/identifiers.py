"""Identifiers that MCMAS reads for all names of a system."""

import re
from collections.abc import Collection, Iterable, Iterator

from gnomon.language.lexer import KEYWORDS
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Enumeration
from gnomon.model.system import System


class Identifiers:
    """An identifier that MCMAS reads for every name, the name itself wherever that is one."""

    def __init__(self, system: System) -> None:
        """Find one for every name of the system."""
        names = [agent.name for agent in system.agents[1:]]
        self.agents = {**_apart(names), ENVIRONMENT: ENVIRONMENT}
        self.variables: dict[tuple[str, str], str] = {}
        self.actions: dict[tuple[str, str], str] = {}
        for agent in system.agents:
            own = _apart([variable.name for variable in agent.variables])
            self.variables |= {(agent.name, name): spelled for name, spelled in own.items()}
            # Agents share actions by name, where events are interleaved.
            acts = _apart(system.events if system.interleaved else agent.actions)
            self.actions |= {(agent.name, name): spelled for name, spelled in acts.items()}
        values = [
            name
            for variable in system.variables
            if isinstance(variable.domain, Enumeration)
            for name in variable.domain.names
        ]
        # A value with the name of a variable could not be told from it.
        self.values = _apart(values, set(self.variables.values()))
        self.propositions = _apart(system.propositions)
        self.groups = _apart(system.groups)

    def other(self) -> Iterator[str]:
        """Yield which names are others than in the model, in one sentence."""
        pairs = dict.fromkeys(
            (name, spelled)
            for names in (self.agents, self.values, self.propositions, self.groups)
            for name, spelled in names.items()
        )
        pairs |= dict.fromkeys((key[1], spelled) for key, spelled in self.variables.items())
        pairs |= dict.fromkeys((key[1], spelled) for key, spelled in self.actions.items())
        found = [f"{name} is {spelled}" for name, spelled in pairs if name != spelled]
        if found:
            yield f"Names that are taken or reserved are changed: {', '.join(found)}."


def _apart(names: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """Return different identifiers for names."""
    used = KEYWORDS | set(taken)
    listed = list(dict.fromkeys(names))
    result = {name: name for name in listed if name not in used and _is_identifier(name)}
    for name in listed:
        if name not in result:
            spelled = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
            spelled = spelled if _is_identifier(spelled) else f"x{spelled}"
            while spelled in used or spelled in result.values():
                spelled += "_"
            result[name] = spelled
    return {name: result[name] for name in listed}


def _is_identifier(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is not None
