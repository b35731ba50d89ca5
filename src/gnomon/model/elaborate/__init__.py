"""Plain syntax to an interpreted system: every name resolved, every type and bound checked."""

from gnomon.model.elaborate.program import elaborate, elaborate_formula

__all__ = ["elaborate", "elaborate_formula"]
