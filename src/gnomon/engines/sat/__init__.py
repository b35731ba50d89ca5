"""Satisfiability: runs up to a bound, and invariants, on circuits; nothing is explored."""
