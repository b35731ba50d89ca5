"""Coalitions that act on what they see: the exact search for uniform strategies."""
