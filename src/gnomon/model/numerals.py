"""Decimal texts of integers of any length, where Python's own conversion refuses very long ones."""

from typing import Final

#: Numbers of no more digits than this are always converted, however Python is set up.
_SHORT: Final = 600
_BITS: Final = 1_900


def decimal(number: int) -> str:
    """Return all the digits of a number."""
    if number.bit_length() <= _BITS:
        return str(number)
    if number < 0:
        return f"-{decimal(-number)}"
    # log10(2) is a little more than 3/10: about half of the digits are below the cut.
    below = number.bit_length() * 3 // 20
    high, low = divmod(number, 10**below)
    return decimal(high) + decimal(low).zfill(below)


def from_decimal(text: str) -> int:
    """Return the number that digits, perhaps after a minus, stand for."""
    if len(text) <= _SHORT:
        return int(text)
    if text.startswith("-"):
        return -from_decimal(text[1:])
    below = len(text) // 2
    power: int = 10**below
    return from_decimal(text[:-below]) * power + from_decimal(text[-below:])
