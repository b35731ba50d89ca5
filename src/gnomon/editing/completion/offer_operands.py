"""What a condition or a value may begin with, by what it is compared with, and what follows `Agent.`."""

from collections.abc import Iterable

from gnomon.editing.completion.items import CompletionKind
from gnomon.editing.completion.names import KnownAgent, KnownVariable
from gnomon.editing.completion.offers import BEST, FAIR, GOOD, RARE, WORD, Offers
from gnomon.editing.completion.site import Category, Site, category
from gnomon.editing.completion.terms import ReadOperand
from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT


def offer_operands(offers: Offers) -> None:
    """Offer what may be read at a place, what fits to the other side of a comparison first."""
    site = offers.site
    expected, wanted = site.expected, site.wanted
    offer_values(offers, expected)
    if site.constant:
        if wanted in (None, "number"):
            offers.constants(GOOD)
            if site.inside.section == "Template":
                offers.parameters(GOOD)
        _indices(offers, wanted)
        if wanted == "number":
            offers.place(RARE, "number")
        return
    if wanted == "agents":
        _others(offers)
        return
    if site.own is not None and site.inside.part:
        _own_variables(offers, site.own, wanted)
    _action(offers, wanted)
    offer_agents(offers)
    offer_definitions(offers, wanted)
    _relations(offers, wanted)
    _indices(offers, wanted)
    if wanted in (None, "number"):
        offers.constants(RARE if wanted is None else FAIR)
        if site.inside.section != "Evolution":
            offers.parameters(BEST if site.inside.section == "Assume" else FAIR)
    _words(offers, wanted)


def offer_values(offers: Offers, expected: ReadOperand | None) -> None:
    """Offer the values of what stands on the other side: of a variable, a type, what an agent does."""
    site = offers.site
    if expected is None:
        return
    if expected.kind == "action":
        agent = site.own if expected.owner is None else site.agent(expected.owner)
        for name in agent.actions if agent is not None else ():
            assert agent is not None
            offers.action(BEST, agent, name)
        return
    variable = site.variable(expected)
    whose = "" if variable is None else f" of {variable.name}"
    offers.values(BEST, site.type_of(expected), whose)


def _own_variables(offers: Offers, own: KnownAgent, wanted: Category | None) -> None:
    expected = offers.site.expected
    compared = "" if expected is None or expected.owner is not None else expected.name
    for variable in fitting(offers.site, own.variables.values(), wanted):
        # What is compared with itself tells nothing, but what is assigned often depends on itself.
        itself = variable.name == compared and offers.site.reading.line.part != 1
        offers.variable(FAIR if itself else GOOD, variable)


def fitting(
    site: Site, variables: Iterable[KnownVariable], wanted: Category | None
) -> list[KnownVariable]:
    """Return the variables that can be compared with what stands on the other side."""
    found = []
    values = _names_of(site.type_of(site.expected))
    for variable in variables:
        type_ = site.looked_up(variable.type)
        kind = category(type_)
        if wanted is None or kind is None or kind == wanted:
            shared = values & _names_of(type_)
            if wanted != "names" or kind is None or shared or not values:
                found.append(variable)
    return found


def _names_of(type_: syntax.Type | None) -> set[str]:
    if isinstance(type_, syntax.EnumerationType):
        return {name.text for name in type_.values}
    return set()


def _action(offers: Offers, wanted: Category | None) -> None:
    """Offer what this agent does, where that may be looked at."""
    site = offers.site
    if site.own is None or not site.actions or not site.own.actions:
        return
    if wanted is None and site.reading.line.part == 2:
        offers.add(
            BEST, "Action", CompletionKind.KEYWORD, f"what {site.own.name} does", insert="Action = "
        )
    elif wanted in (None, "names"):
        offers.add(FAIR, "Action", CompletionKind.KEYWORD, f"what {site.own.name} does, as a value")


def offer_agents(offers: Offers) -> None:
    """Offer the agents of which something may be read here that fits."""
    site = offers.site
    for agent in site.names.agents.values():
        acts = site.acts(agent) and site.wanted in (None, "names")
        if acts or fitting(site, readable(site, agent), site.wanted):
            offers.agent(FAIR if site.inside.part and agent.name != ENVIRONMENT else GOOD, agent)


def readable(site: Site, agent: KnownAgent) -> list[KnownVariable]:
    """Return the variables of an agent that are in sight here, and are written with its name."""
    own, names, section = site.own, site.names, site.inside.section
    if section == "Axioms":
        return []
    if own is None or not site.inside.part:
        # With templates `Person.x` is the variable of each person at the start, and in what one knows.
        known = agent.kind != "template" or section in ("InitStates", "Formulae")
        return list(agent.variables.values()) if known else []
    if agent.name != ENVIRONMENT or agent is own:
        return []
    return names.seen(own)


