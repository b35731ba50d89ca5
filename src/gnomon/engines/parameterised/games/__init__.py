"""Games of populations: what coalitions enforce, with any number of agents."""
