"""The register of all diagnostic codes: how serious each is, what it means, and the longer story.

Codes are stable: scripts and editors rely on them. G00 is about files, G01 about syntax, G02 about names,
G03 about types and bounds, G04 about legal but suspicious programs, G05 about constants and families, G06
about formulae, G07 about open numbers of agents, G08 about what a run found out and G09 about campaigns.
"""

from typing import Literal, NamedTuple


class Code(NamedTuple):
    """What a code means, and whether users may say that it is welcome."""

    severity: Literal["error", "warning"]
    title: str
    story: str
    allowable: bool


def _error(title: str, story: str, *, allowable: bool = False) -> Code:
    return Code("error", title, story, allowable)


def _warning(title: str, story: str) -> Code:
    return Code("warning", title, story, allowable=True)


CODES: dict[str, Code] = {
    # Files
    "G0001": _error(
        "a file cannot be opened",
        "The file does not exist, is a folder, or may not be read by you. Nothing was checked.",
    ),
    "G0002": _error(
        "a file is not text",
        "ISPL programs are plain text in UTF-8 (plain ASCII is UTF-8 too). This file holds bytes that are "
        "no text: it may be a picture, an archive, or text in an older encoding. Save it as UTF-8 and try "
        "again.",
    ),
    "G0003": _error(
        "a file is too large",
        "Files of more than 32 MB are refused, because reading one takes many times its size in memory. A "
        "family of models can be written in a few lines with `Constants` and ranges instead.",
    ),
    "G0004": _error(
        "a model was not read to its end",
        "A limit of time or memory was reached while the model was read, so nothing of it was checked. A "
        "larger `--timeout` or `--memory` allows more; a family may have become larger than was meant.",
    ),
    # Syntax
    "G0101": _error(
        "a character that ISPL does not know",
        "Outside comments, ISPL uses the letters a-z and A-Z, digits, `_` and the operators. Comments start "
        "with `--` and may hold any character.",
    ),
    "G0102": _error(
        "something else was expected",
        "The text cannot be read at this place. The message says what could stand here. When one line "
        "cannot be read, it is left out and reading goes on with the next, so later messages are about "
        "other mistakes.",
    ),
    "G0103": _error(
        "a semicolon is missing",
        "Every line of a section ends in `;`: a variable, a protocol line, an evolution line, a "
        "proposition, a group, a fairness constraint, a formula.",
    ),
    "G0104": _error(
        "a reserved word is used as a name",
        "MCMAS reserves its section names, `true`, `false`, `and`, `or`, `if`, `Other`, and the operators "
        "of its logics: `A E X F G U K O AG EF GK DK GCK LTL` and so on. None of them can name a variable, "
        "an action, an agent, a group or a proposition. Outside formulae, the operators may name a value "
        "of an enumeration.",
    ),
    "G0105": _error(
        "a section is not closed",
        "A section that opens with `Vars:` ends with `end Vars`, and so on for all of them; an agent ends "
        "with `end Agent`.",
    ),
    "G0106": _error(
        "brackets are nested too deep",
        "There is a limit of 250 levels, so that no file can exhaust the machine. Lists such as "
        "`a and b and c` do not nest; brackets and prefixes do.",
    ),
    "G0107": _error("a number is too long", "Numbers of any size are allowed, up to 4000 digits."),
    "G0108": _error(
        "a section is written twice",
        "A program has one `Evaluation`, one `InitStates` and so on; an agent has one `Vars`, one "
        "`Protocol` and so on. Join the two.",
    ),
    "G0109": _error(
        "text that starts no section",
        "A program is a list of sections: `Semantics`, `Constants`, agents, `Evaluation`, `InitStates`, "
        "`Groups`, `Fairness`, `Formulae`. Inside an agent they are `Obsvars` (environment only), "
        "`Lobsvars`, `Vars`, `RedStates`, `Actions`, `Protocol` and `Evolution`.",
    ),
    "G0110": _error(
        "more than one condition",
        "The initial states are described by one condition, and so are the red states of an agent. Join "
        "several with `and` or `or`.",
    ),
    "G0111": _error(
        "an LDL formula",
        "LDL (linear dynamic logic) was part of an experimental front end of MCMAS; the released version "
        "1.3.0 does not read it, and neither do we.",
    ),
    "G0112": _error(
        "a program without agents",
        "A program needs at least one agent beside the environment.",
    ),
    "G0113": _error(
        "no initial states are given",
        "`InitStates` holds a condition that tells with which values a run may start. Variables that it "
        "does not mention are free.",
    ),
    "G0114": _error(
        "too many mistakes",
        "Only the first fifty errors of a file are shown. Mend them and look again.",
    ),
    "G0115": _error(
        "`for` where no lines can be repeated",
        "`for` repeats the lines of a section. `Constants` and `Relations` are read before there is anything "
        "to repeat, and `InitStates` and `RedStates` have one condition: `forall` and `exists` stand in it.",
    ),
    # Names
    "G0201": _error(
        "an unknown name",
        "The name is no variable that can be read here, and no value of the type that is needed here. "
        "Inside an agent, its own variables are written plainly and the environment's with "
        "`Environment.` in front.",
    ),
    "G0202": _error(
        "an unknown variable",
        "The agent declares no variable of this name in `Vars` (or `Obsvars`, for the environment). An "
        "agent can only assign to variables of its own.",
    ),
    "G0203": _error(
        "an unknown agent",
        "No agent of this name is declared. `Environment` always exists, empty where it was not written.",
    ),
    "G0204": _error(
        "an unknown action",
        "The agent does not declare this action in `Actions`. A protocol lists actions of its own agent; "
        "`Other.Action = a` in a guard must name an action of that other agent.",
    ),
    "G0205": _error(
        "an action is looked at where none is taken",
        "`Action = a` and `Agent.Action = a` ask what is being done in the current step. Only the guards of "
        "`Evolution` and the constraints of `Fairness` have one. A protocol, a proposition, an initial "
        "condition or a formula looks at a state alone.",
    ),
    "G0206": _error(
        "a hidden variable of the environment",
        "An agent sees the environment's `Obsvars`, and those of its `Vars` that it lists in `Lobsvars`. "
        "What it cannot see it cannot use, because its choices may depend only on its own view.",
    ),
    "G0207": _error(
        "a variable of another agent",
        "Agents do not see each other's variables. They can look at each other's actions in evolution "
        "guards, and share variables through the environment.",
    ),
    "G0208": _error(
        "a variable without its agent",
        "In `Evaluation`, `InitStates` and formulae, all agents are in view, so a variable is written with "
        "its agent: `Sender.bit`.",
    ),
    "G0209": _error(
        "a variable and a value of the same name",
        "Inside the agent, the name could mean either: the variable, or the value of another variable, which "
        "is its own or in `Obsvars`. MCMAS rejects this. Rename one of them.",
    ),
    "G0210": _error(
        "an unknown variable in Lobsvars",
        "`Lobsvars` lists variables of the environment that this agent sees beside the `Obsvars`.",
    ),
    "G0211": _error(
        "actions without a protocol",
        "The protocol says in which states which actions are possible. Without it no action is ever "
        "possible and the whole system stands still. (The environment is an exception: without a protocol "
        "it may do anything.)",
    ),
    "G0212": _error(
        "Obsvars outside the environment",
        "Variables that everybody sees belong to the environment.",
    ),
    "G0220": _error(
        "a definition with a name that is taken",
        "The name of a definition may stand wherever its body may. So it must be the name of nothing else: "
        "of no variable, value, action, agent, proposition or constant, and of no other definition.",
    ),
    "G0222": _error(
        "what another agent does in an event, as a value",
        "Under `Semantics = Interleaved` an agent that takes no part in an event does nothing, and there is "
        "no value for that. An agent that stores an action takes part in it, so it can store its own "
        "`Action`; `B.Action = a` is a condition, and false where `B` takes no part.",
    ),
    "G0221": _error(
        "a definition that is used too early",
        "A definition may use the definitions before it. So none stands for itself, not even in a circle of "
        "several, and everything is read in the order of the text.",
    ),
    # Types and bounds
    "G0301": _error(
        "a value of the wrong type",
        "Conditions need Booleans, arithmetic needs numbers, and a comparison needs two values of one "
        "type. MCMAS takes Booleans and names in arithmetic and counts them as 0, whatever their value; "
        "that is a fault which no program should rely on, so it is refused here.",
    ),
    "G0302": _error(
        "not a value of the enumeration",
        "A variable of an enumerated type can only be compared with, and become, one of the values "
        "listed in its declaration.",
    ),
    "G0303": _error(
        "only numbers have an order",
        "`<`, `<=`, `>` and `>=` compare numbers. Booleans and enumerated values can only be compared with "
        "`=` and `<>`.",
    ),
    "G0304": _error(
        "a comparison that can never hold",
        "The constant lies outside the range of the variable, so the two are never equal.",
    ),
    "G0306": _error(
        "a constant outside the range",
        "The variable can never take this value: the line would have no successor at all.",
    ),
    "G0307": _error(
        "a value that does not fit the variable",
        "The types differ, or the two ranges have no value in common.",
    ),
    "G0308": _error(
        "an empty range",
        "A range is written with the smaller bound first and holds at least one number.",
    ),
    "G0309": _error(
        "bounds that are no numbers",
        "The bounds of a range are numbers, or expressions over `Constants` and indices.",
    ),
    "G0310": _error(
        "an unknown type",
        "A variable is `boolean`, a range `0..3`, an enumeration `{ a, b }`, or `int` (an integer without "
        "bounds). Named types belong to programs with templates.",
    ),
    "G0311": _error(
        "a variable is assigned twice",
        "The assignments of one line happen at the same time, so a variable can have only one of them.",
    ),
    "G0312": _error(
        "several assignments under SingleAssignment",
        "Under `Semantics = SingleAssignment` each line assigns one variable, and lines for different "
        "variables combine. Under `MultiAssignment` (the default) each line is one alternative.",
    ),
    "G0313": _error(
        "an operation on whole numbers meets a quotient",
        "`/` is exact division and may give a fraction. `div`, `mod` and the bit operators work on whole "
        "numbers, so their operands cannot contain `/`. Use `div` instead.",
    ),
    "G0320": _error(
        "an index outside of its family",
        "An index may be computed, as in `x[Environment.i]`, where there is a variable for every value that "
        "it may have. These values follow from the ranges of the variables in it, from `mod`, `div` and the "
        "conditions that choose between them; what else may be known about them is not looked at.",
    ),
    "G0321": _error(
        "an initial value that is no constant",
        "`x : 0..3 = 0;` says how a variable starts. The value is made of numbers, constants and indices, or "
        "names one of the values of the variable. What depends on other variables belongs into `InitStates`.",
    ),
    "G0323": _error(
        "a choice becomes too large when it is written out",
        "`min`, `max`, `abs`, `in`, `if` between conditions and actions as values say their operands more "
        "than once: `max(x, y)` is `if x >= y then x else y`. Inside one another they grow quickly, and what "
        "would have more parts than the message says is refused. Say it with fewer or smaller operands; a "
        "variable of its own can keep a part of it.",
    ),
    "G0324": _error(
        "a function has too many values",
        "`abs` takes one number and `number` one condition; `min` and `max` take any number of numbers.",
    ),
    # Suspicious
    "G0401": _warning(
        "a comparison that is always true or always false",
        "The constant lies outside the range of the variable. MCMAS rejects such a comparison.",
    ),
    "G0402": _warning(
        "something is declared twice",
        "As in MCMAS, the first declaration of a variable or an agent counts, and the last definition of a "
        "proposition or a group.",
    ),
    "G0403": _warning(
        "a local state without an action",
        "In this state of the agent no protocol line applies and there is no `Other` line, so no action is "
        "enabled. Agents move together, unless `Semantics = Interleaved` lets this one wait. If such a state "
        "can be reached, the whole system stops there: time ends, and formulae about "
        "the future become true or false for lack of any.",
    ),
    "G0404": _warning(
        "an evolution guard that can never hold",
        "No values of the variables, and no actions, make the guard true. The line has no effect.",
    ),
    "G0405": _warning(
        "a protocol line that never applies",
        "No values of the variables make its condition true.",
    ),
    "G0406": _warning(
        "an action that is never enabled", "The action is declared, but no protocol line lists it."
    ),
    "G0407": _warning(
        "overlapping single assignments",
        "Two lines give the same variable different values in the same situation. That is a choice that "
        "nobody controls: both successors exist. Lines with the same condition are the way to write a choice "
        "that is meant, so nothing is said of them.",
    ),
    "G0408": _warning(
        "bit operators on numbers",
        "`&`, `|`, `^` and `~` on numbers are read bit by bit, with negative numbers in two's complement. "
        "MCMAS accepts them but lets the assigned variable take any value.",
    ),
    "G0409": _warning(
        "an observed variable in Lobsvars",
        "`Obsvars` are seen by every agent already. MCMAS rejects this.",
    ),
    "G0410": _warning(
        "a program without formulae", "There is nothing to check. `--formula` can give a formula."
    ),
    "G0411": _warning(
        "the environment is not first",
        "MCMAS reads only programs whose first agent is the environment.",
    ),
    "G0412": _warning(
        "beyond MCMAS",
        "The program uses something that MCMAS 1.3.0 does not read. `gnomon fmt --mcmas` lists all such "
        "places; without them the file can be given to MCMAS as it is.",
    ),
    "G0413": _warning(
        "a section without effect",
        "`Types`, `Relations` and `Axioms` belong to programs with an open number of agents, which have a "
        "`Template`. There steps are always interleaved, so `MultiAssignment` and `SingleAssignment` say "
        "nothing.",
    ),
    "G0414": _warning(
        "a variable named like a value that its agent sees",
        "The agent sees a variable of the environment by `Lobsvars`, and one of its values has the name of a "
        "variable of the agent. Inside the agent the name is read as the variable, so `Environment.e = x` "
        "compares two variables. MCMAS says nothing here, and rejects the same with `Obsvars`.",
    ),
    "G0415": _warning(
        "many warnings",
        "Only the first fifty warnings about a file are shown.",
    ),
    "G0416": _warning(
        "a lost update",
        "Under `MultiAssignment`, which counts where nothing is said, and under `Interleaved` an agent takes "
        "one of its evolution lines whose conditions hold, whichever it is. Here two hold at once, and one "
        "of them changes a variable that the other does not assign, or assigns another value: where the "
        "other is taken, that change does not happen. "
        "Where both changes are meant, write `Semantics = SingleAssignment`, by which every variable follows "
        "its own lines, or let the conditions exclude each other and add a line that does both. Nothing is "
        "said of two lines that have the same condition and assign a common variable: that is the way to "
        "write a choice.",
    ),
    "G0420": _warning(
        "a shared action that can never be done",
        "Under `Semantics = Interleaved` an action that several agents have is done by all of them at once, "
        "or by none. Here no values of the variables let the protocols of all of them allow it, so it never "
        "happens, and each of them waits for the others. Where agents are to do it each by itself, it needs "
        "a name of its own in each of them.",
    ),
    # Constants and families
    "G0417": _warning(
        "a comment for Gnomon that says nothing",
        "A comment that begins with `--!` and a blank is one that Gnomon reads and MCMAS skips. On a line of "
        "its own before a formula it names it and says what is expected: `--! bypass expect false`. "
        "Anywhere, `--! allow G0407` or `--! deny G0407` says whether a warning is welcome. This one is "
        "neither, names a code that there is not or that cannot be allowed, or stands where it says nothing "
        "about anything.",
    ),
    "G0501": _error(
        "an unknown constant is set",
        "`--set n=10` overrides a constant that the program declares in `Constants`.",
    ),
    "G0502": _error(
        "a name with two meanings",
        "A constant or an index has the name of another one, or of a variable, in the same place.",
    ),
    "G0503": _error(
        "an unknown constant or index",
        "Bounds, indices and `where` conditions are computed before the model exists. They can use the "
        "`Constants` and the indices around them, and nothing else.",
    ),
    "G0504": _error(
        "not a number that is known beforehand",
        "Bounds and indices are integers, `where` conditions compare them.",
    ),
    "G0505": _error(
        "a family that is too large",
        "Before a program is looked at, its families are written out: a name, an operand or a line for every "
        "value of every index. The ranges may have 400,000 values in all, and what they are written out to "
        "may have 3,000,000 parts. Choose smaller constants, or shorter ranges.",
    ),
    "G0506": _error(
        "a range where one thing is named",
        "`x[i : 1..n]` stands for many names: in declarations and in lists. Elsewhere use `x[i]` inside "
        "`for`, `forall`, `exists` or `sum`.",
    ),
    # Formulae
    "G0601": _error(
        "an unknown proposition",
        "Formulae speak of propositions, which `Evaluation` defines, or of conditions with the agent's "
        "name, as in `Train.place = tunnel`.",
    ),
    "G0602": _error(
        "a path formula without a quantifier",
        "`X`, `F`, `G` and `U` speak of one path. `A` or `E` in front says on which paths it must hold. A "
        "formula that starts with `LTL` speaks of all paths without saying so.",
    ),
    "G0603": _error(
        "an unknown group",
        "`GK`, `GCK`, `DK` and `<…>` take a group of `Groups`, or agents.",
    ),
    "G0604": _warning(
        "a formula that MCMAS brackets differently",
        "In CTL*, MCMAS lets a temporal operator reach as far to the right as it can: `A (G a -> F b)` "
        "becomes `A (G (a -> F b))`. In LTL it does not. Here both are read by the usual rule: temporal "
        "operators bind more tightly than `and`, `or` and `->`. Brackets make the formula safe.",
    ),
    "G0605": _error(
        "a fairness constraint of the wrong kind",
        "Fairness constraints are formulae of CTL and knowledge, without coalitions, LTL or CTL*.",
    ),
    "G0607": _error(
        "two formulae have the same name",
        "A name stands for one formula, in reports and in `--only`. Inside `for`, give the name the indices "
        "that tell the formulae apart: `safe[i] : …`.",
    ),
    "G0608": _error(
        "two things are said about one formula",
        "A formula may be named on its own line, `bypass : … expect false;`, or in a comment before it, "
        "`--! bypass expect false`. Where both are there they must say the same.",
    ),
    "G0609": _error(
        "bounds with no step between them",
        "`F[2,7] p` says that p holds at one of the steps from 2 to 7, both included, where step 0 is the "
        "present; `F<=7 p` is `F[0,7] p`. The first number must not be larger than the last, nor below 0.",
    ),
    "G0610": _error(
        "more steps than are counted",
        "An operator with bounds takes as much work as there are steps. Beyond the limit, ask without "
        "bounds, or count in a variable of the model.",
    ),
    "G0611": _error(
        "a fairness constraint on actions that looks beyond its step",
        "A constraint that looks at actions is met by a step: by what is done, and by the state in which "
        "it is done. What may happen later and what agents know are said of states. Write two constraints, "
        "or store the action in a variable (`last = Action`) and look at that.",
    ),
    "G0606": _error(
        "a predicate that is no condition on a state",
        "A predicate tells states apart by their variables: `Agent.x <= 3`, `A.x - B.y < 5`, or a "
        "proposition. What happens later, and what agents know, cannot be asked of a state alone.",
    ),
    # Open numbers of agents
    "G0701": _error(
        "a relation outside a program with templates",
        "Relations, types and quantifiers over agents belong to programs with an open number of agents.",
    ),
    "G0702": _error(
        "an unknown type or template",
        "Quantifiers run through the agents of a template, or through the values of a type of `Types`. The "
        "columns of a relation are such types.",
    ),
    "G0703": _error(
        "an unknown relation",
        "Relations are declared in `Relations` with the types of their columns: `Corr : Place * Place;`. "
        "Nothing changes them, and every interpretation that satisfies the axioms is considered.",
    ),
    "G0704": _error(
        "a relation used in another way than it was declared",
        "`Corr : Place * Place;` holds or does not hold of two places: `Corr(A, B)`. A relation with a key, "
        "`Owner : Room -> Guild;`, gives a value that can be compared: `Owner(room) = badge`.",
    ),
    "G0705": _error(
        "whose variable?",
        "A template has any number of agents. In its own sections bare names, and `self`, are the agent "
        "itself; another agent needs an index, `exists j : Robot ( j.room = A )`, which stands for agents of "
        "one template only. Indices may stand for the same agent unless `i != j` says otherwise.",
    ),
    "G0706": _error(
        "a synchronised action that the environment lacks",
        "Agents do synchronised actions together with the environment. One that is not in the environment's "
        "`Sync` could never happen.",
    ),
    "G0707": _error(
        "two numbers of participants",
        "`: some` (any number but none, the default), `: one` and `: all` (all that can) belong to the "
        "action, not to a template.",
    ),
    "G0708": _error(
        "a quantifier under a negation",
        "`!exists j : Robot (…)` speaks of all robots at once. Guards that look for some agents are decided "
        "exactly; those that speak of every agent, with `forall`, by an over-approximation: what is safe "
        "then is safe, and a run that is found is replayed before it counts.",
    ),
    "G0709": _error(
        "a guard of an `all` action that looks at more than the agent",
        "All agents that can take part in an `all` action do. Whether one can must depend on its own state "
        "and the environment's alone; otherwise a further agent could take something away from the others.",
    ),
    "G0710": _error(
        "axioms that contradict each other",
        "No interpretation of the relations satisfies all axioms, so there is nothing to be checked, and "
        "every system would count as safe.",
    ),
    "G0711": _error(
        "a formula that cannot be decided for any number of agents",
        "For any number of agents, what holds on all runs or on some run can be decided (CTL, LTL and CTL*), "
        "of the whole or of each agent (`forall i : Robot (AG (i.waits = true -> AF i.served = true))`), and "
        "what agents know of the present, under `AG` or `EF`; and what the environment, one agent, or all "
        "agents together enforce (`<Environment>G !bad`). Other coalitions, and knowledge about the future, "
        "cannot. For other formulae fix the number with `gnomon export --agents 3`, and check the program "
        "that it gives.",
    ),
    "G0712": _error(
        "lines of an evolution that contradict each other",
        "In programs with templates, what an action does is determined: all lines whose conditions hold take "
        "effect together, so two of them cannot give one variable different values.",
    ),
    "G0713": _error(
        "something is looked at where it cannot be seen",
        "How an agent changes depends on its own variables, its action, and the environment before the step; "
        "where it starts, on its own variables alone. Its protocol may also look at other agents and ask "
        "relations. "
        "Axioms speak of the relations alone.",
    ),
    "G0714": _error(
        "initial states that depend on each other",
        "`InitStates` says for each template where its agents may start, and the same for the environment: "
        "one condition for each, joined by `and`.",
    ),
    "G0715": _error(
        "knowledge that cannot be asked of any number of agents",
        "Under `AG` or `EF`, what agents know can be put together in any way: `AG (a -> !K(i, b))`, `EF "
        "exists i : Robot (K(i, GK(Camp, b)))`. Who knows is an index, each agent of a template, or all of "
        "them (`GK`, `GCK`, `DK`). What somebody knows speaks of that agent and looks for others, and of "
        "nobody who was named outside: wherever it looks the same, others may be there instead.",
    ),
    "G0716": _error(
        "a single agent beside templates",
        "In a program with templates all agents are made from templates. A single one is `Template "
        "Name [1..1]`.",
    ),
    "G0717": _error(
        "impossible numbers of agents",
        "`Template Robot [2..5]` has from two to five agents, `[1..*]` at least one.",
    ),
    "G0718": _error(
        "an action that is declared twice",
        "An action is either local, in `Actions`, or synchronised with the environment, in `Sync`.",
    ),
    # G0721 was given for questions about every agent at once, which have a meaning now.
    "G0722": _error(
        "a section that does not go with templates",
        "`Groups`, `Predicates` and `RedStates` belong to programs with a definite number of agents.",
    ),
    "G0727": _error(
        "an action that follows another one, wrongly",
        "`Sync = { drop : all with take };` in a template says that all other agents do `drop`, if they can, "
        "when some agents and the environment do `take`. So `take` is a synchronised action that the "
        "environment has and that follows nothing itself; one action at most follows it; only agents follow.",
    ),
    "G0735": _error(
        "a pointer to an agent, where it cannot be",
        "A variable of the environment may be an agent, `owner : Client;`, or `none`, as it is at the start. "
        "`owner = Client if Action = take;` lets it point to the one client that does `take`, and "
        "`owner = none` to nobody; `take` is in `Sync`, with `one`. It is compared with agents and with "
        "`none`: `Environment.owner = self`, `exists i : Client ( Environment.owner = i )`.",
    ),
    "G0723": _error(
        "fairness that cannot be asked of any number of agents",
        "With templates, `Fairness` promises `weak;` (who is always able to act, from some point on, acts "
        "again) or `strong;` (who is able time and again acts time and again) of everybody, and has "
        "conditions that hold time and again: on the state, or with `forall i : Car ( … );` on each agent.",
    ),
    "G0724": _error(
        "parameters where they cannot stand",
        "`Parameters` are numbers, from 0 on, that nobody knows. They say how many agents a template has "
        "(`Template Node [n - f]`), and are compared with counts of agents: "
        "`count j : Node (j.sent = true) + f >= n - t`. Such terms are linear: numbers, parameters and "
        "counts, added and taken a fixed number of times. `Assume` says what holds of them.",
    ),
    "G0725": _error(
        "thresholds that are not decided",
        "With `Parameters`, all numbers are decided at once by counting how often each step is taken. It is "
        "sound where agents only go forward: no agent comes back to a local state that it left, and what "
        "guards ask only ever becomes true. The environment does nothing then, all actions are local, and "
        "there are no relations and no variables without bounds.",
    ),
    "G0728": _warning(
        "common knowledge that says nothing",
        "What always holds is common knowledge, and what is common knowledge among some agents holds. So `AG "
        "GCK(Robot, b)` says no more than that b always holds where there is a Robot. Common knowledge is "
        "worth asking for where something happened: `AG (Environment.bell = true -> GCK(Robot, b))`.",
    ),
    # What a run found out
    "G0801": _warning(
        "a deadlock can be reached",
        "In a deadlock no joint action has a result. Nothing happens after it, so there `EX f` and `EG f` "
        "are false and `AX f` and `AF f` are true, whatever f is. Verdicts about the future may be true for "
        "that reason only. Where a run may end, because its work is done, say so: "
        "`TerminalStates condition; end TerminalStates` names the states in which a deadlock is none to "
        "complain of.",
    ),
    "G0802": _warning(
        "an overflow can be reached",
        "An enabled evolution line would give a variable a value outside its range. Such a move has no "
        "result. MCMAS says nothing about it unless asked with `-a`.",
    ),
    "G0812": _warning(
        "an agent may have nothing to do",
        "Where no line of a protocol applies and there is no `Other` line, the whole system is stuck, and "
        "formulae about the future mean what they mean in a deadlock. The abstraction engine found cells of "
        "states that may be such states and may be reached; whether one is, it could not tell at once. "
        "`--check-deadlock` looks more closely, and a predicate may help (`--predicate`). Where a run may "
        "end, `TerminalStates` says so.",
    ),
    "G0814": _error(
        "something that needs a definite number of agents",
        "The model has templates, so its number of agents is open. `gnomon export --agents 3` gives the "
        "ordinary program with three agents of each, which all engines and checks can take.",
    ),
    "G0815": _error(
        "the parameterised engine without templates",
        "`--engine parameterised` decides programs with templates, in which the number of agents is open.",
    ),
    "G0821": _error(
        "coalitions under fairness on actions, one event at a time",
        "Under `Semantics = Interleaved` nothing happens where what a coalition chooses fits no event: "
        "everybody waits, and no action is taken. Whether such waiting meets a fairness constraint on "
        "actions is not worked out. Time and knowledge can be asked about; for coalitions, store the action "
        "in a variable (`last = Action`) and put the constraint on that.",
    ),
    "G0822": _error(
        "a question that cannot be split by initial states",
        "`--parallel` asks about some initial states here and about others there, each time as if there were "
        "no others. That is the same question only where what holds in a state depends on nothing but what "
        "can follow it. Knowledge and obligations look at all reachable states, `uniform-subjective` and "
        "`uniform-model` at other initial states, too; fairness, certificates and checks of the model are "
        "left to a plain check.",
    ),
    "G0816": _error(
        "an option with a value that does not exist",
        "The Python interface was given an option whose value is not one of those that there are, or that "
        "goes with other options only. Nothing was checked.",
    ),
    "G0817": _error(
        "a certificate of a model without a text",
        "A certificate holds for one text, which is named in it by its digest. A model that was built in "
        "Python has none: `Model.to_ispl()` writes it as a program, which can be kept, loaded and certified.",
    ),
    "G0818": _error(
        "a formula that the model does not have",
        "Formulae are counted from 1 in the order in which the model has them, and chosen by number, by "
        "name, or by a pattern that names fit: `safe[*]`, with `*` for any characters and `?` for one.",
    ),
    "G0803": _error(
        "no initial state",
        "No state satisfies `InitStates`. Every formula holds in every one of no initial states, so all "
        "verdicts would be true and mean nothing: none is given. Most often two conditions in `InitStates` "
        "contradict each other. Of templates it may also be said that none of their agents can start. "
        "Where that is meant, `--allow G0803`, or `--! allow G0803` in the file, has it checked all the "
        "same.",
        allowable=True,
    ),
    "G0804": _error(
        "no fair initial state",
        "No initial state starts a path that meets all fairness constraints infinitely often, so all "
        "verdicts would be true and mean nothing: none is given. Where that is meant, `--allow G0804`, or "
        "`--! allow G0804` in the file, has it checked all the same.",
        allowable=True,
    ),
    "G0805": _warning(
        "a fairness constraint that no reachable state satisfies",
        "No path can meet it even once, so there are no fair paths at all, and `G0804` follows.",
    ),
    # Campaigns
    "G0901": _error(
        "a store that cannot be used",
        "A store is one file, made by Gnomon with SQLite, that keeps the answers of campaigns. The file is "
        "something else, was made by another version, is damaged, may not be written by you, or its disk is "
        "full; the message says which. What was stored before is as it was. A store is written by "
        "machines that share a disk only one at a time: give each its own, and merge them.",
    ),
    "G0902": _error(
        "a mistake in a plan",
        "A plan is a file in TOML that says what a campaign checks: models, constants, formulae, readings, "
        "engines and limits. Nothing of it was begun. `gnomon campaign init` prints a plan.",
    ),
    "G0903": _error(
        "a cluster that cannot be reached",
        "Jobs are spread over machines by Dask, which comes with `gnomon[cluster]`, and its scheduler has to "
        "be running at the address that is given. Without it, jobs run on this machine.",
    ),
    "G0904": _error(
        "a format that another library writes",
        "Most formats need nothing but Gnomon. Parquet is written by pyarrow, which has to be installed.",
    ),
    "G0905": _error(
        "a question about groups that cannot be asked",
        "`gnomon who` asks which groups of agents can enforce a goal, a path formula such as `F done`, or "
        "know something, a formula about states. The message says what is wrong with the goal or with the "
        "agents that were named, or that there would be too many groups; nothing was asked.",
    ),
}
