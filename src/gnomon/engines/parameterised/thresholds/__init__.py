"""Programs with parameters: agents only go forward, and guards compare counts with linear terms."""
