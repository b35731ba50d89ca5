"""What agents know, of any number and in any shape: configurations of all populations that look alike."""
