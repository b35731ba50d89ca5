"""A population of any size as a program about which local states are occupied."""

from gnomon.checking.translation import GIVE_A_NUMBER, CannotExport, Occupancy
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.folding import folded
from gnomon.model.parameterised.instance import NotFinite
from gnomon.model.parameterised.system import Part, Safety
from gnomon.results.export.ispl import Export, render
from gnomon.results.export.population import as_asked, check_size, without_idle_facts
from gnomon.text.limits import room_to_recurse


def export_occupancy(occupancy: Occupancy, model: str) -> Export:
    """Return the program that can reach what any number of agents can."""
    system, counts = occupancy.population, occupancy.sizes
    check_size(system, counts, (*counts.items(), (ENVIRONMENT, 1)))
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(occupancy.system()))
            written, notes = as_asked(written)
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    header = [
        f"Exported by Gnomon from {model}, for any number of agents.",
        "Kept is where there are agents at all: what can be reached is what any number of agents can reach.",
        *(_legend(part) for part in system.templates),
    ]
    safety = [question for question in system.questions if isinstance(question.query, Safety)]
    left_out = len(system.questions) - len(safety)
    warnings: tuple[str, ...] = ()
    if left_out:
        if not safety:
            raise CannotExport(
                "sets of agents do not say what a single one knows, and the model asks nothing else: "
                f"{GIVE_A_NUMBER}"
            )
        said = "Formulae about knowledge are left out: sets of agents do not say what a single one knows."
        header.append(said)
        warnings = (said,)
    return Export(render(written, header, notes), warnings)


def _legend(part: Part) -> str:
    shown = ", ".join(variable.name for variable in part.variables)
    name = "_".join([part.name, *(f"<{variable.name}>" for variable in part.variables)])
    return f"{name}: whether some {part.name} has these values of {shown or 'nothing'}."
