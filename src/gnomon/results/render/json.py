"""Results as JSON: one object for one model, an array for several."""

import json

from gnomon.checking.verdict import Result
from gnomon.results.data import of_result


def render(results: list[Result]) -> str:
    """Return the results as indented JSON."""
    objects = [of_result(result) for result in results]
    return dumps(objects[0] if len(objects) == 1 else objects)


def dumps(value: object) -> str:
    """Return any value as we print JSON: indented, letters as they are, with a last line end."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
