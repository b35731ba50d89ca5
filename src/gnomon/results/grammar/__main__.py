"""`python -m gnomon.results.grammar` writes the TextMate grammar of ISPL to its output."""

import sys

from gnomon.results.grammar.textmate import text

if __name__ == "__main__":
    sys.stdout.write(text())
