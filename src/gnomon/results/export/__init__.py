"""Models as programs for other tools: with a definite number of agents, or with sets of them."""
