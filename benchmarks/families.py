"""Families of models in plain ISPL, which MCMAS reads too: python benchmarks/families.py FAMILY N.

`dc`         dining cryptographers: knowledge and common knowledge
`muddy`      muddy children: knowledge, arithmetic
`prisoners`  prisoners and a light: fairness, counting, common knowledge
`tianji`     Tian Ji's horses: strategies
`tgc`        trains, a gate and its controller: knowledge and strategies
`cards`      a card game in which i beats the next (n - 1) / 2 cards in a circle: strategies
`simbridge`  a card game of tricks (`examples/card_game.ispl`): time
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


def block(head: str, lines: Iterable[str]) -> str:
    """Return a section: its head, each line closed by a semicolon, and its end."""
    word = head.rstrip(":")
    return "\n".join([head, *(f"  {line};" for line in lines), f"end {word}"])


def either(parts: Iterable[str]) -> str:
    """Return a disjunction in brackets."""
    return f"({' or '.join(parts)})"


def both(parts: Iterable[str]) -> str:
    """Return a conjunction."""
    return " and ".join(parts)


def listed(names: Iterable[str]) -> str:
    """Return names as a set."""
    return f"{{{', '.join(names)}}}"


def agent(
    name: str,
    variables: Iterable[str] = (),
    actions: Iterable[str] = ("none",),
    protocol: Iterable[str] = ("Other: {none}",),
    evolution: Iterable[str] = (),
    *,
    public: Iterable[str] = (),
    sees: Iterable[str] = (),
) -> str:
    """Return an agent; `public` are the environment's `Obsvars`, `sees` an agent's `Lobsvars`."""
    public, sees, variables = list(public), list(sees), list(variables)
    parts = [f"Agent {name}"]
    parts += [block("Obsvars:", public)] if public else []
    parts += [f"Lobsvars = {listed(sees)};"] if sees else []
    parts += [block("Vars:", variables)] if variables else []
    parts += [f"Actions = {listed(actions)};", block("Protocol:", protocol)]
    parts += [block("Evolution:", evolution), "end Agent"]
    return "\n".join(parts)


@dataclass
class Program:
    """A program; `str` writes it."""

    agents: list[str]
    propositions: list[str]
    start: str
    formulae: str
    groups: list[str] = field(default_factory=list)
    fairness: list[str] = field(default_factory=list)
    single: bool = False

    def __str__(self) -> str:
        parts = ["Semantics = SingleAssignment;"] if self.single else []
        parts += [*self.agents, block("Evaluation", self.propositions)]
        parts += [block("InitStates", [self.start])]
        parts += [block("Groups", self.groups)] if self.groups else []
        parts += [block("Fairness", self.fairness)] if self.fairness else []
        return "\n".join([*parts, f"Formulae\n  {self.formulae};\nend Formulae\n"])


def dc(n: int) -> Program:
    """Return n cryptographers: they look at two coins each, speak, and the differences are counted."""
    everybody = range(1, n + 1)
    others = [f"paid{i}" for i in everybody if i > 1]
    blind = both(f"!K(Diner1, {p})" for p in others)
    nobody = both(f"!paid{i}" for i in everybody)
    payers = (both(f"Diner{j}.paid={str(i == j).lower()}" for j in everybody) for i in range(n + 1))
    silent = both(f"Diner{i}.coins=unseen and Environment.said{i}=0" for i in everybody)
    start = f"Environment.parity=open and Environment.spoken=false and {silent}"
    return Program(
        [table(n), *(diner(i, n) for i in everybody)],
        [f"paid{i} if Diner{i}.paid=true" for i in everybody]
        + [f"{name} if Environment.parity={name}" for name in ("odd", "even")],
        start + " and " + either(f"({case})" for case in payers),
        f"AG ((odd and !paid1) -> (K(Diner1, {' or '.join(others)}) and {blind}));\n"
        f"  AG (even -> GCK(diners, {nobody}))",
        [f"diners = {listed(f'Diner{i}' for i in everybody)}"],
        single=True,
    )


def table(n: int) -> str:
    """Return the table, which counts who says `different`."""
    everybody = range(1, n + 1)
    total = "+".join(f"said{i}" for i in everybody)
    waits = "parity=open"
    heard = [
        f"said{i}={k} if {waits} and Diner{i}.Action={word}"
        for i in everybody
        for k, word in enumerate(("equal", "different"))
    ]
    heard.append(f"spoken=true if {waits} and !(Diner1.Action=silent)")
    heard += [
        f"parity={name} if {waits} and spoken=true and "
        + either(f"{total}={k}" for k in range(rest, n + 1, 2))
        for rest, name in enumerate(("even", "odd"))
    ]
    return agent(
        "Environment",
        [f"coin{i}: {{head, tail}}" for i in everybody]
        + [f"said{i}: 0..1" for i in everybody]
        + ["spoken: boolean"],
        evolution=heard,
        public=["parity: {open, even, odd}"],
    )


def diner(i: int, n: int) -> str:
    """Return a cryptographer, who lies exactly when he has paid."""
    mine, next_one = f"coin{i}", f"coin{i % n + 1}"
    return agent(
        f"Diner{i}",
        ["paid: boolean", "coins: {unseen, same, unlike}"],
        ["equal", "different", "silent"],
        [
            "(coins=same and paid=false) or (coins=unlike and paid=true): {equal}",
            "(coins=same and paid=true) or (coins=unlike and paid=false): {different}",
            "Other: {silent}",
        ],
        [
            f"coins={word} if coins=unseen and Environment.{mine}{sign}Environment.{next_one}"
            for word, sign in (("same", "="), ("unlike", "<>"))
        ],
        sees=[mine, next_one],
    )


def muddy(n: int) -> Program:
    """Return n children and a father who asks again and again."""
    everybody = range(1, n + 1)
    faces = {i: "+".join(f"Environment.mud{j}" for j in everybody if j != i) for i in everybody}
    father = agent(
        "Environment",
        ["start: boolean", *(f"mud{i}: 0..1" for i in everybody)],
        ["tell", "ask"],
        [f"start=true and {either(f'mud{i}=1' for i in everybody)}: {{tell}}", "Other: {ask}"],
        [
            "start=false and told=true and round=round+1 if start=true and Action=tell",
            "start=false and round=round+1 if start=true and Action=ask",
            f"round=round+1 if start=false and round<{n - 1}",
        ],
        public=["told: boolean", f"round: -1..{n - 1}"],
    )
    knows = {i: f"(K(Child{i}, mud{i}) or K(Child{i}, !mud{i}))" for i in everybody}
    return Program(
        [father, *(child(i, n, faces[i]) for i in everybody)],
        [f"mud{i} if Environment.mud{i}=1" for i in everybody]
        + [f"yes{i} if Environment.round>={faces[i]}" for i in everybody],
        both(f"Child{i}.heard=false" for i in everybody)
        + " and Environment.told=false and Environment.start=true and Environment.round=-1",
        ";\n  ".join(f"AG ((yes{i} -> {k}) and ({k} -> yes{i}))" for i, k in knows.items()),
    )


def child(i: int, n: int, faces: str) -> str:
    """Return a child that knows as soon as the question comes that its `faces` would have answered."""
    others = [j for j in range(1, n + 1) if j != i]
    hears = f"heard=false and Environment.Action=ask and Environment.round<{faces}"
    calls = either(f"Child{j}.Action=yes" for j in others)
    return agent(
        f"Child{i}",
        ["heard: boolean"],
        ["no", "yes"],
        [f"Environment.round<{faces}: {{no}}", f"Environment.round>={faces}: {{yes}}"],
        [f"heard=true if {hears} and {calls}"],
        sees=[f"mud{j}" for j in others],
    )


def prisoners(n: int) -> Program:
    """Return n prisoners, of whom the first counts how often he finds the light on."""
    others = range(2, n + 1)
    lucky = "Action=turn_off and Environment.Action=call1 and Environment.light=true"
    counter = agent(
        "Inmate1",
        [f"found: 0..{n - 1}", "said: boolean"],
        ["turn_off", "say"],
        [f"found={n - 1}: {{say}}", "Other: {turn_off}"],
        [f"found=found+1 if found<{n - 1} and {lucky}", "said=true if Action=say"],
        sees=["light"],
    )
    inmates = listed(f"Inmate{i}" for i in range(1, n + 1))
    start = [
        "Environment.light=false and Environment.turn=0",
        "Inmate1.found=0 and Inmate1.said=false",
    ]
    start += [f"Inmate{i}.lit=false and Inmate{i}.out=false" for i in others]
    return Program(
        [warden(n), counter, *(inmate(i) for i in others)],
        ["said if Inmate1.said=true", "all if " + both(f"Inmate{i}.out=true" for i in others)]
        + [f"turn{i} if Environment.turn={i}" for i in range(1, n + 1)],
        both(start),
        "AG (said -> all); AF said; AG (said -> K(Inmate1, all)); EF (all and !K(Inmate1, all)); "
        "AG (said -> GCK(inmates, all))",
        [f"inmates = {inmates}"],
        [f"turn{i}" for i in range(1, n + 1)],
    )


def warden(n: int) -> str:
    """Return the warden, who calls one prisoner at a time into the room with the light."""
    others = range(2, n + 1)
    called = [f"call{i}" for i in range(1, n + 1)]
    lit = {i: f"light=false and Inmate{i}.Action=turn_on" for i in others}
    moves = [
        "turn=1 and light=false if Action=call1 and Inmate1.Action=turn_off",
        "turn=1 if Action=call1 and !(Inmate1.Action=turn_off)",
    ]
    for i in others:
        moves.append(f"turn={i} and light=true if Action=call{i} and {lit[i]}")
        moves.append(f"turn={i} if Action=call{i} and !({lit[i]})")
    return agent(
        "Environment",
        ["light: boolean", f"turn: 0..{n}"],
        called,
        [f"Other: {listed(called)}"],
        moves,
    )


def inmate(i: int) -> str:
    """Return a prisoner who turns the light on once."""
    lights = "Environment.light=false and Action=turn_on"
    return agent(
        f"Inmate{i}",
        ["lit: boolean", "out: boolean"],
        ["turn_on", "pass"],
        ["lit=false: {turn_on}", "Other: {pass}"],
        [
            f"lit=true and out=true if Environment.Action=call{i} and {lights}",
            f"out=true if Environment.Action=call{i} and !({lights})",
        ],
        sees=["light"],
    )


def tianji(n: int) -> Program:
    """Return a race of n horses a side: the king's run in order, Tian Ji chooses his."""
    horses = range(1, n + 1)
    runs = [*(f"run{i}" for i in horses), "rest"]

    chooser = agent(
        "Tianji",
        [f"ran{i}: boolean" for i in horses],
        runs,
        [*(f"ran{i}=false: {{run{i}}}" for i in horses), "Other: {rest}"],
        [f"ran{i}=true if Action=run{i}" for i in horses],
    )
    king = agent(
        "King",
        [f"next: 1..{n + 1}"],
        runs,
        [*(f"next={i}: {{run{i}}}" for i in horses), "Other: {rest}"],
        [f"next=next+1 if next<{n + 1}"],
    )
    done = f"Environment.his+Environment.kings={n}"
    unused = both(f"Tianji.ran{i}=false" for i in horses)
    return Program(
        [judge(n), chooser, king],
        [
            f"win if Environment.his>Environment.kings and {done}",
            f"lose if Environment.his<Environment.kings and {done}",
            f"done if {done}",
        ],
        f"Environment.his=0 and Environment.kings=0 and King.next=1 and {unused}",
        "<he>F win; <he>G (<he>F win); <royal>F lose; AF done; EF (done and !win and !lose)",
        ["he = {Tianji}", "royal = {King}"],
    )


