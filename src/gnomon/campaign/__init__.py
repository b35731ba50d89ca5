"""Many questions to many verdicts, on this machine or on others."""
