"""The Python interface: load a model or build one, check it, look at the answers.

Everything shows itself in a notebook, and as plain text when printed.
"""

from gnomon.api.answers import Answer, CheckResult
from gnomon.api.models import Model, OpenModel, check, load, load_text
from gnomon.api.pictures import Picture
from gnomon.api.sweeps import Sweep, sweep
from gnomon.checking.options import Options
from gnomon.checking.verdict import Value
from gnomon.model.builder import SystemBuilder
from gnomon.model.operand_choices import If, maximum, minimum, number
from gnomon.text.diagnostic import InputError

__all__ = [
    "Answer",
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
    "check",
    "load",
    "load_text",
    "maximum",
    "minimum",
    "number",
    "sweep",
]
