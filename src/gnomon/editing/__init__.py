"""What an editor wants to know of a text that is being written; text and places in, data out."""
