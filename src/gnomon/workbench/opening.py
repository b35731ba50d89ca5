"""Texts become models: read, and with a number of agents where one is chosen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gnomon.checking.load import Loaded, limited, load_source
from gnomon.checking.populating import (
    WalkedPopulation,
    populate,
    template_facts,
    template_propositions,
)
from gnomon.editing.analysis import Analysis, WrittenFormula, read_open_text
from gnomon.editing.fingerprint import formula_keys
from gnomon.model.any import AnySpecification
from gnomon.model.translation import CannotExport
from gnomon.results.data import Object, of_diagnostic
from gnomon.results.formula_reading import read_aloud
from gnomon.results.styled import squeeze
from gnomon.text.numbers import read_integer
from gnomon.workbench.bench import Bench, BenchModel, Handler, digest
from gnomon.workbench.cards import (
    ProgramPlaces,
    agent_cards,
    base_name,
    condition_text,
    template_cards,
)
from gnomon.workbench.failure import RequestFailed, bad_request
from gnomon.workbench.parameters import Parameters, exact

#: A constant with more digits than these is a mistake.
_MOST_DIGITS: Final = 4_000
_MOST_NAME: Final = 1_000


def _open(bench: Bench, params: Parameters) -> Object:
    text, name, constants = params.text("text"), params.text("name"), _constants(params)
    if len(name) > _MOST_NAME:
        raise bad_request("`name` is a short text")
    key = digest(text, constants, None)
    known = bench.known(key)
    if known is None or known.loaded.source.name != name:
        with limited(bench.budget):
            loaded = _read(text, name, constants)
            known = BenchModel(key, loaded, loaded.system)
            _ = known.analysis.diagnostics  # they take time, too
        bench.put(known)
    bench.budget.check("reading")
    return opened(known)


def _read(text: str, name: str, constants: Mapping[str, int]) -> Loaded:
    source = read_open_text(text, name)
    return source.loaded if isinstance(source, Analysis) else load_source(source, constants)


def _constants(params: Parameters) -> dict[str, int]:
    """Return the constants that are set; numbers that a browser cannot hold are texts of digits."""
    given = params.raw("constants")
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise bad_request("`constants` is an object of whole numbers")
    return {str(name): _constant(value) for name, value in given.items()}


def _constant(value: object) -> int:
    if type(value) is int:
        return value
    if isinstance(value, str) and len(value) <= _MOST_DIGITS:
        digits = value.removeprefix("-")
        if digits.isascii() and digits.isdecimal():
            return read_integer(value)
    raise bad_request("`constants` is an object of whole numbers")


def _populate(bench: Bench, params: Parameters) -> Object:
    base = bench.model(params)
    if base.loaded.has_errors:
        raise RequestFailed("unable", "nobody can be there before the mistakes are mended")
    return opened(with_population(bench, base, params.counts("population")))


def with_population(bench: Bench, base: BenchModel, numbers: Mapping[str, int]) -> BenchModel:
    """Return the model with so many agents of each template, and keep it on the bench."""
    try:
        with limited(bench.budget):
            found = populate(base.loaded, numbers)
    except CannotExport as reason:
        raise RequestFailed("unable", str(reason)) from None
    loaded = base.loaded
    key = digest(loaded.source.text, dict(loaded.constants), dict(found.numbers))
    model = bench.known(key)
    if model is None or model.loaded.source.name != loaded.source.name:
        model = BenchModel(key, loaded, found.system, dict(found.numbers))
        model.remembered[WalkedPopulation] = found
        bench.put(model)
    return model


def opened(model: BenchModel) -> Object:
    """Return what is to be known of a model before anything is asked."""
    loaded, analysis, system = model.loaded, model.analysis, model.system
    found: Object = {
        "model": model.model_id,
        "name": loaded.source.name,
        "kind": loaded.kind,
        "has_errors": loaded.model is None,
        "diagnostics": [of_diagnostic(item) for item in analysis.diagnostics],
        "constants": [],
        "agents": [],
        "propositions": [],
        "groups": {},
        "formulae": [],
        "templates": [],
        "population": None if model.population is None else dict(model.population),
        "can_walk": system is not None,
        "interleaved": system is not None and system.interleaved,
    }
    if loaded.model is None:
        return found
    places = ProgramPlaces(analysis.source, analysis.program)
    facts = template_facts(loaded)
    constants = [{"name": name, "value": value} for name, value in loaded.in_force]
    found["constants"] = exact(constants)
    found["templates"] = [
        {"name": each.name, "low": each.low, "high": each.high}
        for each in facts
        if each.is_template
    ]
    found["propositions"] = list(_propositions(model, places))
    found["formulae"] = list(_formulae(model))
    if system is None:
        found["agents"] = template_cards(facts, places)
        return found
    population: WalkedPopulation | None = model.remembered.get(WalkedPopulation)
    found["agents"] = agent_cards(system, places, population.template_of if population else {})
    found["groups"] = {name: list(group.members) for name, group in system.groups.items()}
    return found


def _propositions(model: BenchModel, places: ProgramPlaces) -> Iterator[Object]:
    lines = places.propositions()
    texts = template_propositions(model.loaded)
    if model.system is not None:
        texts = {name: condition_text(what) for name, what in model.system.propositions.items()}
    for name, text in texts.items():
        yield {"name": name, "text": text, "line": lines.get(base_name(name))}


def _formulae(model: BenchModel) -> Iterator[Object]:
    """Yield the formulae; those about a population are told as they were read, with its agents' names."""
    analysis, written = model.analysis, {}
    for each in analysis.written:
        written.update(dict.fromkeys(each.numbers, each))
    keys = formula_keys(analysis)
    if model.population is None:
        whole = model.loaded.model
        asked: Sequence[AnySpecification] = () if whole is None else whole.specifications
        for number, item in enumerate(asked, 1):
            key = digest(*keys[number]) if number in keys else ""
            yield _formula(number, item, squeeze(item.text), key, analysis, written.get(number))
        return
    by_line = {analysis.source.line_of(each.line.span): each for each in written.values()}
    source = next(iter(keys.values()), ("",))[0]
    for number, item in enumerate(model.system.specifications if model.system else (), 1):
        key = digest(source, dict(model.population), item.logic, item.parsed)
        yield _formula(number, item, item.parsed, key, analysis, by_line.get(item.line))


def _formula(
    number: int,
    item: AnySpecification,
    text: str,
    key: str,
    analysis: Analysis,
    written: WrittenFormula | None,
) -> Object:
    source = analysis.source
    line = item.line if written is None else source.line_of(written.span)
    end = item.line if written is None else source.location(written.span.end).line
    return {
        "number": number,
        "name": item.name,
        "label": item.name or str(number),
        "text": text,
        "line": line,
        "end_line": max(line, end),
        "expected": item.expected or "true",
        "declared": item.expected is not None,
        "has_coalition": item.has_coalition,
        "reading": "" if written is None else read_aloud(written.line, source),
        "key": key,
    }


HANDLERS: Final[Mapping[str, Handler]] = {"model/open": _open, "model/populate": _populate}
