"""Two secret numbers whose product is made public bit by bit: benchmarks/product.py BITS > MODEL.

No order of variables keeps the diagram of a product small (Bryant 1991), so that the reachable states cannot
be had; what an observer knows of the factors can be, where it takes little of the product.
"""

import sys


def program(bits: int) -> str:
    """Return the program: numbers of so many bits are multiplied by adding and doubling."""
    most = 2**bits - 1
    places = range(1, bits + 1)
    taken = [
        f"    sum = sum + term if step = {place - 1} and bit{place} = true;" for place in places
    ]
    lines = [
        "Semantics = SingleAssignment;",
        "Agent Environment",
        f"  Obsvars: sum : 0..{most * most}; step : 0..{bits}; end Obsvars",
        "  Vars:",
        f"    left : 0..{most}; term : 0..{most * 2**bits};",
        *(f"    bit{place} : boolean;" for place in places),
        "  end Vars",
        "  Evolution:",
        *taken,
        f"    term = term + term if step < {bits};",
        f"    step = step + 1 if step < {bits};",
        "  end Evolution",
        "end Agent",
        "Agent Observer",
        "  Vars: idle : boolean; end Vars",
        "  Actions = { watch };",
        "  Protocol: Other : { watch }; end Protocol",
        "  Evolution: idle = false if Action = watch; end Evolution",
        "end Agent",
        "Evaluation",
        f"  done if Environment.step = {bits};",
        "  odd if Environment.sum mod 2 = 1;",
        "  quarter if Environment.sum mod 4 = 0;",
        "  left_odd if Environment.left mod 2 = 1;",
        "  right_odd if Environment.bit1 = true;",
        "end Evaluation",
        "InitStates",
        "  Environment.sum = 0 and Environment.step = 0 and Observer.idle = false and",
        "  Environment.term = Environment.left;",
        "end InitStates",
        "Formulae",
        "  AG (done and odd -> K(Observer, left_odd and right_odd));",
        "  AG (done and quarter -> K(Observer, !left_odd));",
        "  AG (done and Environment.sum = 15 -> K(Observer, Environment.left = 3));",
        "end Formulae",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
