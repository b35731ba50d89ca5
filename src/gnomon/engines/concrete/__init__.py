"""Single states: what may happen in one, agent by agent, compiled and remembered."""
