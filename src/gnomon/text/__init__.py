"""Source text: where things are, and what we say about them."""
