"""The language server: what editors ask over the protocol, answered by the stages before."""
