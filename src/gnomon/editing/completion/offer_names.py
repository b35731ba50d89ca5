"""What may stand in lists, as a member of a group, and as the target of an assignment."""

from gnomon.editing.completion.items import CompletionKind
from gnomon.editing.completion.names import KnownAgent
from gnomon.editing.completion.offers import BEST, FAIR, GOOD, Offers
from gnomon.model.agent import ENVIRONMENT


def offer_listed(offers: Offers) -> None:
    """Offer what is not yet in a list: actions, or variables that are observed."""
    site = offers.site
    own, listed = site.own, set(site.reading.top.listed)
    match site.inside.section:
        case "Protocol":
            if own is not None:
                for name in own.actions:
                    if name not in listed:
                        offers.action(BEST, own, name)
        case "Lobsvars":
            for variable in site.names.environment.variables.values():
                if variable.name not in listed and not variable.observed:
                    offers.variable(BEST, variable)
        case "Actions":
            _new_actions(offers, own, listed)
        case "Sync":
            _joint_actions(offers, own, listed)
        case _:
            pass


def offer_leaders(offers: Offers) -> None:
    """Offer the actions that others may follow: those that the environment does with agents."""
    environment = offers.site.names.environment
    for name in environment.together:
        offers.action(BEST, environment, name)


def offer_lists(offers: Offers) -> None:
    """Offer whole lists where a line of a protocol wants one."""
    site = offers.site
    if site.inside.section == "Protocol" and site.own is not None:
        for name, indices in site.own.actions.items():
            if not indices:
                detail = f"action of {site.own.name}"
                offers.add(BEST, name, CompletionKind.ACTION, detail, insert=f"{{ {name} }}")


def _new_actions(offers: Offers, own: KnownAgent | None, listed: set[str]) -> None:
    """Offer actions that a protocol uses and no list declares, and those of others that act together."""
    names = offers.site.names
    if own is not None:
        for name in own.used:
            if name not in own.actions and name not in listed:
                offers.name(BEST, name, CompletionKind.ACTION, "used in the protocol")
    if names.semantics == "Interleaved":
        for agent in names.agents.values():
            for name in agent.actions:
                if agent is not own and name not in listed:
                    offers.action(GOOD, agent, name)


def _joint_actions(offers: Offers, own: KnownAgent | None, listed: set[str]) -> None:
    """Offer what others do together: the environment with the templates."""
    names = offers.site.names
    environment = own is not None and own.name == ENVIRONMENT
    for agent in names.players if environment else (names.environment,):
        for name in agent.together:
            if name not in listed:
                offers.action(BEST, agent, name)


def offer_members(offers: Offers) -> None:
    """Offer who may act or know something here: agents, and groups where a group is wanted."""
    site = offers.site
    reading, names = site.reading, site.names
    frame = reading.top
    single = frame.kind == "modality" and frame.word in ("K", "O")
    # The members of a group that is being defined are agents, and what is taken away may be a group.
    defined = frame.kind == "members" and site.inside.section == "Groups" and frame.word != "\\"
    grouped = not single and not defined
    listed = set() if single else set(frame.listed)
    if grouped:
        for name, group in names.groups.items():
            if name not in listed:
                offers.name(
                    BEST,
                    name,
                    CompletionKind.GROUP,
                    "group",
                    names.shown(group.span),
                    indices=len(group.name.indices),
                )
        offers.add(GOOD, "all", CompletionKind.GROUP, "all agents but the environment")
    for agent in names.players:
        if agent.name not in listed or agent.indices:
            offers.agent(BEST if single else GOOD, agent)
    if ENVIRONMENT not in listed:
        offers.agent(FAIR, names.environment)
    offers.indices(BEST, names.templates)


def offer_targets(offers: Offers) -> None:
    """Offer the variables that a line may assign: the agent's own, each once."""
    own, assigned = offers.site.own, offers.site.reading.line.listed
    if own is None:
        return
    for variable in own.variables.values():
        if variable.name not in assigned:
            offers.variable(BEST, variable)
