"""Whatever is checked and found: what a notebook shows of it is whole and harmless."""

from random import Random

from hypothesis import given

import gnomon
from gnomon.checking.check import Options, check
from gnomon.checking.coverage import coverage
from gnomon.model.formula import show_formula
from gnomon.model.system import Specification
from gnomon.results.render.notebook import answer, evidence, model, result
from gnomon.results.render.notebook import coverage as coverage_page
from gnomon.text.source import Source
from tests.notebook_pages import read_page
from tests.populations import random_program
from tests.systems import examples, random_formula, random_system, seeds


@given(seeds)
@examples(60)
def test_models_and_answers_are_shown_whole(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    asked = [random_formula(rng, system) for _ in range(3)]
    found = check(
        system,
        [Specification(each, show_formula(each)) for each in asked],
        Options(engine="explicit", check_deadlock=True, allow=("G0803", "G0804")),
    )
    states = model.states_of(system)

    words = read_page(result.render(found))
    assert all(each.label in words for each in found)
    for verdict in found:
        assert str(verdict.value) in read_page(answer.render(system, verdict))
        if verdict.evidence is not None:
            assert verdict.evidence.kind.capitalize() in read_page(
                evidence.render(system, verdict.evidence)
            )
    if states is not None:
        shown = read_page(model.render("random", system, states))
        assert all(agent.name in shown for agent in system.agents if agent.variables)


@given(seeds)
@examples(20)
def test_coverage_and_templates_are_shown_whole(seed: int) -> None:
    system = random_system(Random(seed))
    opened = gnomon.load_text(random_program(seed))

    assert "coverage" in read_page(coverage_page.render(coverage(system, Source("random", ""))))
    assert "parameterised" in read_page(opened._repr_html_())
    for found in opened.check(timeout=5):
        assert str(found.value) in read_page(found._repr_html_())
