"""The language server: what editors ask over the protocol, answered by `editing`, `checking` and `campaign`."""
