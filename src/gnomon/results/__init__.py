"""Verdicts turned into something a reader wants: text, data, pictures and sentences."""
