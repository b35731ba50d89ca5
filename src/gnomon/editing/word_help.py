"""What the words of the language mean, in a sentence or two each, for those who point at one."""

from typing import Final

#: Words of sections and of conditions.
WORDS: Final[dict[str, str]] = {
    "Semantics": "How the lines of `Evolution` are picked: `MultiAssignment` (the default), "
    "`SingleAssignment`, "
    "or `Interleaved`, where one event happens at a time.",
    "Constants": "Numbers with names. `--set n=4` gives one another value.",
    "Parameters": "Numbers, from 0 on, that nobody knows: `n, t, f;`. Templates' sizes and guards depend on"
    " them.",
    "Assume": "What holds of the parameters: `n > 3 * t;`.",
    "Definitions": "Names for expressions: `busy := Train.at = tunnel;`.",
    "Types": "Named types of a program with templates.",
    "Relations": "Relations between values that nobody changes and nobody knows beforehand.",
    "Axioms": "What holds of the relations.",
    "Predicates": "Conditions that cells of states are told apart by, where numbers have no bounds.",
    "Agent": "Someone who sees, acts and changes: variables, actions, a protocol and an evolution.",
    "Template": "Agents of which there may be any number; what is decided holds for all numbers.",
    "Environment": "What all agents share. Others see of it what is in `Obsvars`, and what they list"
    " in `Lobsvars`.",
    "Obsvars": "Variables of the environment that every agent sees.",
    "Lobsvars": "Variables of the environment that this agent sees, beside `Obsvars`.",
    "Vars": "Variables that only this agent sees; those of the environment are seen by who "
    "lists them in `Lobsvars`.",
    "RedStates": "States in which the agent breaks its norms, for `O(agent, f)`.",
    "GreenStates": "States in which the agent keeps to its norms.",
    "Actions": "What the agent can do.",
    "Action": "What an agent does in this step: `Action = send`, `Sender.Action = send`.",
    "Sync": "Actions in which agents of templates and the environment take part together: "
    "`some`, `one` or `all` of "
    "them.",
    "with": "Agents that can do `drop : all with take` do it when others `take`.",
    "Protocol": "Which actions are possible where: `condition : { actions };`. Where several "
    "lines hold, all of their "
    "actions are.",
    "Other": "Everything for which no line above holds.",
    "Evolution": "How variables change in a step: `assignments if condition;`. What nothing "
    "assigns stays as it is.",
    "Evaluation": "Propositions, the names that formulae use: `name if condition;`.",
    "InitStates": "The condition that initial states satisfy. What it does not mention is free.",
    "TerminalStates": "States in which a run may end: a deadlock there is none to complain of.",
    "Groups": "Names for sets of agents: `team = { A, B };`.",
    "Fairness": "Formulae that must hold again and again on a run for it to count.",
    "Formulae": "What is asked: `name : formula expect true;`.",
    "MultiAssignment": "Of each variable, one of the lines that hold and assign it is taken.",
    "SingleAssignment": "One of the lines that hold is taken, and each assigns one variable.",
    "Interleaved": "One event happens at a time, and only those move that have an action of its "
    "name.",
    "boolean": "`true` or `false`.",
    "int": "A whole number without bounds. Verdicts are true, false, or `undefined`.",
    "div": "Division of whole numbers, rounded down.",
    "mod": "What is left after division of whole numbers.",
    "xor": "One of the two, and not both.",
    "in": "Whether a value is one of some: `x in { 1, 3..5 }`.",
    "where": "Leaves out values of an index: `i : 1..n where i <> k`.",
    "for": "Repeats lines for the values of an index: `for i : 1..n: … end for`.",
    "sum": "The sum over the values of an index: `sum i : 1..n (x[i])`.",
    "count": "For how many values of an index a condition holds: `count i : 1..n (x[i] = 1)`.",
    "min": "The least of some numbers.",
    "max": "The largest of some numbers.",
    "abs": "A number without its sign.",
    "number": "1 where a condition holds, else 0.",
    "all": "All agents but the environment; `all \\ { A }` is all but A.",
    "expect": "The verdict that the author expects: `gnomon test` and the editor hold the "
    "formula to it.",
}

#: Operators of formulae.
OPERATORS: Final[dict[str, str]] = {
    "AG": "`AG f`: in every state that can be reached, f.",
    "AF": "`AF f`: on every run there comes a state with f.",
    "AX": "`AX f`: in every next state, f.",
    "EG": "`EG f`: there is a run on which f always holds.",
    "EF": "`EF f`: a state with f can be reached.",
    "EX": "`EX f`: there is a next state with f.",
    "A": "`A path`: on every run from here.",
    "E": "`E path`: on some run from here.",
    "X": "`X f`: in the next state, f.",
    "F": "`F f`: at some point, f. `F<=5 f`: within five steps.",
    "G": "`G f`: always f. `G[2,7] f`: from step 2 to step 7.",
    "U": "`f U g`: f until g, and g does happen.",
    "W": "`f W g`: f until g, or for ever.",
    "R": "`f R g`: g up to where f holds, that state included, or for ever.",
    "K": "`K(agent, f)`: in all states that look the same to the agent, f: it knows that f.",
    "GK": "`GK(group, f)`: everybody in the group knows that f.",
    "GCK": "`GCK(group, f)`: f is common knowledge: all know it, all know that all know it, "
    "and so on.",
    "DK": "`DK(group, f)`: with all that the members see put together, f is known.",
    "O": "`O(agent, f)`: wherever the agent keeps to its norms, f.",
    "LTL": "A formula about every run.",
    "CTL*": "A formula in which `A`, `E` and path operators mix freely.",
    "forall": "`forall i : 1..n (f)`: for every value of the index, or every agent of a template.",
    "exists": "`exists i : 1..n (f)`: for some value of the index, or some agent of a template.",
}
