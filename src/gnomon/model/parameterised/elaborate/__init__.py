"""Programs with templates to systems with any number of agents."""

from gnomon.model.parameterised.elaborate.program import elaborate_open, elaborate_question

__all__ = ["elaborate_open", "elaborate_question"]