def judge(n: int) -> str:
    """Return who counts the races won; a draw counts for both."""
    horses = range(1, n + 1)

    def race(wins: Callable[[int, int], bool]) -> str:
        pairs = ((i, j) for i in horses for j in horses if wins(i, j))
        return " or ".join(f"(Tianji.Action=run{i} and King.Action=run{j})" for i, j in pairs)

    return agent(
        "Environment",
        evolution=[
            f"his=his+1 if {race(lambda i, j: i <= j)}",
            f"kings=kings+1 if {race(lambda i, j: i >= j)}",
        ],
        public=[f"his: 0..{n}", f"kings: 0..{n}"],
    )


def tgc(n: int) -> Program:
    """Return n trains that share a tunnel, and a controller that lets one in at a time."""
    trains = range(1, n + 1)
    enter, leave = [f"in{i}" for i in trains], [f"out{i}" for i in trains]
    controller = agent(
        "Environment",
        ["signal: {green, red}"],
        [*enter, *leave, "idle"],
        [f"signal=green: {listed([*enter, 'idle'])}", f"signal=red: {listed([*leave, 'idle'])}"],
        [
            "signal=red if "
            + " or ".join(f"(Action=in{i} and Train{i}.Action=enter)" for i in trains),
            "signal=green if "
            + " or ".join(f"(Action=out{i} and Train{i}.Action=leave)" for i in trains),
        ],
    )
    alone = both(f"!inside{i}" for i in trains if i > 1)
    return Program(
        [controller, *(train(i) for i in trains)],
        [f"inside{i} if Train{i}.at=tunnel" for i in trains],
        both(["Environment.signal=green", *(f"Train{i}.at=gate" for i in trains)]),
        f"AG (inside1 -> K(Train1, {alone})); <helped>F inside1; AG EF inside1; AF inside1; "
        "AG !(inside1 and inside2); AG GCK(trains, !(inside1 and inside2))",
        ["helped = {Train1, Environment}", f"trains = {listed(f'Train{i}' for i in trains)}"],
    )


