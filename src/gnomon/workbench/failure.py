"""Why a request has no answer, by kinds that whoever asked can tell apart."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from gnomon.results.data import of_diagnostic
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.errors import Unable

#: See `Failure` in web/src/protocol.ts and docs/reference/studio-protocol.md.
FailureKind: TypeAlias = Literal[
    "bad-request",
    "bad-input",
    "unable",
    "unknown-model",
    "limit",
    "cancelled",
    "conflict",
    "bug",
]


class RequestFailed(Unable):
    """A request has no answer; the message says why."""

    def __init__(
        self, kind: FailureKind, message: str, diagnostics: Sequence[Diagnostic] = ()
    ) -> None:
        """Fail with a reason; where the user wrote something wrong, with diagnostics."""
        super().__init__(message)
        self.kind: FailureKind = kind
        self.diagnostics = tuple(diagnostics)

    def to_data(self) -> dict[str, Any]:
        """Return it as an answer has it."""
        data: dict[str, Any] = {"kind": self.kind}
        if self.diagnostics:
            data["diagnostics"] = [of_diagnostic(item) for item in self.diagnostics]
        return {"message": str(self), "data": data}


def bad_request(message: str) -> RequestFailed:
    """Return the failure of a request that makes no sense in itself."""
    return RequestFailed("bad-request", message)


def bad_input(diagnostics: Sequence[Diagnostic]) -> RequestFailed:
    """Return the failure of a request in which the user wrote something wrong."""
    message = "; ".join(item.message for item in diagnostics if item.is_error)
    return RequestFailed("bad-input", message or "this cannot be read", diagnostics)
