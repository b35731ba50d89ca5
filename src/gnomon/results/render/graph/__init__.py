"""Reachable states in one format, one module a format."""
