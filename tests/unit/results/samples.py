"""A small model and hand-made results about it, for tests of what is printed."""

from functools import cache

from gnomon.checking.load import load_text
from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.model.budget import LimitReached
from gnomon.model.evidence import (
    Branch,
    Choice,
    Clash,
    Clashes,
    Defence,
    DefenceAnswer,
    Evidence,
    Explanation,
    Rule,
    Run,
    Step,
    Strategy,
)
from gnomon.model.step import initial_states, moves
from gnomon.model.system import System

MODEL = """\
-- A sender tells a bit over a channel that may lose it.
Agent Environment
  Vars:
    channel : {up, down};
  end Vars
  Actions = {work, fail};
  Protocol:
    channel = up or channel = down: {work, fail};
  end Protocol
  Evolution:
    channel = up if Action = work;
    channel = down if Action = fail;
  end Evolution
end Agent

Agent Sender
  Vars:
    bit : boolean;
    ack : boolean;
  end Vars
  Actions = {send, wait};
  Protocol:
    ack = false: {send};
    ack = true: {wait};
  end Protocol
  Evolution:
    ack = true if Receiver.Action = reply and Environment.Action = work;
  end Evolution
end Agent

Agent Receiver
  Vars:
    got : {nothing, zero, one};
  end Vars
  Actions = {idle, reply};
  Protocol:
    got = nothing: {idle};
    Other: {reply};
  end Protocol
  Evolution:
    got = zero if got = nothing and Sender.bit = false and Environment.Action = work;
    got = one if got = nothing and Sender.bit = true and Environment.Action = work;
  end Evolution
end Agent

Evaluation
  received if Receiver.got = zero or Receiver.got = one;
  acknowledged if Sender.ack = true;
  bit if Sender.bit = true;
end Evaluation

InitStates
  Environment.channel = up and Sender.ack = false and Receiver.got = nothing;
end InitStates

Groups
  both = {Sender, Receiver};
end Groups

Formulae
  AG(acknowledged -> K(Sender, received));
  AF received;
  AG(received -> K(Sender, received));
  <both> F acknowledged;
end Formulae
""".replace("Sender.bit = false and Env", "Sender.Action = send and Env").replace(
    "Sender.bit = true and Env", "Sender.Action = send and Env"
)


@cache
def system() -> System:
    """Return the model."""
    loaded = load_text(MODEL, "bits.ispl")
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def run(*wishes: str, bit: bool = False, loop: int | None = None) -> Run:
    """Return the run in which the environment does what is wished, step by step.

    `got` follows the wish "work zero" or "work one". With `loop`, the last wish closes the loop.
    """
    state = next(state for state in initial_states(system()) if state[1] is bit)
    steps = [Step(state)]
    for wish in wishes:
        action, _, got = wish.partition(" ")
        move = next(
            move
            for move in moves(system(), state)
            if move.actions[0] == action and move.target and (not got or move.target[3] == got)
        )
        assert move.target is not None
        lines = tuple(tuple(line.line for line in local.lines) for local in move.alternatives)
        state = move.target
        steps.append(Step(state, move.actions, lines))
    if loop is None:
        return Run(tuple(steps))
    *steps, back = steps
    assert back.state == steps[loop].state
    return Run(tuple(steps), loop, back)


def counterexample() -> Evidence:
    """Return why the sender need not know what was received."""
    other = Explanation(
        "K(Sender, received)",
        False,
        "Sender does not know received: it cannot tell this state from one where received is false",
        "knowledge",
        ("Sender",),
        run("fail"),
        (Branch(1, Explanation("received", False, "received is false")),),
    )
    inner = Explanation(
        "(received -> K(Sender, received))",
        False,
        "received is true here",
        branches=(Branch(0, other),),
    )
    outer = Explanation(
        "AG (received -> K(Sender, received))",
        False,
        "a run reaches a state where (received -> K(Sender, received)) is false",
        "time",
        (),
        run("work zero"),
        (Branch(1, inner),),
    )
    return Evidence("counterexample", outer)


def lasso() -> Evidence:
    """Return a run on which nothing is ever received."""
    why = Explanation(
        "AF received",
        False,
        "on this run received is never true",
        "time",
        (),
        run("fail", "fail", loop=1),
    )
    return Evidence("counterexample", why)


def strategy() -> Evidence:
    """Return what both can do."""
    rows = tuple(
        Choice(
            (("Sender.ack", ack), ("Receiver.got", got)),
            (("Sender", "wait" if ack == "true" else "send"), ("Receiver", reply)),
        )
        for ack, got, reply in [
            ("false", "nothing", "idle"),
            ("false", "zero", "reply"),
            ("false", "one", "reply"),
            ("true", "one", "reply"),
        ]
    )
    table = Strategy("<both>F acknowledged", "uniform", ("Sender", "Receiver"), rows)
    return Evidence("strategy", None, (table,))


