"""Gnomon decides what the agents of a system know and what coalitions of them can enforce.

This is a tour; every name has examples of its own: `help(gnomon.Model)`, `help(gnomon.Walk)`.

*Load a model, and check its formulae or yours.*

>>> import gnomon
>>> model = gnomon.load("examples/bit_transmission.ispl")
>>> result = model.check("AF received", "AG (received -> K(Receiver, zero) or K(Receiver, !zero))")
>>> [answer.holds for answer in result]
[False, True]

*Ask why.* An answer that is false has a counterexample, one that is true may have a witness or a strategy.

>>> answer = result[0]
>>> answer.evidence
<counterexample>
>>> print(answer.story().splitlines()[0])
AF received is false

*Build a model in Python.* It is a model like any other; `to_ispl()` writes it as a program.

>>> b = gnomon.SystemBuilder("lamp")
>>> hand = b.agent("Hand", actions=["press", "rest"])
>>> lit = hand.boolean("lit", initial=False)
>>> hand.otherwise("press", "rest")
>>> hand.evolve({lit: ~lit}, when=hand.does("press"))
>>> lamp = b.build()
>>> lamp.check("<Hand>F Hand.lit = true", "AF Hand.lit = true").as_expected
False

*Walk through it*, by hand or at random, and ask what holds on the way.

>>> walk = lamp.walk()
>>> walk.choose(Hand="press").state
{'Hand': {'lit': True}}
>>> walk.holds("AG Hand.lit = true"), walk.undo().number
(False, 0)
>>> lamp.simulate(3, seed=1)
<run of lamp: 3 steps, seed 1>

*Ask about families*: programs with constants, at many sizes, and programs for any number of agents.

>>> table = gnomon.sweep("examples/muddy_children.ispl", {"n": "2..4"}, only="muddy_finds_out")
>>> [(size["n"], result.states) for size, result in table]
[(2, 12), (3, 32), (4, 80)]
>>> gnomon.load("examples/parameterised/mutex_some.ispl").check("AG !clash")[0].numbers
it takes 2 Process: so many are enough, and no fewer

*Ask who* can enforce something, and who knows something.

>>> room = gnomon.load("examples/strongroom.ispl")
>>> room.who("F open").holding()
(('Clerk[1]', 'Clerk[2]'), ('Director', 'Auditor'))
>>> room.who_knows("even").holding("everybody")
(('Director',),)

*Many checks at once*, each in a process of its own, with answers kept in a store if you name one.

>>> with gnomon.Campaign(jobs=2) as campaign:
...     for result in campaign.map(["examples/tickets.ispl", model], "AG true"):
...         print(result.name, result.value)
examples/tickets.ispl true
examples/bit_transmission.ispl true

*See it.* In a notebook models, results, answers, evidence, walks and sweeps show themselves; elsewhere
`print` does. `model.graph()` is a picture in SVG, DOT, Mermaid and TikZ; `to_networkx()`, `to_frame()` and
`plot()` hand what was found to networkx, pandas and matplotlib or Altair, where these are installed.

>>> model.graph()
<picture of 18 states>

What cannot be used raises `gnomon.InputError` with all diagnostics; a check that comes to a limit leaves
answers open (`gnomon.Value.UNKNOWN`), and says which limit it was.
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
