"""The definitions once more, by brute force, on what `gnomon.model.step` says and nothing else.

No line is shared with the engines or the logics: states are value tuples, sets are grown by literal
fixpoints, infinite paths are judged by the closure tableau of Lichtenstein and Pnueli, and strategies
are listed one by one. Only for tiny models.
"""

from tests.oracle.explored import Uniform
from tests.oracle.fixpoints import Graph, States, TooMany, greatest, least
from tests.oracle.paths import Node, components, exists, unfolded
from tests.oracle.truth import Oracle

__all__ = [
    "Graph",
    "Node",
    "Oracle",
    "States",
    "TooMany",
    "Uniform",
    "components",
    "exists",
    "greatest",
    "least",
    "unfolded",
]
