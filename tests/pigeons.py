"""A question that is easy to state and hard to decide: are there as many holes as pigeons?

Two pigeons are shown to a keeper, one after the other, and the keeper gives each a hole. It sees only the
pigeon, so what it does for one does not depend on the other: it keeps all of them apart exactly if there are
enough holes. That there are not is what satisfiability solvers are known to be bad at: with each pigeon it
takes them several times as long. The states are few, and whatever else is asked takes no time.
"""

#: With uniform strategies, true exactly if there are as many holes as pigeons.
HARD = "<keepers>G !clash"
#: What is easy, with its value.
EASY = {
    "AF over": True,
    "EF clash": True,
    "AG !clash": False,
    "AG (over -> K(Keeper, over))": False,
}
#: More than anybody waits for.
FOR_EVER = 12

_MODEL = """
Constants pigeons = {pigeons}; end Constants
Semantics = SingleAssignment;
Agent Environment
  Obsvars: seen : 1..pigeons; end Obsvars
  Vars:
    phase : {{ start, first, second, over }};
    before : 0..pigeons;
    hole : 0..pigeons;
    clash : boolean;
  end Vars
  Actions = {{ show[p : 1..pigeons] }};
  Protocol: Other : {{ show[p : 1..pigeons] }}; end Protocol
  Evolution:
    for p : 1..pigeons: seen = p if (phase = start or phase = first) and Action = show[p]; end for
    before = seen if phase = first;
    for h : 1..pigeons - 1:
      hole = h if phase = first and Keeper.Action = give[h];
      clash = true if phase = second and before <> seen and hole = h and Keeper.Action = give[h];
    end for
    phase = first if phase = start;
    phase = second if phase = first;
    phase = over if phase = second;
  end Evolution
end Agent
Agent Keeper
  Actions = {{ give[h : 1..pigeons - 1] }};
  Protocol: Other : {{ give[h : 1..pigeons - 1] }}; end Protocol
end Agent
Evaluation
  clash if Environment.clash = true;
  over if Environment.phase = over;
end Evaluation
InitStates
  Environment.phase = start and Environment.seen = 1 and Environment.before = 0
    and Environment.hole = 0 and Environment.clash = false;
end InitStates
Groups keepers = {{ Keeper }}; end Groups
Formulae
  {formulae}
end Formulae
"""


def pigeons(number: int = FOR_EVER, formulae: tuple[str, ...] = (HARD, *EASY)) -> str:
    """Return a program about so many pigeons and one hole less."""
    return _MODEL.format(pigeons=number, formulae="\n  ".join(f"{each};" for each in formulae))
