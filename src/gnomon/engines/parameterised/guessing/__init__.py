"""Cubes that are guessed: what few agents never do is looked at as if it were bad, too."""
