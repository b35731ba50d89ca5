"""One question to one verdict: the pipeline from a model to what is true of it."""
