"""Families of programs with templates that grow: the texts of models with any number of agents."""


def chain(rooms: int, systems: int = 1, panel: int = 1) -> str:
    """Return robots in a chain of rooms with guarded last doors; unsafe with the panel in room 1.

    Each security system guards one of the last doors, is switched off in the room with the panel, and is on
    again when somebody gets to the room before its door.
    """
    guarded = {rooms - number: number for number in range(systems)}
    moves: list[str] = []
    shared: list[str] = []
    changes, protocol, own = [], [], []
    for room in range(1, rooms + 1):
        action = f"go{room}"
        guard = f"room = {_room(room - 1)} and Corridor({_room(room - 1)}, {_room(room)})"
        if room in guarded and room >= 2:
            guard += f" and Environment.s{guarded[room]} = false"
        effects = [f"s{guarded[room + 1]} = true"] if room + 1 in guarded else []
        effects += ["armed = true"] if room == rooms else []
        protocol.append(f"    {guard} : {{ {action} }};")
        own.append(f"    room = {_room(room)} if Action = {action};")
        (shared if effects else moves).append(action)
        changes += [f"    {effect} if Action = {action};" for effect in effects]
    for number in range(systems):
        shared.append(f"off{number}")
        protocol.append(f"    room = {_room(panel)} : {{ off{number} }};")
        changes.append(f"    s{number} = false if Action = off{number};")
    last = _room(rooms)
    protocol.append(f"    room = {last} and Environment.armed = true : {{ trap }};")
    own.append("    disabled = true if Action = trap;")
    changes.append("    armed = false if Action = trap;")
    switches = [f"s{number}" for number in range(systems)]
    names = ", ".join(_room(room) for room in range(rooms + 1))
    return "\n".join(
        [
            f"Types Place : {{ {names} }}; end Types",
            "Relations Corridor : Place * Place; end Relations",
            "Environment",
            f"  Vars: {' '.join(f'{name} : boolean;' for name in (*switches, 'armed'))} end Vars",
            f"  Sync = {{ {', '.join((*shared, 'trap'))} }};",
            f"  Protocol: true : {{ {', '.join(shared)} }}; armed = true : {{ trap }}; end Protocol",
            "  Evolution:",
            *changes,
            "  end Evolution",
            "end Environment",
            "Template Robot",
            "  Vars: room : Place; disabled : boolean; end Vars",
            f"  Actions = {{ {', '.join(moves)} }};",
            f"  Sync = {{ {', '.join((*shared, 'trap'))} }};",
            "  Protocol:",
            *protocol,
            "  end Protocol",
            "  Evolution:",
            *own,
            "  end Evolution",
            "end Template",
            "Evaluation",
            f"  bad if exists r : Robot ( r.room = {last} and r.disabled = false",
            "    and Environment.armed = false );",
            "end Evaluation",
            "InitStates",
            " and ".join(
                [
                    *(f"Environment.{name} = true" for name in switches),
                    "Environment.armed = false and Robot.room = start and Robot.disabled = false",
                ]
            )
            + ";",
            "end InitStates",
            "Formulae AG !bad; end Formulae",
            "",
        ]
    )


def _room(number: int) -> str:
    return "start" if number == 0 else f"R{number}"


def panel_last(rooms: int) -> str:
    """Return the chain with the panel in the last room, which nobody can get to: safe."""
    return chain(rooms, 1, rooms)


def guild(templates: int, *, safe: bool = False) -> str:
    """Return templates in a ring, each of which needs the one before it, and as many bits of the environment.

    An agent of template i gets on once bit i is set, which its own kind sets and the kind before it clears,
    and once somebody of the template before it has got to the end. In the safe ring nobody can be the first.
    """
    sets, changes, parts = [], [], []
    for number in range(templates):
        before = number - 1 if number > 0 else templates - 1
        needs = f" and exists j : T{before} ( j.at = last )" if number > 0 or safe else ""
        sets.append(f"set{number}")
        changes.append(f"    x{number} = true if Action = set{number};")
        if templates > 1:
            changes.append(f"    x{(number + 1) % templates} = false if Action = set{number};")
        parts += [
            f"Template T{number}",
            "  Vars: at : { first, ready, last }; end Vars",
            "  Actions = { begin, finish };",
            f"  Sync = {{ set{number} }};",
            "  Protocol:",
            "    at = first : { begin };",
            f"    at = ready and Environment.x{number} = true{needs} : {{ finish }};",
            f"    at = ready : {{ set{number} }};",
            "  end Protocol",
            "  Evolution:",
            "    at = ready if Action = begin;",
            "    at = last if Action = finish;",
            "  end Evolution",
            "end Template",
        ]
    bits = [f"x{number}" for number in range(templates)]
    starts = [f"Environment.{name} = false" for name in bits]
    starts += [f"T{number}.at = first" for number in range(templates)]
    return "\n".join(
        [
            "Environment",
            f"  Vars: {' '.join(f'{name} : boolean;' for name in bits)} end Vars",
            f"  Sync = {{ {', '.join(sets)} }};",
            f"  Protocol: true : {{ {', '.join(sets)} }}; end Protocol",
            "  Evolution:",
            *changes,
            "  end Evolution",
            "end Environment",
            *parts,
            f"Evaluation bad if exists j : T{templates - 1} ( j.at = last ); end Evaluation",
            f"InitStates {' and '.join(starts)}; end InitStates",
            "Formulae AG !bad; end Formulae",
            "",
        ]
    )


def switches(number: int) -> str:
    """Return agents with many Boolean variables: a counter in binary that goes on as others allow. Safe.

    An agent sets its lowest bit that is off and clears those below it, if somebody else has a bit set; so all
    states but those of a first agent wait for each other, and nobody gets to the last state.
    """
    names = [f"b{n}" for n in range(number)]
    protocol, evolution, actions = [], [], []
    for n in range(number):
        low = " and ".join(f"{name} = true" for name in names[:n])
        guard = f"b{n} = false" + (f" and {low}" if low else "")
        if n == number - 1:
            guard += f" and exists j : Node ( j != self and j.b{n} = true )"
        actions.append(f"up{n}")
        protocol.append(f"    {guard} : {{ up{n} }};")
        evolution.append(f"    b{n} = true if Action = up{n};")
        evolution += [f"    {name} = false if Action = up{n};" for name in names[:n]]
    bad = " and ".join(f"j.{name} = true" for name in names)
    start = " and ".join(f"Node.{name} = false" for name in names)
    return "\n".join(
        [
            "Environment",
            "  Vars: on : boolean; end Vars",
            "  Actions = { flip };",
            "  Protocol: true : { flip }; end Protocol",
            "  Evolution: on = true if Action = flip and on = false;",
            "    on = false if Action = flip and on = true; end Evolution",
            "end Environment",
            "Template Node",
            f"  Vars: {' '.join(f'{name} : boolean;' for name in names)} end Vars",
            f"  Actions = {{ {', '.join(actions)} }};",
            "  Protocol:",
            *protocol,
            "  end Protocol",
            "  Evolution:",
            *evolution,
            "  end Evolution",
            "end Template",
            f"Evaluation bad if exists j : Node ( {bad} ); end Evaluation",
            f"InitStates Environment.on = false and {start}; end InitStates",
            "Formulae AG !bad; end Formulae",
            "",
        ]
    )
