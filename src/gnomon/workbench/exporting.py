"""Pictures and whole sessions as files."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from gnomon.model.agent import IDLE
from gnomon.model.budget import LimitReached
from gnomon.results import phrases
from gnomon.results.data import Object
from gnomon.results.drawing.diagram import WIDE, BoxDiagram, DiagramEdge, DiagramNode
from gnomon.results.render import diagram_svg
from gnomon.results.render.notices import as_html
from gnomon.results.render.svg_pieces import document
from gnomon.results.styled import wrap
from gnomon.text.numbers import show_integer
from gnomon.version import __version__
from gnomon.workbench.bench import Bench, BenchModel, Handler
from gnomon.workbench.drawing_data import PICTURE_FORMATS, picture_text
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.graphs import graph_of
from gnomon.workbench.parameters import Parameters, read_given_run
from gnomon.workbench.reads import reads_diagram
from gnomon.workbench.replaying import Replayer
from gnomon.workbench.session_page import (
    SessionTold,
    ToldStep,
    ToldVerdict,
    ToldWalk,
    session_page,
)

#: Makes the picture that some parameters ask for.
DiagramMaker: TypeAlias = Callable[[Bench, Parameters], BoxDiagram]

_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME: Final = 60
_MOST_VERDICTS: Final = 2_000
_MOST_WALKS: Final = 200
_MOST_STEPS: Final = 20_000
_MOST_AGENTS: Final = 2_000
_MOST_ROUNDS: Final = 200
#: The part of the time for looking at walks once more, and what is left of it for the picture.
_REPLAYING: Final = 0.3
_DRAWING: Final = 0.8


def _states(bench: Bench, params: Parameters) -> BoxDiagram:
    return graph_of(bench, params)[1]


def _who_reads(bench: Bench, params: Parameters) -> BoxDiagram:
    return reads_diagram(bench.model(params))


def _game(bench: Bench, params: Parameters) -> BoxDiagram:
    from gnomon.workbench.playing import play_diagram  # whoever wants it has played before

    return play_diagram(bench, params)


def _rounds(bench: Bench, params: Parameters) -> BoxDiagram:
    """Return the rounds in which the numbers of a model were cut, one box each, as they are given."""
    del bench
    boxes = []
    for number, each in enumerate(_objects(params, "rounds", _MOST_ROUNDS)):
        given = Parameters(each)
        told = [*wrap(given.text("words", ""), WIDE), *given.texts("cuts")]
        lines = tuple(part for line in told for part in wrap(line, WIDE, "  "))
        boxes.append(DiagramNode(number, given.text("title"), lines, initial=number == 0))
    edges = tuple(DiagramEdge(node.number, node.number + 1) for node in boxes[:-1])
    return BoxDiagram(params.text("title", "cells"), tuple(boxes), edges)


_DIAGRAMS: Final[Mapping[str, DiagramMaker]] = {
    "graph": _states,
    "reads": _who_reads,
    "play": _game,
    "rounds": _rounds,
}


def _drawing(bench: Bench, params: Parameters) -> Object:
    what, format_ = params.text("what"), params.text("format")
    inner = Parameters(params.raw("params"))
    if format_ not in PICTURE_FORMATS:
        raise bad_request(f"`format` is one of {', '.join(PICTURE_FORMATS)}")
    maker = _DIAGRAMS.get(what)
    if maker is None:
        raise bad_request(f"`what` is one of {', '.join(_DIAGRAMS)}")
    text = picture_text(maker(bench, inner), format_, bench.budget)
    return {"text": text, "name": f"{_stem(bench.model(inner))}-{what}.{PICTURE_FORMATS[format_]}"}


def _stem(model: BenchModel) -> str:
    """Return how files about a model are called: by its name, in signs that every system takes."""
    name = model.loaded.source.name.replace("\\", "/").rpartition("/")[2].removesuffix(".ispl")
    return _NAME.sub("-", name).strip("-")[:_LONGEST_NAME] or "model"


def _page(bench: Bench, params: Parameters) -> Object:
    model = bench.model(params)
    loaded = model.loaded
    picture, missing = _picture(bench, params)
    told = SessionTold(
        loaded.source.name,
        list(_facts(model, params.text("strategies", ""))),
        loaded.source.text,
        params.text("notes", ""),
        as_html(model.analysis.diagnostics),
        [_verdict(each) for each in _objects(params, "verdicts", _MOST_VERDICTS)],
        list(_walks(bench, model, _objects(params, "walks", _MOST_WALKS))),
        picture,
        missing,
    )
    bench.budget.check("writing")
    return {"text": session_page(told), "name": f"{_stem(model)}.html"}


def _facts(model: BenchModel, strategies: str) -> Iterator[str]:
    yield f"Gnomon {__version__}"
    yield model.loaded.kind
    if model.population is not None:
        yield ", ".join(f"{number} of {name}" for name, number in model.population.items())
    yield from phrases.constants(model.loaded.in_force)
    if strategies:
        yield phrases.reading(strategies, brief=True)


def _objects(params: Parameters, name: str, most: int) -> list[Mapping[str, Any]]:
    """Return a list of objects; none where it is not there."""
    found = params.raw(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise bad_request(f"`{name}` is a list of objects")
    if len(found) > most:
        raise bad_request(f"`{name}` has no more than {most:,} of them")
    return found


def _verdict(data: Mapping[str, Any]) -> ToldVerdict:
    inner = data.get("data")
    if not isinstance(inner, Mapping):
        raise bad_request("a verdict is an object with its `data`")
    remarks = [_word(inner, "reason")]
    if _word(inner, "vacuous"):
        remarks.append(f"vacuous: {_word(inner, 'vacuous')}")
    line = inner.get("line")
    return ToldVerdict(
        _word(inner, "name") or str(_number(inner, "index")),
        _word(inner, "text"),
        _word(inner, "verdict") or "unknown",
        _word(inner, "expected"),
        "; ".join(filter(None, remarks)),
        line if type(line) is int and line > 0 else 0,
        _word(data, "story"),
    )


def _word(data: Mapping[str, Any], name: str) -> str:
    found = data.get(name)
    return found if isinstance(found, str) else ""


def _number(data: Mapping[str, Any], name: str) -> int:
    found = data.get(name)
    return found if type(found) is int else 0


# Walks


def _walks(bench: Bench, model: BenchModel, walks: list[Mapping[str, Any]]) -> Iterator[ToldWalk]:
    left = _MOST_STEPS
    for each in walks:
        run = each.get("run")
        if not isinstance(run, Mapping) or not isinstance(run.get("steps"), list):
            raise bad_request("a walk is an object with its run")
        left -= len(run["steps"])
        if left < 0:
            raise bad_request(f"all walks together have no more than {_MOST_STEPS:,} steps")
        loop = run.get("loop")
        yield ToldWalk(
            _word(each, "title") or "a walk",
            [_step(step) for step in run["steps"]],
            _looked_at(bench, model, run),
            loop if type(loop) is int and 0 <= loop < len(run["steps"]) else None,
            None if run.get("back") is None else _step(run["back"]),
        )


def _looked_at(bench: Bench, model: BenchModel, run: Mapping[str, Any]) -> str:
    """Return what is wrong with a walk: nobody is to take for one of the model's what is none."""
    if model.system is None:
        return "It was not looked at again: how many agents there are is open in this model."
    if not run["steps"]:
        return ""
    budget = bench.budget.share(_REPLAYING)
    try:
        found = Replayer(model.system, budget, anywhere=True).replay(
            read_given_run(run, model.system)
        )
    except RequestFailed as failed:
        return f"This is no walk through this model: {failed}."
    except LimitReached as limit:
        return f"It was not looked at again: {limit}."
    if found.broken is None:
        return ""
    return f"This is no walk through this model from state {found.broken} on: {found.reason}."


