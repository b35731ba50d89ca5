"""`python -m gnomon` is `gnomon`."""

from gnomon.interfaces.cli.main import main

main()
