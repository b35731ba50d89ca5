"""Rules for numbers without bounds: sets of states are conditions, and a solver proves what follows.

They are those of deductive verification (Floyd 1967, Manna and Pnueli 1991), for games and knowledge as well.
"""
