"""Systems with any number of agents: templates, relations that nobody changes, and what a step is."""
