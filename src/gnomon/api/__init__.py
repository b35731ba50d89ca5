"""The Python interface: load a model or build one, check it, look at the answers.

Everything shows itself in a notebook, and as plain text when printed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from gnomon.api.answers import Answer, CheckResult
from gnomon.api.asking import CheckOptions
from gnomon.api.building import SystemBuilder
from gnomon.api.checks import check
from gnomon.api.models import Model, OpenModel, load, load_text
from gnomon.api.pictures import Picture
from gnomon.api.sweeps import Sweep, sweep
from gnomon.checking.options import Options
from gnomon.checking.verdict import Value
from gnomon.model.operand_choices import If, maximum, minimum, number
from gnomon.text.diagnostic import InputError

if TYPE_CHECKING:
    from gnomon.api.campaign_results import CampaignResult
    from gnomon.api.campaigns import Campaign
    from gnomon.api.groups import Who
    from gnomon.api.traces import Trace
    from gnomon.api.walking import Walk
    from gnomon.results.model_walk import WalkError

__all__ = [
    "Answer",
    "Campaign",
    "CampaignResult",
    "CheckOptions",
    "CheckResult",
    "If",
    "InputError",
    "Model",
    "OpenModel",
    "Options",
    "Picture",
    "Sweep",
    "SystemBuilder",
    "Trace",
    "Value",
    "Walk",
    "WalkError",
    "Who",
    "check",
    "load",
    "load_text",
    "maximum",
    "minimum",
    "number",
    "sweep",
]


#: What is loaded when it is first used: campaigns need a store, processes, event loops.
_LATER = {
    "Campaign": "gnomon.api.campaigns",
    "CampaignResult": "gnomon.api.campaign_results",
    "Trace": "gnomon.api.traces",
    "Walk": "gnomon.api.walking",
    "WalkError": "gnomon.results.model_walk",
    "Who": "gnomon.api.groups",
}


def __getattr__(name: str) -> object:
    """Load what few need when it is first used."""
    if name not in _LATER:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_LATER[name]), name)
