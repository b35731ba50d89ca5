"""Work in a process of its own, which can be ended at any time and shares no native state with another."""