def result() -> Result:
    """Return a result with every kind of verdict and evidence."""
    texts = [specification.text for specification in system().specifications]
    values = [Value.TRUE, Value.FALSE, Value.FALSE, Value.TRUE]
    evidence = [None, lasso(), counterexample(), strategy()]
    verdicts = [
        Verdict(
            index,
            text,
            f"({text})",
            value,
            "explicit",
            0.0021 * index,
            "uniform" if "<" in text else None,
            evidence=shown,
            line=66 + index,
        )
        for index, (text, value, shown) in enumerate(zip(texts, values, evidence, strict=True), 1)
    ]
    limit = "the time limit of 1 s was reached"
    long = "AG (received -> " + " and ".join(["(bit or acknowledged or received)"] * 4) + ")"
    verdicts.append(Verdict(5, long, long, Value.UNKNOWN, "explicit", 1.0, reason=limit))
    checks = (
        SanityCheck("deadlock", Value.TRUE, 0.001),
        SanityCheck("overflow", Value.FALSE, 0.001, "bit would be 2", lasso()),
    )
    return Result(
        "bits.ispl", "finite", "explicit", 18, 1.0213, tuple(verdicts), checks, system=system()
    )


def judged() -> Result:
    """Return a result with names, expectations of every kind, and a truth that says nothing."""
    given: list[tuple[str, str, Value, Value, str]] = [
        ("bypass", "<both>F acknowledged", Value.FALSE, Value.FALSE, ""),
        ("lost", "EF !received", Value.TRUE, Value.FALSE, ""),
        ("", "AG(acknowledged -> K(Sender, received))", Value.TRUE, Value.TRUE, ""),
        ("safe[1,2]", "AF received", Value.FALSE, Value.TRUE, ""),
        (
            "nothing_is_ever_acknowledged_before_it_was_received",
            "AF bit",
            Value.UNKNOWN,
            Value.UNKNOWN,
            "",
        ),
        ("slow", "AG EF received", Value.UNKNOWN, Value.TRUE, ""),
        ("open", "EF " + " and ".join(["received"] * 9), Value.UNDEFINED, Value.UNDEFINED, ""),
        ("hollow", "AG (bit -> received)", Value.TRUE, Value.TRUE, "`bit` is true in no state"),
    ]
    reason = "the time limit of 1 s was reached"
    verdicts = tuple(
        Verdict(
            index,
            text,
            f"({text})",
            value,
            "bdd",
            0.0021 * index,
            "uniform" if "<" in text else None,
            reason=reason if value is Value.UNKNOWN else "",
            evidence=lasso() if name == "safe[1,2]" else None,
            name=name,
            expected=Value.FALSE if expected is Value.UNKNOWN else expected,
            vacuous=vacuous,
        )
        for index, (name, text, value, expected, vacuous) in enumerate(given, 1)
    )
    constants = (("n", 3), ("rounds", 12))
    return Result(
        "bits.ispl", "finite", "bdd", 18, 1.0213, verdicts, system=system(), constants=constants
    )


def refusal() -> Evidence:
    """Return why the two cannot force an acknowledgement: the channel may always fail."""
    alone, lost = run(), run("fail")
    start, after = alone.steps[0].state, lost.steps[1].state
    joint = lost.steps[1].actions
    assert joint is not None
    choice = (("Sender", "send"), ("Receiver", "idle"))
    answers = (
        DefenceAnswer(start, choice, joint, after),
        DefenceAnswer(after, choice, joint, after),
    )
    why = Explanation(
        "<both>F acknowledged", False, "both has no strategy for F acknowledged", run=alone
    )
    defence = Defence("<both>F acknowledged", ("Sender", "Receiver"), answers)
    clash = Clash("Sender", (("Sender.ack", "false"),), (start, run("work zero").steps[1].state))
    clashes = Clashes("<both>F acknowledged", ("Sender", "Receiver"), (clash,))
    return Evidence("counterexample", why, (), (defence,), (clashes,))


def ruled() -> Evidence:
    """Return what both can do, in rules much shorter than the table."""
    [table] = strategy().strategies
    rules = (
        Rule("Sender", ("Sender.ack = true",), "wait"),
        Rule("Sender", (), "send"),
    )
    short = Strategy(table.formula, table.reading, table.members, table.choices, rules=rules)
    return Evidence("strategy", None, (short,))


def verdict(evidence: Evidence | None, *, value: Value = Value.FALSE, formula: str = "") -> Verdict:
    """Return a verdict with this evidence."""
    why = evidence.explanation if evidence else None
    text = formula or (why.formula if why else "AG p")
    return Verdict(3, text, text, value, "explicit", 0.001, evidence=evidence, line=69)


class Looks:
    """Lets a budget be looked at so many times, and no more."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, *_: object) -> None:
        self.left -= 1
        if self.left < 0:
            raise LimitReached("that was the last look")
