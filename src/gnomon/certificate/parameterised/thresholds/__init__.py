"""The rules for programs with parameters, whose agents only go forward and whose guards count."""
