"""A sliding window over a channel that loses: benchmarks/window.py MESSAGES [DEPTH] > MODEL.

One agent has messages of one bit each, another one learns them in order, in packets with numbers that take
as many steps as the channel is deep and may be lost, as may what says that they came. Diagrams have to tie
every message to every packet; invariants that are clauses do not.
"""

import sys


def environment(n: int, depth: int) -> list[str]:
    """Return the channels: a packet moves on in each step."""
    cells = range(1, depth + 1)
    lines = ["Agent Environment", "  Vars:"]
    lines += [f"    packet{k} : {{ none, zero, one }}; number{k} : 0..{n};" for k in cells]
    lines += [f"    back{k} : 0..{n};" for k in cells]
    lines += ["  end Vars", "  Actions = { both, there, home, neither };"]
    lines += ["  Protocol: Other : { both, there, home, neither }; end Protocol", "  Evolution:"]
    there = "(Action = both or Action = there)"
    for bit in ("zero", "one"):
        sent = " or ".join(f"Sender.Action = {bit}{i}" for i in range(1, n + 1))
        lines.append(f"    packet1 = {bit} if {there} and ({sent});")
    lines.append(f"    packet1 = none if !{there} or Sender.Action = rest;")
    for i in range(1, n + 1):
        lines.append(f"    number1 = {i} if Sender.Action = zero{i} or Sender.Action = one{i};")
        lines.append(
            f"    back1 = {i} if (Action = both or Action = home) and Receiver.Action = got{i};"
        )
    lines.append("    back1 = 0 if Action = there or Action = neither or Receiver.Action = rest;")
    for k in cells[1:]:
        for name in ("packet", "number", "back"):
            lines.append(f"    {name}{k} = {name}{k - 1} if number1 >= 0;")
    return [*lines, "  end Evolution", "end Agent"]


def sender(n: int, depth: int) -> list[str]:
    """Return who has the messages: it goes back to the first that is not known to have come."""
    lines = ["Agent Sender", f"  Lobsvars = {{ back{depth} }};", "  Vars:"]
    lines += [f"    message{i} : boolean;" for i in range(1, n + 1)]
    lines += [f"    come : 0..{n}; next : 1..{n};", "  end Vars"]
    acts = [f"{bit}{i}" for i in range(1, n + 1) for bit in ("zero", "one")]
    lines += [f"  Actions = {{ {', '.join(acts)}, rest }};", "  Protocol:"]
    for i in range(1, n + 1):
        for bit, value in (("zero", "false"), ("one", "true")):
            lines.append(
                f"    next = {i} and message{i} = {value} and come < {n} : {{ {bit}{i} }};"
            )
    lines += ["    Other : { rest };", "  end Protocol", "  Evolution:"]
    back = f"Environment.back{depth}"
    lines += [f"    come = {i} if {back} = {i} and come < {i};" for i in range(1, n + 1)]
    lines.append(f"    next = next + 1 if next < come + {depth} and next < {n};")
    lines.append(f"    next = come + 1 if !(next < come + {depth} and next < {n}) and come < {n};")
    return [*lines, "  end Evolution", "end Agent"]


def receiver(n: int, depth: int) -> list[str]:
    """Return who learns the messages in order, and says how far that has come."""
    lines = ["Agent Receiver", f"  Lobsvars = {{ packet{depth}, number{depth} }};", "  Vars:"]
    lines += [f"    has{i} : {{ none, zero, one }};" for i in range(1, n + 1)]
    acts = [f"got{i}" for i in range(1, n + 1)]
    lines += ["  end Vars", f"  Actions = {{ {', '.join(acts)}, rest }};", "  Protocol:"]
    for i in range(1, n + 1):
        more = f" and has{i + 1} = none" if i < n else ""
        before = f"!(has{i} = none)"
        lines.append(f"    {before}{more} : {{ got{i} }};")
    lines += ["    has1 = none : { rest };", "  end Protocol", "  Evolution:"]
    for i in range(1, n + 1):
        before = f" and !(has{i - 1} = none)" if i > 1 else ""
        for bit in ("zero", "one"):
            lines.append(
                f"    has{i} = {bit} if has{i} = none{before}"
                f" and Environment.number{depth} = {i} and Environment.packet{depth} = {bit};"
            )
    return [*lines, "  end Evolution", "end Agent"]


def formulae(n: int) -> list[str]:
    """Return what is asked: who knows which message, who knows of whom, and who does not."""
    either = "(K(Receiver, zero1) or K(Receiver, one1))"
    return [
        "AG (Receiver.has1 = one -> K(Receiver, one1));",
        f"AG (Receiver.has{n} = one -> K(Receiver, one{n}));",
        "AG (Sender.come >= 1 -> K(Sender, !(Receiver.has1 = none)));",
        f"AG (Sender.come >= 1 -> K(Sender, {either}));",
        f"AG (Receiver.has{n} = one -> K(Receiver, Sender.come >= {n - 1}));",
        "AG (Receiver.has1 = one -> K(Receiver, K(Sender, !(Receiver.has1 = none))));",
        f"AG ((Sender.come >= 1 and Receiver.has{n} = none) -> K(Sender, Receiver.has{n} = none));",
    ]


def program(n: int, depth: int) -> str:
    """Return the program."""
    cells = range(1, depth + 1)
    starts = [f"Environment.packet{k} = none and Environment.number{k} = 0" for k in cells]
    starts += [f"Environment.back{k} = 0" for k in cells]
    starts += ["Sender.come = 0 and Sender.next = 1"]
    starts += [f"Receiver.has{i} = none" for i in range(1, n + 1)]
    known = [
        f"  one{i} if Sender.message{i} = true; zero{i} if Sender.message{i} = false;"
        for i in range(1, n + 1)
    ]
    lines = ["Semantics = SingleAssignment;", *environment(n, depth), *sender(n, depth)]
    lines += [*receiver(n, depth), "Evaluation", *known, "end Evaluation"]
    lines += [f"InitStates {' and '.join(starts)}; end InitStates"]
    lines += ["Formulae", *(f"  {each}" for each in formulae(n)), "end Formulae"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    messages, *rest = map(int, sys.argv[1:])
    print(program(messages, rest[0] if rest else 3), end="")
