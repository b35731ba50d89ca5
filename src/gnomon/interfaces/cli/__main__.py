"""`python -m gnomon.interfaces.cli` is `gnomon`."""

from gnomon.interfaces.cli.entry import run

run()
