"""Numbers of any length as people read them."""

from gnomon.text.numbers import show_integer

#: Longer numbers are told by their size: nobody counts so many digits.
_MOST_DIGITS = 100


def grouped(number: int) -> str:
    """Return a number with its thousands apart; of a very long one, how it begins and how long it is.

    >>> grouped(1234567), grouped(-(10**200))
    ('1,234,567', '-1.000e200')
    """
    if number.bit_length() <= _MOST_DIGITS * 3:
        return f"{number:,}"
    digits = show_integer(abs(number))
    if len(digits) <= _MOST_DIGITS:
        return f"{number:,}"
    return f"{'-' if number < 0 else ''}{digits[0]}.{digits[1:4]}e{len(digits) - 1}"
