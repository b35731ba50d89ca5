"""Programs in the words of MCMAS 1.3.0: what it does not read, and the same in words that it reads."""
