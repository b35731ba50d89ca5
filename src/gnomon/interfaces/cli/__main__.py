"""`python -m gnomon.interfaces.cli` is `gnomon`."""

from gnomon.interfaces.cli.main import main

main(prog_name="gnomon")
