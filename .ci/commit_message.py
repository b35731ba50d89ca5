#!/usr/bin/env python3
"""Say what is wrong with a commit message: a hook for git, and the rule that CONTRIBUTING states.

The subject has at most 72 characters and no full stop, and a blank line comes after it.
"""

import sys
from collections.abc import Iterator

MOST_CHARACTERS = 72
#: Subjects that git writes itself, and those of commits that are to be joined with others.
NOT_OURS = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")


def mistakes(message: str) -> Iterator[str]:
    """Yield what is wrong with a message, whose lines that start with `#` do not count."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject, *rest = lines or [""]
    if subject.startswith(NOT_OURS):
        return
    if not subject.strip():
        yield "the first line is empty: it says what changes, and for whom"
    if len(subject) > MOST_CHARACTERS:
        yield f"the first line has {len(subject)} characters, and {MOST_CHARACTERS} is the most"
    if subject.endswith("."):
        yield "the first line is no sentence: it has no full stop"
    if rest and rest[0].strip():
        yield "the second line is blank, and what is to be said more comes after it"


def main(path: str) -> int:
    """Check the message in a file, as git's hook `commit-msg` is called."""
    with open(path, encoding="utf-8") as file:
        wrong = list(mistakes(file.read()))
    for mistake in wrong:
        sys.stderr.write(f"commit message: {mistake}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
