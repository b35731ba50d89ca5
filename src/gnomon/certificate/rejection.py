"""Why a proof does not count, as a branch of the tree of exceptions.

    Rejected            the certificate does not prove the verdict
    ├── Malformed       the document has another shape than the published schema
    └── Unproved        the value of a formula is used, and nothing proves it
    TooMuch             checking it would take too long: the verdict is neither proved nor rejected
    └── TooManyAnswers  the opponents of a strategy have too many answers to play them all

Any other exception that comes out of this folder is a bug of ours, and must not be taken for one of these.
"""

from gnomon.text.errors import Unconvinced

#: No message needs more of what it is about.
_LONGEST = 200


class Rejected(Unconvinced):
    """A certificate does not prove what it claims."""


class Malformed(Rejected):
    """A certificate has something else in a place than belongs there."""

    def __str__(self) -> str:
        """Say what is wrong with the shape."""
        return f"it is not well formed ({self.args[0]})"


class Unproved(Rejected):
    """There is no proof of what a formula is worth somewhere."""

    def __str__(self) -> str:
        """Name the formula."""
        return f"nothing proves {self.args[0]}"


class TooMuch(Unconvinced):
    """Something is too large to be gone through; that says nothing about whether it is right."""


class TooManyAnswers(TooMuch):
    """The opponents have too many answers to play them all."""

    def __str__(self) -> str:
        """Say what is too large."""
        return "a strategy has too many outcomes to be gone through"


def require(condition: object, what: str) -> None:
    """Fail where a certificate is not as it should be."""
    if not condition:
        raise Rejected(what)


def shown(data: object) -> str:
    """Return what a certificate has in some place, in few words; Python does not write very long numbers."""
    try:
        return repr(data)[:_LONGEST]
    except (ValueError, RecursionError):
        return "something very long"
