"""Constant folding: expressions and whole systems worked out as far as they go."""