def _step(data: object) -> ToldStep:
    if not isinstance(data, Mapping) or not isinstance(data.get("state"), Mapping):
        raise bad_request("a step is an object with its state")
    state = data["state"]
    if len(state) > _MOST_AGENTS or not all(isinstance(each, Mapping) for each in state.values()):
        raise bad_request("a state is an object: values by agent and variable")
    values = {
        str(agent): {str(name): _value(value) for name, value in inner.items()}
        for agent, inner in state.items()
    }
    actions = data.get("actions")
    if actions is None:
        return ToldStep(None, values)
    if not isinstance(actions, Mapping):
        raise bad_request("actions are an object: the action of each agent")
    done = {str(agent): str(action) for agent, action in actions.items() if action != IDLE}
    return ToldStep(done, values, _lines(data.get("lines")))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return show_integer(value) if isinstance(value, int) else str(value)


def _lines(data: object) -> str:
    if not isinstance(data, Mapping):
        return ""
    given = (each for some in data.values() if isinstance(some, list) for each in some)
    numbers = sorted({each for each in given if type(each) is int and each > 0})
    return f"line {', '.join(map(str, numbers))}" if numbers else ""


# The picture


def _picture(bench: Bench, params: Parameters) -> tuple[str, str]:
    """Return the picture as an element of a page, or why there is none."""
    if not params.has("graph"):
        return "", ""
    inner = params.raw("graph")
    if not isinstance(inner, Mapping):
        raise bad_request("`graph` is an object")
    whole = bench.budget
    try:
        bench.budget = whole.share(_DRAWING)
        diagram = graph_of(bench, Parameters({"model": params.text("model"), **inner}))[1]
        drawn = diagram_svg.draw(diagram, bench.budget)
    except LimitReached as limit:
        return "", f"There is no picture: {limit}."
    finally:
        bench.budget = whole
    return document(diagram.title, [drawn], "page"), ""


HANDLERS: Final[Mapping[str, Handler]] = {"export/drawing": _drawing, "export/page": _page}
