"""Safety games as circuits, in ISPL: python benchmarks/games.py FOLDER [--limit S] [--engine E].

Reads games in the ASCII format AIGER (`*.aag`), as the synthesis competition publishes them: latches, inputs
of which some are `controllable_…`, gates, and one bad output. Each input is an agent with two actions, each
gate that is used more than once a definition. The environment chooses first and knows nothing of the answer,
so the controllers win where the others cannot enforce the bad output: `!<others>F bad`.

Prints the verdict beside the one that the file tells, and the CPU time of the whole command.
With `--write FOLDER`, only writes the programs.
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple


class Circuit(NamedTuple):
    """Literals are numbers: twice a variable, plus one where it is negated."""

    inputs: list[int]
    #: Each latch with what it becomes.
    latches: dict[int, int]
    bad: int
    #: Each gate with its two operands.
    gates: dict[int, tuple[int, int]]
    controllable: frozenset[int]


def read(text: str) -> Circuit:
    """Read a circuit."""
    lines = text.splitlines()
    head, *counts = lines[0].split()
    if head != "aag":
        msg = "not in the ASCII format"
        raise ValueError(msg)
    _, inputs, latches, outputs, gates, *rest = map(int, counts)
    if outputs + sum(rest[:1]) != 1:
        msg = "not exactly one output"
        raise ValueError(msg)
    rows = [
        [int(word) for word in line.split()] for line in lines[1 : 1 + sum(map(int, counts[1:6]))]
    ]
    first, second, third = inputs, inputs + latches, inputs + latches + 1
    names = [re.match(r"i(\d+) controllable_", line) for line in lines[third + gates :]]
    ins = [row[0] for row in rows[:first]]
    return Circuit(
        ins,
        {row[0]: row[1] for row in rows[first:second]},
        rows[second][0],
        {row[0]: (row[1], row[2]) for row in rows[third : third + gates]},
        frozenset(ins[int(name[1])] for name in names if name),
    )


class Program:
    """A circuit as a program."""

    def __init__(self, circuit: Circuit) -> None:
        """Find out which gates are used more than once."""
        self.circuit = circuit
        roots = [*circuit.latches.values(), circuit.bad]
        ends = [*roots, *(end for pair in circuit.gates.values() for end in pair)]
        used = Counter(end & ~1 for end in ends)
        self.shared = {gate for gate in circuit.gates if used[gate] > 1}
        self.definitions: dict[int, str] = {}
        self.texts: dict[int, str] = {}

    def literal(self, literal: int) -> str:
        """Return a literal as an expression."""
        circuit, base = self.circuit, literal & ~1
        if base == 0:
            atom = "Environment.bad = Environment.bad"
            return f"!({atom})" if literal == 0 else f"({atom})"
        if base in circuit.latches:
            return f"Environment.l{base} = {'false' if literal & 1 else 'true'}"
        if base in circuit.gates:
            return f"!{self.gate(base)}" if literal & 1 else self.gate(base)
        side = "c" if base in circuit.controllable else "u"
        return f"{side}{base}.Action = {'off' if literal & 1 else 'on'}"

    def gate(self, gate: int) -> str:
        """Return a gate as an expression, by name where it is shared."""
        if gate not in self.texts:
            pair = self.circuit.gates[gate]
            text = f"({' and '.join(self.literal(end) for end in pair)})"
            if gate in self.shared:
                self.definitions[gate] = f"  g{gate} := {text};"
                text = f"g{gate}"
            self.texts[gate] = text
        return self.texts[gate]

    def write(self) -> str:
        """Return the program."""
        circuit = self.circuit
        for gate in sorted(circuit.gates):  # operands come first, so that nothing nests deeply
            if gate in self.shared:
                self.gate(gate)
        updates = []
        for name, becomes in [
            *((f"l{key}", to) for key, to in circuit.latches.items()),
            ("bad", circuit.bad),
        ]:
            text = self.literal(becomes)
            updates += [f"    {name} = true if {text};", f"    {name} = false if !({text});"]
        agents = [
            ("c" if each in circuit.controllable else "u") + str(each) for each in circuit.inputs
        ]
        others = [name for name in agents if name[0] == "u"]
        variables = [*(f"l{latch}" for latch in circuit.latches), "bad"]
        definitions = ["Definitions", *self.definitions.values(), "end Definitions"]
        return "\n".join(
            [
                "Semantics = SingleAssignment;",
                *(definitions if self.definitions else []),
                "Agent Environment",
                "  Vars:",
                *(f"    {name} : boolean = false;" for name in variables),
                "  end Vars",
                "  Actions = { tick };",
                "  Protocol:",
                "    Other : { tick };",
                "  end Protocol",
                "  Evolution:",
                *updates,
                "  end Evolution",
                "end Agent",
                *(
                    f"Agent {name}\n  Actions = {{ off, on }};\n  Protocol:\n    Other : {{ off, on }};\n"
                    "  end Protocol\nend Agent"
                    for name in agents
                ),
                "Evaluation\n  bad if Environment.bad = true;\nend Evaluation",
                f"Groups\n  others = {{ {', '.join(['Environment', *others])} }};\nend Groups",
                "Formulae\n  safe : !<others>F bad;\nend Formulae\n",
            ]
        )


def told(text: str) -> str:
    """Return the verdict that a file tells."""
    status = re.search(r"STATUS\s*:\s*(\w+)", text)
    return {"realizable": "true", "unrealizable": "false"}.get(status[1] if status else "", "?")


def solve(program: Path, limit: float, engine: str) -> tuple[str, float]:
    """Return the verdict of the whole command, and its CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "gnomon", "check", str(program), "--engine", engine]
    command += ["--timeout", str(limit), "--no-evidence"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = re.findall(
        r"(\d+) (true|false|unknown)", done.stdout.splitlines()[-1] if done.stdout else ""
    )
    return found[0][1] if found else done.stderr.strip()[-60:] or "?", seconds


def main() -> int:
    """Write or solve all games of a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    wrong = undecided = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.write or Path(scratch)
        for path in sorted(arguments.folder.glob("*.aag")):
            text = path.read_text(encoding="utf-8", errors="replace")
            circuit = read(text)
            program = folder / f"{path.stem.replace('-', '_')}.ispl"
            program.write_text(Program(circuit).write(), encoding="utf-8")
            if arguments.write:
                continue
            found, seconds = solve(program, arguments.limit, arguments.engine)
            expected = told(text)
            mark = " " if found == expected else "?" if found == "unknown" else "!"
            wrong += mark == "!" and expected != "?"
            undecided += mark == "?"
            sizes = f"{len(circuit.latches):4} latches {len(circuit.gates):5} gates"
            print(f"{mark} {path.stem:40} {sizes}  {found:8} {seconds:7.2f} s", flush=True)
    print(f"{wrong} wrong, {undecided} undecided")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
