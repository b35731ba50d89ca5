"""The Python interface: load a model or build one, check it, look at the answers.

Everything shows itself in a notebook, and as plain text when printed.
"""

from typing import TYPE_CHECKING

from gnomon.api.answers import Answer, CheckResult
from gnomon.api.building import SystemBuilder
from gnomon.api.models import Model, OpenModel, check, load, load_text
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

__all__ = [
    "Answer",
    "Campaign",
    "CampaignResult",
    "CheckResult",
    "If",
    "InputError",
    "Model",
    "OpenModel",
    "Options",
    "Picture",
    "Sweep",
    "SystemBuilder",
    "Value",
    "Who",
    "check",
    "load",
    "load_text",
    "maximum",
    "minimum",
    "number",
    "sweep",
]


def __getattr__(name: str) -> object:
    """Load what campaigns need when one is made: a store, processes, event loops."""
    if name == "Campaign":
        from gnomon.api.campaigns import Campaign

        return Campaign
    if name == "CampaignResult":
        from gnomon.api.campaign_results import CampaignResult

        return CampaignResult
    if name == "Who":
        from gnomon.api.groups import Who

        return Who
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
