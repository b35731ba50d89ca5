"""The symbolic engine: sets of states as decision diagrams."""
