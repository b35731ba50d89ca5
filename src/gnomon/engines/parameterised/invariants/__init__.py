"""Invariants that are guessed: sums that no step changes, and conditions on a few agents."""
