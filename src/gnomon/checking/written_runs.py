"""Runs of any number of agents as certificates have them."""

from typing import Any

from gnomon.engines.parameterised.decision import PopulationDecision as Decision
from gnomon.engines.parameterised.run import OpenRun


def lasso_data(decision: Decision) -> dict[str, Any]:
    """Return the proof that a run is, which goes round for ever or ends."""
    assert decision.run is not None
    return {
        "kind": "population-lasso",
        "members": list(decision.run.members),
        "run": written_run(decision.run),
        "loop": decision.loop,
        "from_on": None,
    }


def chain_data(decision: Decision) -> dict[str, Any]:
    """Return the proof that a chain of runs is, which look alike to somebody one after the other."""
    links = [
        {
            "members": list(each.run.members),
            "agents": list(each.agents),
            "run": written_run(each.run),
        }
        for each in decision.chain
    ]
    return {"kind": "population-chain", "chain": links}


def written_run(run: OpenRun) -> dict[str, Any]:
    """Return a run as certificates have it."""
    return {
        "facts": [[relation, list(arguments), value] for (relation, arguments), value in run.facts],
        "start": [list(run.start.environment), [list(local) for local in run.start.agents]],
        "events": [[event.environment, list(event.agents)] for event in run.events],
    }
