"""Interpreted systems: what a program means, as frozen data, and its reference semantics."""
