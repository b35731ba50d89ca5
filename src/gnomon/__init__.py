"""Gnomon decides what the agents of a system know and what coalitions of them can enforce."""

from gnomon.version import __version__

__all__ = ["__version__"]
