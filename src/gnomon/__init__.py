"""Gnomon decides what the agents of a system know and what coalitions of them can enforce.

>>> import gnomon
>>> model = gnomon.load("examples/bit_transmission.ispl")
>>> for answer in gnomon.check(model, "AF received"):
...     print(answer.formula, answer.value)
AF received false

Data flows one way through the packages, and each imports only those before it:

1. `gnomon.text` - source text: where things are, and what we say about them
2. `gnomon.language` - ISPL text to a syntax tree, and back to formatted text
3. `gnomon.model` - interpreted systems, typed and frozen, with their reference semantics
4. `gnomon.engines` - sets of states and the steps between them, behind one algebra
5. `gnomon.logic` - the satisfaction relation of each logic, over any algebra
6. `gnomon.checking` - one question to one verdict
7. `gnomon.results` - verdicts to something a reader wants
8. `gnomon.campaign` - many questions to many verdicts
9. `gnomon.interfaces` - the ways in: the command line; `gnomon.api` is the one for Python
"""

from typing import TYPE_CHECKING

from gnomon.version import __version__

if TYPE_CHECKING:
    from gnomon.api import (
        Answer,
        Campaign,
        CampaignResult,
        CheckOptions,
        CheckResult,
        If,
        InputError,
        Model,
        OpenModel,
        Options,
        Picture,
        Sweep,
        SystemBuilder,
        Trace,
        Value,
        Walk,
        WalkError,
        Who,
        check,
        load,
        load_text,
        maximum,
        minimum,
        number,
        sweep,
    )

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
    "__version__",
    "check",
    "load",
    "load_text",
    "maximum",
    "minimum",
    "number",
    "sweep",
]


def __getattr__(name: str) -> object:
    """Load the public names when they are first used, so that the command line starts fast."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from gnomon import api

    return getattr(api, name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
