"""Formulae that are asked about a model on the bench: those of its text, and others that somebody types."""

from dataclasses import replace

from gnomon.checking.load import Loaded, read_formula, read_specification
from gnomon.checking.populating import about_population
from gnomon.model.any import AnySpecification
from gnomon.model.formula import And
from gnomon.model.system import Specification
from gnomon.results.styled import squeeze
from gnomon.workbench.bench import BenchModel


def readable(model: BenchModel) -> Loaded:
    """Return the program as formulae are read with it: about the agents that there are."""
    if model.population is None or model.system is None:
        return model.loaded
    return about_population(model.loaded, model.system)


def specification_of(model: BenchModel, text: str) -> Specification:
    """Return a formula about the states of a model that can be walked through.

    What stands in the text is meant as it stands there: a question about any agent of a template is one about
    each of those that there are. Raises `InputError` where it cannot be read.
    """
    system = model.system
    assert system is not None
    wanted = squeeze(text)
    same = [each for each in system.specifications if wanted in (squeeze(each.text), each.parsed)]
    meanings = dict.fromkeys(each.formula for each in same)
    if len(meanings) == 1:
        return same[0]
    if same and len({each.logic for each in same}) == 1:
        return replace(same[0], formula=And(tuple(meanings)), name="")
    return read_formula(readable(model), text)


def question_of(model: BenchModel, text: str) -> AnySpecification:
    """Return a formula about a model as a whole; one about any number of agents where none is chosen."""
    if model.system is not None:
        return specification_of(model, text)
    whole = model.loaded.model
    wanted = squeeze(text)
    for each in () if whole is None else whole.specifications:
        if squeeze(each.text) == wanted:
            return each
    return read_specification(model.loaded, text)
