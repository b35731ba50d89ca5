"""Plain syntax to a model: every name resolved, every type and bound checked.

What agents and templates share stands here once; what only templates have is in `templates`.
"""

from gnomon.model.elaborate.program import elaborate, elaborate_fairness, elaborate_formula

__all__ = ["elaborate", "elaborate_fairness", "elaborate_formula"]
