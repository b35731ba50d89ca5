"""`python -m gnomon` is `gnomon`."""

from gnomon.interfaces.cli.main import run

run()
