"""A plan to begin with, which says all that a plan can say."""

import json
from collections.abc import Sequence
from typing import Final

_PLAN: Final = """\
# A plan of gnomon's: what a campaign checks. Run it with
#   gnomon campaign run plan.toml
# Lines that begin with # are examples of what else can be said.

# Files, patterns such as "models/**/*.ispl", or folders.
models = [{models}]
# name = "ring"                        # default: the name of this file
# store = "ring.store"                 # where answers are kept, beside this file

# What varies: every combination is a job of its own.
# engines = ["auto", "explicit"]       # or bdd, sat, counting, abstraction, parameterised
# strategies = ["perfect", "uniform"]  # what coalitions can choose from
# repetitions = 3                      # ask everything so often, to measure times
# split = "formulae"                   # a job for each formula, instead of one for all of a model

# Which formulae: those of the models, unless one of these is said.
# only = ["safe*", 2]                  # some of the models' own, by name, pattern or number
# formulae = ["AG !stuck"]             # others

# Limits of each job; what is not decided within them is open.
timeout = 60                           # seconds
# formula-timeout = 10
# memory = 2000                        # megabytes
# max-states = 1000000

# More that `gnomon check` can be told: evidence, certificate, account, paranoid, race, check-deadlock,
# check-overflow, expect, strict, allow, deny, refine, predicates, uniform-group, orders and diagrams.
# evidence = true

# How it is run.
# jobs = 4                             # so many at once; default: the number of cores
# schedule = "cheap-first"             # or dear-first, written
# seed = 0                             # by which engines break ties

# [constants]                          # of the models: numbers, ranges, and lists of both
# n = "2..8"
# k = [1, 2, "4..20 step 4"]

# [[check]]                            # several checks; what they do not say themselves stands above
# models = "other.ispl"
# timeout = 600

# [cluster]                            # have the jobs done by other machines
# address = "tls://scheduler.example.org:8786"
# ca-file = "ca.pem"
# cert = "client.pem"
# key = "client-key.pem"
"""


def example(models: Sequence[str] = ()) -> str:
    """Return the text of a plan about these models."""
    named = [json.dumps(name, ensure_ascii=False) for name in models or ("model.ispl",)]
    listed = named[0] if len(named) == 1 else "".join(f"\n    {name}," for name in named) + "\n"
    return _PLAN.replace("{models}", listed)
