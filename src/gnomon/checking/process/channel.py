"""Objects over pipes or a socket, one after the other: a length, then a pickle.

Both ends are this program, so what arrives is trusted.
"""

import os
import pickle
import select
import struct
from collections.abc import Iterator
from typing import Any, Final

from gnomon.model.sharing import sending
from gnomon.text.limits import room_to_recurse

_LENGTH: Final = struct.Struct("!Q")
_CHUNK: Final = 1 << 18


class Channel:
    """One end of a connection that carries whole objects."""

    def __init__(self, reading: int, writing: int) -> None:
        """Read from one descriptor and write to the other, which may be the same one."""
        self._reading = reading
        self._writing = writing
        self._arrived = bytearray()

    def fileno(self) -> int:
        """Return what can be waited for."""
        return self._reading

    def send(self, message: object) -> None:
        """Send one object."""
        self.send_packed(packed(message))

    def send_packed(self, data: bytes) -> None:
        """Send one object that `packed` has prepared."""
        left = memoryview(_LENGTH.pack(len(data)) + data)
        while left:
            left = left[os.write(self._writing, left) :]

    def receive(self) -> Any:
        """Return the next object, and wait for it; raise `EOFError` where none will come."""
        while True:
            for message in self._whole():
                return message
            self._read()

    def arrived(self) -> Iterator[Any]:
        """Read once, and yield the objects that are complete; raise `EOFError` at the end."""
        self._read()
        yield from self._whole()

    def close(self) -> None:
        """Hang up."""
        for descriptor in {self._reading, self._writing}:
            if descriptor >= 0:
                os.close(descriptor)
        self._reading = self._writing = -1

    def _read(self) -> None:
        try:
            data = os.read(self._reading, _CHUNK)
        except ConnectionError as error:
            raise EOFError from error
        if not data:
            raise EOFError
        self._arrived += data

    def _whole(self) -> Iterator[Any]:
        """Yield complete objects, each taken out of the buffer before it is handed on."""
        while len(self._arrived) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._arrived)
            end = _LENGTH.size + length
            if len(self._arrived) < end:
                return
            data = bytes(self._arrived[_LENGTH.size : end])
            del self._arrived[:end]
            with room_to_recurse():
                message = pickle.loads(data)  # noqa: S301 - the other end is this program
            yield message


def readable(descriptors: "list[int]", seconds: float | None) -> list[int]:
    """Wait until there is something to read, at most so long, and return where."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [ready for ready, _ in poll.poll(None if seconds is None else seconds * 1000)]


def packed(message: object) -> bytes:
    """Return an object as it is sent."""
    with room_to_recurse(), sending():
        return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
