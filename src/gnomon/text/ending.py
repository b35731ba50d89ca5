"""How a program hears that it is to end."""


class Terminated(BaseException):
    """Somebody asked the program to end: it tidies up, keeps what was decided, and ends with status 143."""
