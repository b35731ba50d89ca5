"""Small models in which something is far too many, each of another kind."""

#: What an agent with a choice looks like.
_AGENT = """
Agent {name}
  Vars: x : 0..9; end Vars
  Actions = {{a, b, c}};
  Protocol: Other : {{a, b, c}}; end Protocol
  Evolution: x = x + 1 if x < 9 and Action = a; x = 0 if Action = b; end Evolution
end Agent
"""


def _with(agents: str, initial: str) -> str:
    return f"""
{agents}
Evaluation p if A0.x = 9; end Evaluation
InitStates {initial}; end InitStates
Formulae EF p; end Formulae
"""


def many_agents(number: int = 25) -> str:
    """Return a model with very many joint actions in its first state."""
    names = [f"A{index}" for index in range(number)]
    agents = "".join(_AGENT.format(name=name) for name in names)
    return _with(agents, " and ".join(f"{name}.x = 0" for name in names))


def many_starts(number: int = 25) -> str:
    """Return a model with very many initial states."""
    agents = "".join(_AGENT.format(name=f"A{index}") for index in range(number))
    return _with(agents, "A0.x = 0")


def many_alternatives(number: int = 30) -> str:
    """Return a model in which one agent alone can change in very many ways."""
    lines = [
        f"v{index} = {value} if Action = a;"
        for index in range(number)
        for value in ("true", "false")
    ]
    names = " ".join(f"v{index} : boolean;" for index in range(number))
    agent = f"""
Semantics = SingleAssignment;
Agent A0
  Vars: x : 0..9; {names} end Vars
  Actions = {{a}};
  Protocol: Other : {{a}}; end Protocol
  Evolution: {" ".join(lines)} end Evolution
end Agent
"""
    fixed = " and ".join(f"A0.v{index} = false" for index in range(number))
    return _with(agent, f"A0.x = 0 and {fixed}")


def only_overflows(number: int = 25) -> str:
    """Return a model in which none of very many moves has a result."""
    agents = many_agents(number).partition("Evaluation")[0]
    agents = agents.replace("x = x + 1 if x < 9 and Action = a;", "x = x + 9 if x > 0;")
    agents = agents.replace("x = 0 if Action = b;", "")
    return _with(agents, " and ".join(f"A{index}.x = 9" for index in range(number)))


def one_variable(domain: str, rule: str, initial: str) -> str:
    """Return a model of one agent with one variable."""
    return f"""
Agent A0
  Vars: x : {domain}; end Vars
  Actions = {{a}};
  Protocol: Other : {{a}}; end Protocol
  Evolution: {rule} end Evolution
end Agent
Evaluation p if A0.x = 9; end Evaluation
InitStates {initial}; end InitStates
Formulae EF p; end Formulae
"""


#: Infinitely many initial states.
ENDLESS = one_variable("int", "x = x + 1 if Action = a;", "A0.x > 0")
#: None at all.
NOWHERE = one_variable("0..9", "x = x + 1 if x < 9;", "A0.x = 0 and A0.x = 1")
#: A number that has twice as many digits after every step.
SQUARES = one_variable("int", "x = x * x if Action = a;", "A0.x = 3")
#: A long chain, from everywhere of which one may fall back to its beginning.
CHAIN = one_variable(
    "0..1000000", "x = x + 1 if x < 1000000 and Action = a; x = 0 if Action = a;", "A0.x = 0"
)
