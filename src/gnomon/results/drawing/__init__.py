"""Diagrams: boxes and arrows as data, and where on a page they go."""
