"""Sets of states as decision diagrams: layout, encoding, relation, reachability, algebra."""
