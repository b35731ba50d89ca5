"""Three-valued predicate abstraction: cells of states instead of states, for integers without bounds."""
