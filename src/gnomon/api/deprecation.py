"""A word about what will go away, at the line of whoever uses it."""

import warnings

#: From here, past the public function that is deprecated, to whoever calls it.
_CALLER = 3


def deprecated(message: str) -> None:
    """Warn the caller of a public function that it is deprecated; the message names the replacement."""
    warnings.warn(message, DeprecationWarning, stacklevel=_CALLER)
