"""Where the documentation is, if somebody has said so: messages lead to the pages of their codes."""

import os
import re
from typing import Final

#: The variable of the environment that holds the address of the site; there is none by default.
VARIABLE: Final = "GNOMON_DOCS"
#: Pages on the web or in a folder, with nothing in the address that acts on a terminal or ends a link.
_ADDRESS: Final = re.compile(
    r"(?:https?://[a-z0-9.\-\[\]:]+(?:/[!#-;=?-~]*)?|file://[a-z0-9.\-]*/[!#-;=?-~]*)",
    re.ASCII | re.IGNORECASE,
)
_LONGEST: Final = 2000


def code_address(code: str) -> str | None:
    """Return the address of a code's page; None where no site is known, or what is given is no address.

    >>> os.environ["GNOMON_DOCS"] = "https://gnomon.example/docs/"
    >>> code_address("G0206")
    'https://gnomon.example/docs/reference/codes/G0206.html'
    >>> del os.environ["GNOMON_DOCS"]
    """
    site = os.environ.get(VARIABLE, "")
    if not site or len(site) > _LONGEST or not _ADDRESS.fullmatch(site):
        return None
    return f"{site.rstrip('/')}/reference/codes/{code}.html"
