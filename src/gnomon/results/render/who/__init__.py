"""Who can, and who knows: one module a format."""