def train(i: int) -> str:
    """Return a train: gate, tunnel, away, and back."""
    return agent(
        f"Train{i}",
        ["at: {gate, tunnel, far}"],
        ["enter", "leave", "back", "stay"],
        ["at=gate: {enter, stay}", "at=tunnel: {leave, stay}", "at=far: {back, stay}"],
        [
            f"at=tunnel if at=gate and Action=enter and Environment.Action=in{i}",
            f"at=far if at=tunnel and Action=leave and Environment.Action=out{i}",
            "at=gate if at=far and Action=back",
        ],
    )


def cards(n: int) -> Program:
    """Return the game of n cards in a circle: two are dealt, the player may swap them once."""
    player = agent(
        "Player",
        ["phase: {empty, dealt, decided, shown}"],
        ["deal", "keep", "swap", "show", "again"],
        [
            "phase=empty: {deal}",
            "phase=dealt: {keep, swap}",
            "phase=decided: {show}",
            "phase=shown: {again}",
        ],
        [
            "phase=dealt if phase=empty",
            "phase=decided if phase=dealt",
            "phase=shown if phase=decided",
            "phase=empty if phase=shown and Environment.won=false",
        ],
        sees=["mine"],
    )
    return Program(
        [dealer(n), player],
        ["won if Environment.won=true", "first if Environment.mine=1"],
        "Player.phase=empty and Environment.mine=0 and Environment.theirs=0 "
        "and Environment.won=false",
        "AF won; <player>F won; AG (first -> K(Player, first)); EG !won",
        ["player = {Player}"],
    )


