"""Verdicts about any number of agents checked again: runs replayed, invariants proved by a solver.

Nothing here knows of an engine. What an invariant has to satisfy is written from the conditions of the
source, without quantifiers, so that a solver always has an answer.
"""
