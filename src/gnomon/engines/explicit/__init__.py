"""One state after the other: exact, simple, and the measure of the other engines."""
