"""States in which it only counts how many of a crowd are where, and how many states each stands for."""
