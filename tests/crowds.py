"""Random systems of crowds: members alike or nearly so, and somebody who watches them."""

from random import Random

_OWN = ("x = 1", "x = 0", "x <= 1")
_SEAT = ("{seat} = 1", "{seat} = 0")
_TOGETHER = ("{some_go}", "{all_stay}", "x <= 1", "x <= 2")
_SEATS = ("{load} <= 1", "{load} > 0")


def random_crowd(rng: Random, size: int) -> str:
    """Return a program of so many players, with formulae; in every fourth one somebody differs."""
    first = rng.choice([0, 1, 4])
    numbers = list(range(first, first + size))
    odd = rng.choice(numbers) if rng.random() < 0.25 else None
    numbered = rng.random() < 0.5
    pointer = rng.choice(["none", "name", "number", "number"])
    picks = pointer != "none" and rng.random() < 0.8
    seen = rng.choice(["own", "others", "all", "none", "sel" if pointer != "none" else "none"])
    own = [
        *_OWN,
        *(_SEAT if seen in {"own", "all"} else ()),
        *(_SEATS if seen == "all" else ()),
        *(["{called}"] if seen == "sel" else []),
    ]
    together = [*own, *_TOGETHER, *([] if picks else ["Environment.Action = tock"])]
    calls = rng.random() < 0.5
    together += [] if calls else ["Watcher.Action = call"]

    def value(i: int) -> str:
        return f"m{i}" if pointer == "name" else str(i)

    def go(i: int) -> str:
        return f"go{i}" if numbered else "go"

    def fill(text: str, i: int) -> str:
        others = [j for j in numbers if j != i]
        return text.format(
            seat=f"Environment.seat{i}",
            called=f"Environment.sel = {value(i)}",
            some_go="(" + " or ".join(f"Player{j}.Action = {go(j)}" for j in others) + ")",
            all_stay="(" + " and ".join(f"Player{j}.Action = stay" for j in others) + ")",
            load="+".join(f"Environment.seat{j}" for j in numbers),
        )

    lines = {"may": rng.choice(own), "on": rng.choice(together), "off": rng.choice(together)}
    up, most = rng.choice([("x + 1", 1), ("x + 1", 2), ("1", 1), ("2", 2)])
    other = "" if rng.random() < 0.15 else "Other : {stay};"
    agents = []
    for i in numbers:
        mine = dict(lines)
        if i == odd:
            mine[rng.choice(list(mine))] = rng.choice(own)
        mine = {key: fill(text, i) for key, text in mine.items()}
        sees = {
            "own": [f"seat{i}"],
            "others": [f"seat{j}" for j in numbers if j != i],
            "all": [f"seat{j}" for j in numbers],
            "none": [],
            "sel": ["sel"],
        }[seen]
        agents.append(
            _agent(
                f"Player{i}",
                sees,
                f"x : 0..{most};",
                [go(i), "stay"],
                f"{mine['may']} : {{{go(i)}, stay}}; {other}",
                f"x = {up} if Action = {go(i)} and {mine['on']};"
                f" x = 0 if Action = stay and {mine['off']};",
            )
        )
    if picks:
        actions = [f"pick{i}" for i in numbers]
        changes = [
            f"sel = {value(i)} and seat{i} = 1 if Action = pick{i} and Player{i}.Action = {go(i)};"
            f" sel = {value(i)} if Action = pick{i} and Player{i}.Action = stay;"
            for i in numbers
        ]
    else:
        actions = ["tick", "tock"]
        changes = [
            f"seat{i} = 1 if Player{i}.Action = {go(i)};"
            f" seat{i} = 0 if Player{i}.Action = stay and Action = tock;"
            for i in numbers
        ]
    semantics = "MultiAssignment" if picks else rng.choice(["SingleAssignment", "MultiAssignment"])
    watched = rng.choice([[], [f"seat{j}" for j in numbers], ["sel"] if pointer != "none" else []])
    calling = [*([f"call{i}" for i in numbers] if calls else ["call"]), "wait"]
    heard = (
        [f"heard = true if Action = call{i} and Player{i}.Action = stay;" for i in numbers]
        if calls
        else ["heard = true if Action = call;"]
    )
    agents.append(
        _agent(
            "Watcher",
            watched,
            "heard : boolean;",
            calling,
            f"heard = false : {{{', '.join(calling)}}}; Other : {{wait}};",
            " ".join(heard),
        )
    )
    sel = {
        "none": "",
        "name": f"sel : {{{', '.join(f'm{i}' for i in numbers)}, nobody}};",
        "number": f"sel : {first - 1}..{numbers[-1]};",
    }[pointer]
    names = " ".join(
        f"p{i} if Player{i}.x = 1; q{i} if Environment.seat{i} = 1;"
        + (f" s{i} if Environment.sel = {value(i)};" if sel else "")
        for i in numbers
    )
    initial = _initial(
        rng, numbers, nobody=("nobody" if pointer == "name" else first - 1) if sel else None
    )
    fair = rng.choice(
        [
            "",
            "",
            " ".join(f"{'s' if sel else 'q'}{i};" for i in numbers),
            " ".join(f"!p{i};" for i in numbers),
            f"!p{first};",
            "!heard;",
        ]
    )
    asked = [random_formula(rng, numbers, pointer=bool(sel)) for _ in range(6)]
    line = "\n"
    everybody = ", ".join(f"Player{i}" for i in numbers)
    return f"""Semantics = {semantics};
Agent Environment
  Vars: {" ".join(f"seat{i} : 0..1;" for i in numbers)} {sel} end Vars
  Actions = {{{", ".join(actions)}}};
  Protocol: Other : {{{", ".join(actions)}}}; end Protocol
  Evolution: {line.join(changes)} end Evolution
end Agent
{line.join(agents)}
Evaluation heard if Watcher.heard = true; {names} end Evaluation
InitStates {" and ".join(initial)}; end InitStates
Groups all = {{{everybody}}}; both = {{{everybody}, Watcher}}; one = {{Player{first}, Watcher}}; end Groups
{f"Fairness {fair} end Fairness" if fair else ""}
Formulae
{line.join(f"  {each};" for each in asked)}
end Formulae
"""


