"""Why a formula has its value, in any format that there is for it."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

from gnomon.results.data import Object
from gnomon.results.formats import VERDICTS
from gnomon.results.render.evidence.view import NothingToDraw, VerdictView
from gnomon.results.styled import StyledText
from gnomon.workbench.asking import strategies_of
from gnomon.workbench.bench import Bench, Handler
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.parameters import Parameters
from gnomon.workbench.verdicts_at_hand import explained_verdict

#: How files of a format end, where that is not the name of the format.
_ENDINGS: Final = {"text": "txt", "tikz": "tex", "mermaid": "mmd", "itf": "itf.json"}
_STRANGE: Final = re.compile(r"[^\w.-]+")


def _explain(bench: Bench, params: Parameters) -> Object:
    model, format_ = bench.model(params), params.text("format")
    if format_ not in VERDICTS:
        raise bad_request(f"`format` is one of {', '.join(VERDICTS)}")
    result = explained_verdict(bench, model, params.text("formula"), strategies_of(params))
    try:
        shown = VERDICTS[format_].explain(VerdictView(result))
    except NothingToDraw as reason:
        # Nobody is at a command line here.
        raise RequestFailed("unable", str(reason).partition(" (--")[0]) from None
    text = shown.plain() if isinstance(shown, StyledText) else shown
    called = f"{PurePath(result.model).stem}-{result.verdicts[0].label}"
    ending = _ENDINGS.get(format_, format_)
    return {"text": text, "name": f"{_STRANGE.sub('_', called).strip('._') or 'model'}.{ending}"}


HANDLERS: Final[Mapping[str, Handler]] = {"model/explain": _explain}
