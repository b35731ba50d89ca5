"""The models that are on the bench, by what they say, and what a request may use."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

from gnomon.checking.load import Loaded
from gnomon.editing.analysis import Analysis
from gnomon.model.budget import Budget
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.workbench.failure import RequestFailed
from gnomon.workbench.parameters import Parameters

#: So many models are kept; whoever asks about an older one opens it again.
_MOST_MODELS: Final = 8


@dataclass(frozen=True, eq=False)
class BenchModel:
    """A text that was read, with the number of agents of each template where that is chosen."""

    model_id: str
    loaded: Loaded
    #: What can be walked through; None where there are mistakes, or a number of agents is to be chosen first.
    system: System | None
    population: Mapping[str, int] | None = None

    @cached_property
    def analysis(self) -> Analysis:
        """Return what stands where in the text."""
        return Analysis(self.loaded)

    @cached_property
    def remembered(self) -> dict[Any, Any]:
        """Return what was found out about it, by whoever found it out; it goes with the model."""
        return {}


@dataclass
class Bench:
    """What answers of one process have in common: models, and the limits of the request under way."""

    budget: Budget = field(default_factory=Budget)
    _models: "OrderedDict[str, BenchModel]" = field(default_factory=OrderedDict)

    def put(self, model: BenchModel) -> None:
        """Keep a model; the one that was not used for longest goes."""
        self._models[model.model_id] = model
        self._models.move_to_end(model.model_id)
        while len(self._models) > _MOST_MODELS:
            self._models.popitem(last=False)

    def known(self, model_id: str) -> BenchModel | None:
        """Return a model, if it is still there."""
        found = self._models.get(model_id)
        if found is not None:
            self._models.move_to_end(model_id)
        return found

    def model(self, params: Parameters) -> BenchModel:
        """Return the model that a request is about."""
        found = self.known(params.text("model"))
        if found is None:
            raise RequestFailed("unknown-model", "this model is not open: open its text again")
        return found

    def walkable(self, params: Parameters) -> tuple[BenchModel, System]:
        """Return the same with its system, which has to be there."""
        model = self.model(params)
        if model.system is not None:
            return model, model.system
        if model.loaded.has_errors:
            raise RequestFailed("unable", "nothing can be shown before the mistakes are mended")
        raise RequestFailed("unable", "how many agents? Choose a number for each template first")


#: Answers a request; raises `RequestFailed`, `InputError` or `LimitReached` where it cannot.
Handler: TypeAlias = Callable[[Bench, Parameters], Object]


def digest(*parts: object) -> str:
    """Return what tells these values from others: the same on every machine."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
