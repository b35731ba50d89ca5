"""ISPL text to a plain syntax tree, and back to formatted text."""
