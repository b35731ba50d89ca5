"""The satisfaction relation of each logic, written over any engine's algebra."""
