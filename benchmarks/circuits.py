"""Circuits of many shared gates, each a definition: python benchmarks/circuits.py GATES [SEED].

Every gate uses the one before it and another nearby: written out, the last one would have more operands than
there are atoms. Prints how long the circuit takes to load (CPU time) and to check (wall time), in seconds.
"""

import sys
import time
from random import Random

LATCHES = 12


def circuit(gates: int, seed: int = 1) -> str:
    """Return a program whose latches follow the last gates of a random circuit."""
    random = Random(seed)
    latches = [f"Environment.l{number}" for number in range(LATCHES)]
    lines = []
    for gate in range(gates):
        near = f"g{random.randrange(max(0, gate - 40), gate)}" if gate else latches[0]
        other = near if random.random() < 0.8 else random.choice(latches)
        before = f"g{gate - 1}" if gate else latches[1]
        signs = [random.choice(["", "!"]) for _ in range(2)]
        word = random.choice(["and", "or"])
        lines.append(f"  g{gate} := {signs[0]}{before} {word} {signs[1]}{other};")
    late = range(gates * 9 // 10, gates)
    updates = []
    for number in range(LATCHES):
        update = f"g{random.choice(late)} or Player.Action = on"
        updates.append(f"    l{number} = true if {update};")
        updates.append(f"    l{number} = false if !({update});")
    newline = "\n"
    return f"""Semantics = SingleAssignment;

Definitions
{newline.join(lines)}
end Definitions

Agent Environment
  Vars:
{newline.join(f"    l{number} : boolean = false;" for number in range(LATCHES))}
  end Vars
  Actions = {{ tick }};
  Protocol:
    Other : {{ tick }};
  end Protocol
  Evolution:
{newline.join(updates)}
  end Evolution
end Agent

Agent Player
  Actions = {{ on, off }};
  Protocol:
    Other : {{ on, off }};
  end Protocol
end Agent

Formulae
  EF g{gates - 1};
  AG !g{gates - 1};
end Formulae
"""


def main() -> None:
    """Load and check a circuit, and say how long it took."""
    from gnomon.checking.check import check
    from gnomon.checking.load import load_text

    numbers = [int(word) for word in sys.argv[1:]] or [10_000]
    text = circuit(*numbers)
    start = time.process_time()
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    read = time.process_time()
    wall = time.monotonic()
    result = check(loaded.system, None)
    verdicts = ", ".join(str(verdict.value) for verdict in result)
    print(f"load {read - start:.2f} s, check {time.monotonic() - wall:.2f} s: {verdicts}")


if __name__ == "__main__":
    main()