def dealer(n: int) -> str:
    """Return who deals two different cards and compares them."""
    pairs = [(i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j]
    beats = either(f"(mine={i} and theirs={j})" for i, j in pairs if (j - i) % n <= (n - 1) // 2)
    return agent(
        "Environment",
        [f"mine: 0..{n}", f"theirs: 0..{n}"],
        evolution=[
            "mine=theirs and theirs=mine if Player.Action=swap",
            "mine=0 and theirs=0 and won=false if Player.Action=again",
            *(f"mine={i} and theirs={j} if Player.Action=deal" for i, j in pairs),
            f"won=true if Player.Action=show and {beats}",
        ],
        public=["won: boolean"],
    )


def simbridge(n: int) -> Program:
    """Return the card game of tricks with n cards, an even number."""
    half = n // 2
    croupier = agent(
        "Croupier",
        [f"given{p}: 0..{half}" for p in (1, 2)],
        ["give1", "give2", "none"],
        [*(f"given{p}<{half}: {{give{p}}}" for p in (1, 2)), "Other: {none}"],
        [f"given{p}=given{p}+1 if Action=give{p}" for p in (1, 2)],
    )
    empty = "+".join(f"Environment.{colour}{p}" for colour in ("red", "black") for p in (1, 2))
    more = f"Environment.tricks+Environment.tricks<{half}"
    fair = f"Environment.cheated=0 and Environment.lead>0 and {empty}=0 and {more}"
    win = f"Environment.cheated=2 or ({fair})"
    start = [f"Environment.{name}=0" for name in ("lead", "card", "cheated", "tricks")]
    start += [
        f"Environment.red{p}=0 and Environment.black{p}=0 and Croupier.given{p}=0" for p in (1, 2)
    ]
    start += [f"Player{p}.has{c}=false" for p in (1, 2) for c in range(1, n + 1)]
    return Program(
        [score(n), croupier, *(card_player(p, n) for p in (1, 2))],
        [f"allred1 if Environment.red1={half}", f"win1 if {win}"],
        both(start),
        "AG (allred1 -> AF win1)",
        single=True,
    )


def score(n: int) -> str:
    """Return the keeper of the score; cards 1 to n / 2 are red, the others black."""
    half = n // 2
    red, black = range(1, half + 1), range(half + 1, n + 1)

    def plays(p: int, what: Iterable[int], more: str = "") -> str:
        return either(f"(Player{p}.Action=play{c}{more.format(c=c)})" for c in what)

    rules = [f"card=card+1 if lead=0 and card<{n - 1}"]
    rules += [f"{name} if lead=0 and card={n - 1}" for name in ("card=0", "lead=1")]
    rules.append("card=0 if lead>0 and card>0")
    higher = " and card<{c}"
    takes = {
        p: f"({plays(p, red, higher)} or (card>{half} and {plays(p, black, higher)}))"
        for p in (1, 2)
    }
    for p, q in ((1, 2), (2, 1)):
        for colour, own, place in (("red", red, f"card<{half}"), ("black", black, f"card>={half}")):
            name = f"{colour}{p}"
            rules.append(f"{name}={name}+1 if lead=0 and {place} and Croupier.Action=give{p}")
            rules.append(f"{name}={name}-1 if lead>0 and {plays(p, own)}")
        rules += [
            f"card={c} if lead={p} and card=0 and Player{p}.Action=play{c}" for c in range(1, n + 1)
        ]
        rules.append(f"lead={q} if lead={p} and card>0 and {takes[q]}")
        rules.append(
            f"cheated={q} if lead={p} and ((card>{half} and black{q}>0 and {plays(q, red)}) "
            f"or (card>0 and card<={half} and red{q}>0 and {plays(q, black)}))"
        )
    wins2 = f"(lead=1 and {takes[2]}) or (lead=2 and !{takes[1]})"
    rules.append(f"tricks=tricks+1 if card>0 and ({wins2})")
    counts = [f"{colour}{p}: 0..{half}" for colour in ("red", "black") for p in (1, 2)]
    public = ["lead: 0..2", f"card: 0..{n}", "cheated: 0..2"]
    return agent("Environment", [f"tricks: 0..{half}", *counts], evolution=rules, public=public)


def card_player(p: int, n: int) -> str:
    """Return a player: any card of the hand may be played when it is his turn."""
    turn = (
        f"((Environment.lead={p} and Environment.card=0) "
        f"or (Environment.lead={3 - p} and Environment.card>0))"
    )
    dealt = "Environment.lead=0 and Environment.card="
    hand = range(1, n + 1)
    return agent(
        f"Player{p}",
        [f"has{c}: boolean" for c in hand],
        [*(f"play{c}" for c in hand), "wait"],
        [f"has{c}=true and Environment.cheated=0 and {turn}: {{play{c}}}" for c in hand]
        + ["Other: {wait}"],
        [f"has{c}=true if {dealt}{c - 1} and Croupier.Action=give{p}" for c in hand]
        + [f"has{c}=false if Environment.lead>0 and Action=play{c}" for c in hand],
    )


FAMILIES: dict[str, Callable[[int], Program]] = {
    "dc": dc,
    "muddy": muddy,
    "prisoners": prisoners,
    "tianji": tianji,
    "tgc": tgc,
    "cards": cards,
    "simbridge": simbridge,
}

if __name__ == "__main__":
    print(FAMILIES[sys.argv[1]](int(sys.argv[2])), end="")