def _agent(
    name: str, sees: list[str], variables: str, actions: list[str], protocol: str, evolution: str
) -> str:
    seen = f"  Lobsvars = {{{', '.join(sees)}}};\n" if sees else ""
    return (
        f"Agent {name}\n{seen}  Vars: {variables} end Vars\n  Actions = {{{', '.join(actions)}}};\n"
        f"  Protocol: {protocol} end Protocol\n  Evolution: {evolution} end Evolution\nend Agent"
    )


def _initial(rng: Random, numbers: list[int], nobody: object) -> list[str]:
    found = ["Watcher.heard = false"] if rng.random() < 0.9 else []
    if rng.random() < 0.6:
        found += [f"Player{i}.x = 0" for i in numbers]
    seats = [f"Environment.seat{i}" for i in numbers]
    found += rng.choice(
        [
            [f"{seat} = 0" for seat in seats],
            [f"{seat} = 0" for seat in seats],
            ["(" + " or ".join(f"{seat} = 1" for seat in seats) + ")"],
            ["+".join(seats) + " = 1"],
            [],
        ]
    )
    if nobody is not None and rng.random() < 0.7:
        found.append(f"Environment.sel = {nobody}")
    return found or ["Watcher.heard = Watcher.heard"]


def random_formula(rng: Random, numbers: list[int], *, pointer: bool) -> str:
    """Return a formula, most of them symmetric but for one or two players."""
    named = rng.sample(numbers, rng.choice([0, 0, 0, 1, 1, 2]))

    def condition() -> str:
        letters = ["p", "q", *(["s"] if pointer else [])]
        letter = rng.choice(letters)
        each = [f"{letter}{i}" for i in numbers]
        shapes = ["heard", f"({' and '.join(each)})", f"({' or '.join(each)})"]
        other = rng.choice(letters)
        shapes.append("(" + " and ".join(f"({letter}{i} -> {other}{i})" for i in numbers) + ")")
        shapes += [f"{rng.choice(letters)}{i}" for i in named] * 2
        return rng.choice(shapes)

    def formula(depth: int) -> str:
        if depth == 0 or rng.random() < 0.15:
            return condition()
        inner, second = formula(depth - 1), formula(depth - 1)
        knower = rng.choice(["Watcher", "Environment", *(f"Player{i}" for i in named)])
        who = rng.choice(["all", "both", "Watcher", *(f"Player{i}" for i in named)])
        several = rng.choice(["all", "both", *(["one"] if numbers[0] in named else [])])
        return rng.choice(
            [
                f"!({inner})",
                f"({inner} and {second})",
                f"({inner} -> {second})",
                f"EX ({inner})",
                f"AX ({inner})",
                f"EF ({inner})",
                f"AG ({inner})",
                f"AF ({inner})",
                f"EG ({inner})",
                f"E(({inner}) U ({second}))",
                f"A(({inner}) U ({second}))",
                f"K({knower}, {inner})",
                f"K({knower}, {inner})",
                f"GK({several}, {inner})",
                f"GCK({several}, {inner})",
                f"DK({several}, {inner})",
                f"<{who}>X ({inner})",
                f"<{who}>F ({inner})",
                f"<{who}>G ({inner})",
            ]
        )

    if rng.random() < 0.15:  # of all paths that do not end, in LTL and CTL*
        shape = rng.choice(
            [
                *("LTL G F ({0})", "LTL F G ({0})", "LTL G (({0}) -> F ({1}))", "LTL X X ({0})"),
                *("LTL ({0}) U ({1})", "CTL* E (G F ({0}))", "CTL* A (F G ({0}))"),
                *("CTL* E (X ({0}) and F ({1}))", "CTL* E (G (({0}) -> X ({1})))"),
                *("CTL* K(Watcher, E (F G ({0})))", "AF<=2 ({0})", "EG[1, 3] ({0})"),
                *("E(({0}) U<=2 ({1}))", "<Watcher>F<=2 ({0})"),
            ]
        )
        return shape.format(condition(), condition())
    return formula(rng.choice([1, 2, 2, 3]))


