"""Evidence checked against the reference semantics alone; nothing here knows of an engine."""
