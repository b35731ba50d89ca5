"""`python -m gnomon` is `gnomon`."""

from gnomon.interfaces.cli.entry import run

run()