_PRISONER = """
Agent P{i}
  Lobsvars = {{light}};
  Vars: done : boolean; been : boolean; end Vars
  Actions = {{on, skip}};
  Protocol: done = false : {{on}}; Other : {{skip}}; end Protocol
  Evolution:
    done = true and been = true if Environment.Action = pick{i} and Environment.light = false and Action = on;
    been = true if Environment.Action = pick{i} and !(Environment.light = false and Action = on);
  end Evolution
end Agent
"""
_PRISON = """
Agent Environment
  Vars: light : boolean; sel : 0..{n}; end Vars
  Actions = {{{picks}}};
  Protocol: Other : {{{picks}}}; end Protocol
  Evolution:
    sel = 1 and light = false if Action = pick1 and P1.Action = off;
    sel = 1 if Action = pick1 and !(P1.Action = off);
    {calls}
  end Evolution
end Agent
Agent P1
  Lobsvars = {{light}};
  Vars: count : 0..{others}; announced : boolean; end Vars
  Actions = {{off, announce}};
  Protocol: count = {others} : {{announce}}; Other : {{off}}; end Protocol
  Evolution:
    count = count + 1
      if Environment.Action = pick1 and Environment.light = true and Action = off and count < {others};
    announced = true if Action = announce;
  end Evolution
end Agent
{prisoners}
Evaluation
  announced if P1.announced = true;
  all if {been};
  {called}
end Evaluation
InitStates
  Environment.light = false and Environment.sel = 0 and P1.count = 0 and P1.announced = false and {fresh};
end InitStates
Groups g = {{P1, {names}}}; end Groups
Fairness {fair} end Fairness
Formulae
  AG (announced -> all);
  AF announced;
  AG (announced -> K(P1, all));
  EF (all and !K(P1, all));
  AG (announced -> GCK(g, all));
end Formulae
"""


def prisoners(n: int) -> str:
    """Return so many prisoners with one lamp, of whom the first counts and the others are alike."""
    alike = range(2, n + 1)
    return _PRISON.format(
        n=n,
        others=n - 1,
        picks=", ".join(f"pick{i}" for i in range(1, n + 1)),
        calls=" ".join(
            f"sel = {i} and light = true if Action = pick{i} and light = false and P{i}.Action = on;"
            f" sel = {i} if Action = pick{i} and !(light = false and P{i}.Action = on);"
            for i in alike
        ),
        prisoners="".join(_PRISONER.format(i=i) for i in alike),
        been=" and ".join(f"P{i}.been = true" for i in alike),
        called=" ".join(f"s{i} if Environment.sel = {i};" for i in range(1, n + 1)),
        fresh=" and ".join(f"P{i}.done = false and P{i}.been = false" for i in alike),
        names=", ".join(f"P{i}" for i in alike),
        fair=" ".join(f"s{i};" for i in range(1, n + 1)),
    )
