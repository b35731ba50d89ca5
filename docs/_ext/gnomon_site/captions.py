"""The names of files above the programs that are saved in them."""

import re

_SAVED = re.compile(
    r"^(?P<fence>`{3,})(?P<language>[\w-]+) (?:\S+ )*?file=(?P<name>\S+).*$", re.MULTILINE
)


def caption_files(text: str) -> str:
    r"""Return a page whose blocks `ispl file=door.ispl` show the name of the file.

    >>> print(caption_files("```ispl file=door.ispl\nAgent …\n```"))
    ```{code-block} ispl
    :caption: door.ispl
    <BLANKLINE>
    Agent …
    ```
    """
    return _SAVED.sub(r"\g<fence>{code-block} \g<language>\n:caption: \g<name>\n", text)
