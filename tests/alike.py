"""Random systems of agents that are alike, nearly alike, or alike but for where they sit in a ring."""

from random import Random

#: What an agent may look at: itself, and its seat if it sees that.
_OWN = ("x = true", "x = false", "Environment.seat{i} = true", "Environment.seat{i} = false")


def random_alike(rng: Random, size: int) -> str:
    """Return a program; in every other one somebody or something differs a little."""
    ring = rng.random() < 0.3
    first = rng.choice([0, 1, 5])
    numbers = list(range(first, first + size))
    odd = rng.choice(numbers) if rng.random() < 0.5 else None
    how = rng.choice(["line", "sees", "starts"])
    seen = rng.choice(["own", "others", "none"])
    public = seen == "none" and rng.random() < 0.5
    own = _OWN if public or seen == "own" else _OWN[:2]
    conditions = {key: rng.choice(own) for key in ("may", "on", "off")}
    if rng.random() < 0.5:  # otherwise little happens
        conditions = {"may": "x = false", "on": "x = false", "off": "x = true"}
    shared = rng.random() < 0.5
    numbered = rng.random() < 0.4

    def go(i: int) -> str:
        return f"go{i}" if numbered else "go"

    def stay(i: int) -> str:
        return f"stay{i}" if numbered else "stay"

    agents, table, seats = [], [], []
    for i in numbers:
        after = numbers[(numbers.index(i) + 1) % size]
        mine = dict(conditions)
        if i == odd and how == "line":
            mine[rng.choice(list(mine))] = rng.choice(own)
        mine = {key: text.format(i=i) for key, text in mine.items()}
        sees = {
            "own": f"  Lobsvars = {{seat{i}}};",
            "others": f"  Lobsvars = {{{', '.join(f'seat{j}' for j in numbers if j != i)}}};",
            "none": "",
        }[seen if i != odd or how != "sees" or public or seen == "own" else "none"]
        near = f" and Player{after}.Action = {go(after)}" if ring else ""
        agents.append(
            f"Agent Player{i}\n{sees}\n  Vars: x : boolean; end Vars\n  Actions = {{{go(i)}, {stay(i)}}};\n"
            f"  Protocol: {mine['may']} : {{{go(i)}, {stay(i)}}};"
            f" Other : {{{stay(i)}}}; end Protocol\n"
            f"  Evolution: x = true if Action = {go(i)} and {mine['on']}{near};"
            f" x = false if Action = {stay(i)} and {mine['off']}; end Evolution\nend Agent"
        )
        table.append(f"seat{i} : boolean;")
        seats.append(f"seat{i} = true if Player{i}.Action = {go(i)};")
        if shared:
            other = after if ring else i
            seats.append(f"seat{i} = false if Player{other}.Action = {stay(other)};")
    winner = rng.choice(["", f"winner : {{{', '.join(f'w{i}' for i in numbers)}, nobody}};"])
    if winner:
        seats += [
            f"winner = w{i} if Player{i}.Action = {go(i)} and winner = nobody;" for i in numbers
        ]
    loose = rng.random() < 0.5
    starts = {i: "true" if i == odd and how == "starts" else "false" for i in numbers}
    initial = [f"Environment.seat{i} = {starts[i]}" for i in numbers]
    initial += [] if loose else [f"Player{i}.x = false" for i in numbers]
    initial += ["Environment.winner = nobody"] if winner else []
    section = "Obsvars" if public else "Vars"
    newline = "\n"
    semantics = rng.choice(["MultiAssignment", "SingleAssignment"])
    return f"""Semantics = {semantics};
Agent Environment
  {section}:
    {newline.join([*table, winner])}
  end {section}
  Actions = {{tick}};
  Protocol: Other : {{tick}}; end Protocol
  Evolution:
    {newline.join(seats)}
  end Evolution
end Agent
{newline.join(agents)}
Evaluation
{newline.join(f"  p{i} if Player{i}.x = true; q{i} if Environment.seat{i} = true;" for i in numbers)}
{newline.join(f"  w{i} if Environment.winner = w{i};" for i in numbers) if winner else ""}
end Evaluation
InitStates
  {" and ".join(initial)};
end InitStates
Groups
{newline.join(f"  g{i} = {{Player{i}, Player{numbers[(numbers.index(i) + 1) % size]}}};" for i in numbers)}
end Groups
Formulae
{newline.join(f"  {text};" for text in _asked(rng, numbers, winner=bool(winner)))}
end Formulae
"""


def _asked(rng: Random, numbers: list[int], *, winner: bool) -> list[str]:
    shapes = [
        "EF (p{i} and !q{j})",
        "AG (p{i} -> K(Player{i}, q{j}))",
        "AG (q{i} -> q{j})",
        "<g{i}>F p{j}",
        "<g{i}>G (p{i} or q{j})",
        "EF (K(Player{i}, q{j}) and p{j})",
        "AG !GK(g{i}, q{j})",
        "AF p{i}",
        "DK(g{i}, q{i})",
        *(["EF (w{i} and p{j})", "AG (w{i} -> K(Player{j}, w{i}))"] if winner else []),
    ]
    chosen = rng.sample(shapes, 2)
    pairs = [(i, j) for i in numbers for j in numbers]
    return [shape.format(i=i, j=j) for shape in chosen for i, j in pairs]
