"""What a request is refused with: an error of the protocol that the client shows to its user."""

from typing import Final

from pygls.exceptions import JsonRpcException

#: The text has changed in the meantime; clients take it without a word.
_CONTENT_MODIFIED: Final = -32801
_REQUEST_FAILED: Final = -32803
_NOT_INITIALIZED: Final = -32002


class ContentModified(JsonRpcException):
    """What was asked is about a text that is no more."""

    CODE = _CONTENT_MODIFIED
    MESSAGE = "the text has changed"


class Refused(JsonRpcException):
    """What was asked cannot be done; the message says why."""

    CODE = _REQUEST_FAILED
    MESSAGE = "this cannot be done"


class NotInitialized(JsonRpcException):
    """Something was asked before the client has said who it is."""

    CODE = _NOT_INITIALIZED
    MESSAGE = "initialize comes first"
