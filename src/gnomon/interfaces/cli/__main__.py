"""`python -m gnomon.interfaces.cli` is `gnomon`."""

from gnomon.interfaces.cli.main import run

run()