def offer_definitions(offers: Offers, wanted: Category | None) -> None:
    """Offer the definitions that may stand here."""
    site = offers.site
    names = site.names
    reader = site.own if site.inside.part else None
    visible = names.visible_definitions(reader, actions=site.actions)
    if site.defined is not None:
        visible &= site.defined  # each may use those before it
    for name, definition in names.definitions.items():
        if name not in visible or not offers.admits(name):
            continue
        kind = category(site.expression_type(definition.body))
        if wanted is None or kind is None or kind == wanted:
            offers.name(
                GOOD,
                name,
                CompletionKind.DEFINITION,
                "definition",
                names.shown(definition.span),
                indices=len(definition.name.indices),
            )


def _relations(offers: Offers, wanted: Category | None) -> None:
    site = offers.site
    if not site.names.templates or site.inside.section == "Formulae":
        return
    for name, relation in site.names.relations.items():
        kind = site.category(ReadOperand("applied", name))
        if wanted is None or kind == wanted:
            columns = ", ".join(column.text for column in relation.columns)
            fields = ", ".join(
                f"${{{number}:{column.text.lower()}}}"
                for number, column in enumerate(relation.columns, 1)
            )
            with_places = offers.snippets and site.following != "("
            offers.add(
                FAIR,
                name,
                CompletionKind.RELATION,
                f"relation of {columns}",
                site.names.shown(relation.span),
                insert=f"{name}({fields})" if with_places else name,
                is_snippet=with_places,
            )


def _indices(offers: Offers, wanted: Category | None) -> None:
    """Offer the indices that may stand here as values, or before a dot."""
    site = offers.site
    if wanted in (None, "number"):
        offers.indices(GOOD, ("",))
    if not site.names.templates:
        return
    domains = set(site.reading.bound.values()) - {""}
    if wanted is None:
        offers.indices(BEST, domains)
    else:
        # `i.x` may be anything; a value runs through the type that it is of.
        of_kind = {each for each in domains if category(site.names.types.get(each)) == wanted}
        offers.indices(GOOD, of_kind | (domains & site.names.templates))
    inside_template = site.own is not None and site.own.kind == "template"
    if wanted is None and inside_template and domains & site.names.templates:
        offers.add(FAIR, "self", CompletionKind.INDEX, "this agent")


def _others(offers: Offers) -> None:
    """Offer what an index that stands for an agent is compared with."""
    site = offers.site
    expected = site.expected
    agent = None if expected is None else site.agent(expected.name)
    offers.indices(BEST, () if agent is None else (agent.name,))
    if agent is not None and agent is site.own:
        offers.add(BEST, "self", CompletionKind.INDEX, "this agent")


def _words(offers: Offers, wanted: Category | None) -> None:
    """Offer the words that a condition or a value may begin with."""
    if wanted in (None, "boolean"):
        offers.words(WORD, ("true", "false"))
        offers.place(WORD, "quantifier")
    if wanted in (None, "number"):
        offers.place(WORD, "number")
    offers.place(RARE, "condition")


def offer_attributes(offers: Offers) -> None:
    """Offer what may follow `Agent.`, and nothing that is hidden here."""
    site = offers.site
    owner = site.reading.last
    agent = None if owner is None else site.agent(owner.name)
    if agent is None:
        return
    in_sight = _attributes(site, agent)
    chosen = fitting(site, in_sight, site.wanted) or in_sight
    for variable in chosen:
        offers.variable(BEST, variable)
    if site.acts(agent):
        assigning = site.inside.section == "Evolution" and site.reading.line.part == 1
        insert = "Action" if assigning or site.wanted is not None else "Action = "
        rank = GOOD if chosen else BEST
        offers.add(rank, "Action", CompletionKind.KEYWORD, f"what {agent.name} does", insert=insert)
    if site.inside.section == "Formulae" and agent.kind != "template" and site.wanted is None:
        for word in ("GreenStates", "RedStates"):
            offers.add(RARE, word, CompletionKind.KEYWORD, f"of {agent.name}")


def _attributes(site: Site, agent: KnownAgent) -> list[KnownVariable]:
    """Return the variables that may follow the name of an agent, or an index that stands for one."""
    owner = site.reading.last
    indexed = owner is not None and (owner.name in site.reading.bound or owner.name == "self")
    if indexed or agent is site.own:
        return list(agent.variables.values())
    return readable(site, agent)
