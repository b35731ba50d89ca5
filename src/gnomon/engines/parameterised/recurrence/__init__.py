"""What may go on for ever with any number of agents: counted graphs, the loops in them, and real lassos."""
