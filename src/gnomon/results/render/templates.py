"""A program of templates as text: who there may be, what they have and do, and what is asked."""

from gnomon.model.parameterised.system import OpenSystem


def render_templates(model: str, system: OpenSystem) -> str:
    """Return what a model with templates is."""
    lines = [f"{model}  parameterised: the number of agents is open"]
    for part in (system.environment, *system.templates):
        most = "*" if part.high is None else part.high
        number = "" if part is system.environment else f"  [{part.low}..{most}]"
        lines.append(f"  {part.name}{number}")
        lines += [f"    {variable.name} : {variable.domain}" for variable in part.variables]
        shared = [f"{name} ({system.sync[name]})" for name in part.synchronised]
        lines.append(f"    actions  {', '.join((*part.local, *shared)) or 'none'}")
    for relation in system.relations.values():
        columns = " * ".join(map(str, relation.columns))
        result = f" -> {relation.result}" if relation.result else ""
        lines.append(f"  relation {relation.name} : {columns}{result}")
    for index, question in enumerate(system.questions, 1):
        lines.append(f"  {index}  {' '.join(question.text.split())}")
    return "\n".join(lines) + "\n"
