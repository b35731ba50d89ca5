"""Knowledge and obligation: what holds in all the states that cannot be told apart."""

from collections.abc import Collection

from gnomon.engines.algebra import Set
from gnomon.logic.frame import Frame


def jointly_known(frame: Frame[Set], agents: Collection[str], body: Set) -> Set:
    """Return where `body` holds in every state that all the agents together confuse with it.

    For one agent this is K, for a group DK.
    """
    return frame.algebra.unlike(agents, frame.doubt(body), frame.universe)


def known_to_each(frame: Frame[Set], agents: Collection[str], body: Set) -> Set:
    """GK body is K(i, body) for every agent i of the group."""
    known = frame.universe
    for agent in agents:
        known = frame.algebra.intersection(known, jointly_known(frame, (agent,), body))
    return known


def commonly_known(frame: Frame[Set], agents: Collection[str], body: Set) -> Set:
    """GCK body is the greatest Z with Z = GK(body ∩ Z).

    Computed as what is in doubt: a state is where `body` fails, and where some agent confuses it
    with a state in doubt.
    """
    if not agents:
        return frame.universe
    algebra = frame.algebra
    counted = frame.universe if frame.fair is None else frame.fair

    def confused(new: Set, _: Set) -> Set:
        return algebra.intersection(algebra.confused(agents, new), counted)

    return frame.opposite(algebra.grow(frame.doubt(body), confused))


def obliged(frame: Frame[Set], green: Set, body: Set) -> Set:
    """O body holds everywhere or nowhere: whether `body` holds in every green state."""
    algebra = frame.algebra
    counted = algebra.intersection(green, frame.universe if frame.fair is None else frame.fair)
    return algebra.if_subset(counted, body, frame.universe)
