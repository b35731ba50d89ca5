"""Whole numbers to text and back, of any length.

Python refuses to write or read more than so many decimal digits (`sys.set_int_max_str_digits`), since that
takes long by its own method. Numbers in models have any length, so these two are used wherever one is shown
or read, whatever that limit is.

>>> show_integer(-12)
'-12'
>>> read_integer("0012")
12
"""

from typing import Final

#: Python never refuses fewer digits than 640, and no number of 2,000 bits has more than 603.
_FEW_BITS: Final = 2_000
_FEW_DIGITS: Final = 600


def show_integer(number: int) -> str:
    """Return a whole number in decimal digits."""
    if number.bit_length() <= _FEW_BITS:
        return str(number)
    return _show_long(number)


def _show_long(number: int) -> str:
    """Halve the number until its parts are short, and add them up again in decimal numbers.

    Decimal numbers multiply in almost linear time, and have no limit on what they write.
    """
    import decimal  # rarely needed

    powers: dict[int, decimal.Decimal] = {}

    def power(bits: int) -> decimal.Decimal:
        if bits not in powers:
            half = bits // 2
            powers[bits] = (
                decimal.Decimal(1 << bits)
                if bits <= _FEW_BITS
                else power(half) * power(bits - half)
            )
        return powers[bits]

    def convert(part: int, bits: int) -> decimal.Decimal:
        if bits <= _FEW_BITS:
            return decimal.Decimal(part)
        half = bits // 2
        low = part & ((1 << half) - 1)
        return convert(low, half) + convert(part >> half, bits - half) * power(half)

    with decimal.localcontext() as exact:
        exact.prec = decimal.MAX_PREC
        exact.Emax = decimal.MAX_EMAX
        exact.Emin = decimal.MIN_EMIN
        exact.traps[decimal.Inexact] = True
        digits = format(convert(abs(number), number.bit_length()), "f")
    return f"-{digits}" if number < 0 else digits


def read_integer(digits: str) -> int:
    """Return the whole number that a text of decimal digits shows; a `-` may stand before them."""
    if digits.startswith("-"):
        return -read_integer(digits[1:])
    if len(digits) <= _FEW_DIGITS:
        return int(digits)
    half = len(digits) // 2
    shift: int = 10**half
    return read_integer(digits[:-half]) * shift + read_integer(digits[-half:])
