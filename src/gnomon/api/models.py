"""Models that were loaded or built, and what can be asked of them."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from gnomon.api.answers import CheckResult, nobody
from gnomon.api.asking import QuestionOptions, WhoOptions, naming, options_of
from gnomon.api.deprecation import deprecated
from gnomon.api.parts import ModelAgent, ModelParts, model_agent
from gnomon.api.pictures import Picture, names_of, state_picture
from gnomon.api.progress import CheckWatch
from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.load import Loaded
from gnomon.checking.load import load as load_file
from gnomon.checking.load import load_text as load_program
from gnomon.checking.options import Expected, Strategies
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.selection import FormulaChoice
from gnomon.checking.sizes import measure
from gnomon.model.budget import Report
from gnomon.model.system import Kind, System
from gnomon.results.projection import PictureStyle
from gnomon.results.render import model as model_page
from gnomon.text.brief import brief
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source
from gnomon.text.whole_file import WholeFile

if TYPE_CHECKING:
    from gnomon.api.certificates import GivenCertificate, Verification
    from gnomon.api.coverage import CoverageView
    from gnomon.api.groups import Who
    from gnomon.api.traces import Trace
    from gnomon.api.walking import Walk
    from gnomon.model.parameterised.system import OpenSystem
    from gnomon.results.groups import KnownWhen

#: Printing a model counts its states, but only as long as that takes no time.
_COUNTED = 10_000
#: Nor does looking for what is used take longer than this.
_SECONDS = 20.0
_AT_ONCE = 2.0
#: The seconds for each thing that is done on a walk, as in the simulator.
_EACH = 5.0
#: What a bare system has and a model does not, by the names that programs used while building gave systems.
_OF_SYSTEMS = frozenset(
    "agent agent_index definitions environment events fairness fixed initial interleaved position "
    "predicates semantics terminal variables".split()
)


class Model(ModelParts):
    """A model that can be checked: an interpreted system and what there was to say about it.

    >>> import gnomon
    >>> model = gnomon.load("examples/tickets.ispl")
    >>> model
    <unbounded model examples/tickets.ispl>
    >>> model.name, model.kind, model.diagnostics
    ('examples/tickets.ispl', 'unbounded', ())
    >>> [each.name for each in model.specifications][:3]
    ['not_negative', 'at_most_three', 'may_fill_up']
    >>> model.system
    <unbounded system examples/tickets.ispl: 3 agents, 1 variable, 6 formulae>
    >>> print(model)
    examples/tickets.ispl  unbounded · MultiAssignment · 3 agents · 1 variable
    <BLANKLINE>
    Variables
      agent        variable  size      seen by                       values
      Environment  waiting   no bound  Environment, Customer, Clerk  int
    <BLANKLINE>
    Agents
      agent        protocol  evolution  actions
      Environment  1         2          idle
      Customer     1         0          join, walk_on
      Clerk        2         0          serve, rest
    <BLANKLINE>
    Propositions
      empty  Environment.waiting = 0
      full   Environment.waiting >= 3
    <BLANKLINE>
    Formulae
      not_negative      AG (Environment.waiting >= 0)
      at_most_three     AG (Environment.waiting <= 3)
      may_fill_up       AG EF full
      clerk_empties     AG (!empty -> <Clerk>F empty) expect false
      clerk_keeps_room  AG (!full -> <Clerk>G !full)
      both_empty        AG (!empty -> <Clerk, Customer>F empty)
    <BLANKLINE>
    States
      possible   no bound
      initial    1
      reachable  4
    """

    def __init__(
        self,
        system: "System | Model",
        diagnostics: tuple[Diagnostic, ...] = (),
        loaded: Loaded | None = None,
    ) -> None:
        """Wrap a system; `load`, `load_text` and `SystemBuilder` make them."""
        if isinstance(system, Model):  # `build()` gave bare systems once
            diagnostics = diagnostics or system.diagnostics
            loaded = loaded or system._loaded  # noqa: SLF001 - one of ours
            system = system.system
        self.system: System = system
        self.diagnostics: tuple[Diagnostic, ...] = diagnostics
        source = Source(system.name, "")
        self._loaded: Loaded = loaded or Loaded(source, None, system, system.kind, diagnostics)

    def check(
        self,
        *formulae: str,
        only: FormulaChoice | Sequence[FormulaChoice] = (),
        engine: Engine = "auto",
        strategies: Strategies = "perfect",
        uniform_group: str | None = None,
        evidence: bool = True,
        certificate: bool = False,
        paranoid: bool = False,
        race: bool | None = None,
        check_deadlock: bool = False,
        check_overflow: bool = False,
        timeout: float | None = None,
        formula_timeout: float | None = None,
        memory: float | None = None,
        max_states: int | None = None,
        refine: int | None = None,
        predicates: Sequence[str] = (),
        expect: Expected = "declared",
        strict: bool = False,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        starts: Sequence[str] = (),
        order: OrderChoice = "auto",
        diagrams: LibraryChoice = "auto",
        account: bool = False,
        report: Report | None = None,
        progress: bool | None = None,
    ) -> CheckResult:
        """Check the model's own formulae, all or `only` some by number or name, or those given here.

        - `only`: which of the model's own formulae: numbers from 1, names, patterns such as "safe[*]".
        - `engine`: "auto", "bdd", "explicit", "sat", "counting", "abstraction" or "parameterised".
        - `strategies`: what coalitions play by: "perfect", "uniform", "uniform-subjective" or
          "uniform-model", for which `uniform_group` says who is uniform.
        - `evidence`: whether to build witnesses, counterexamples and strategies; `certificate`: proofs.
        - `check_deadlock`, `check_overflow`: whether to look for these, too.
        - `timeout`, `formula_timeout` (seconds), `memory` (megabytes), `max_states`, `refine`: limits.
        - `expect`, `strict`, `allow`, `deny`: what counts as expected, and what becomes of warnings.
        - `starts`: only initial states such as "Dealer.card=3"; `predicates`: conditions to abstract by.
        - `paranoid`: every verdict twice; `race`: other ways side by side; `account`: what the engine did.
        - `order`, `diagrams`: for experts. `report`: a function that is told of progress.
        - `progress`: in a notebook a line tells how far it is, unless this is False.

        >>> import gnomon
        >>> model = gnomon.load("examples/tickets.ispl")
        >>> [answer.holds for answer in model.check()]
        [True, True, True, False, True, True]
        >>> model.check("EF full", engine="explicit", timeout=10)[0]
        <EF full: true>
        >>> model.check(only=["clerk_empties", 1], evidence=False).as_expected
        True
        """
        question = self.question(
            *formulae,
            only=only,
            predicates=predicates,
            engine=engine,
            strategies=strategies,
            uniform_group=uniform_group,
            evidence=evidence,
            certificate=certificate,
            paranoid=paranoid,
            race=race,
            check_deadlock=check_deadlock,
            check_overflow=check_overflow,
            timeout=timeout,
            formula_timeout=formula_timeout,
            memory=memory,
            max_states=max_states,
            refine=refine,
            expect=expect,
            strict=strict,
            allow=allow,
            deny=deny,
            starts=starts,
            order=order,
            diagrams=diagrams,
            account=account,
        )
        asked = read(question, self._loaded)
        with CheckWatch(self.name, len(asked.items), wanted=progress) as watch:
            found = asked.check(watch.hears(report), watch.counts, watch.meanwhile)
        return CheckResult(found, self._shown)

    @naming(QuestionOptions)
    def question(self, *formulae: str, **asked: Unpack[QuestionOptions]) -> Question:
        """Return what `check` would ask, as one value; all but `report` and `progress` is as there.

        >>> import gnomon
        >>> question = gnomon.load("examples/tickets.ispl").question("EF full", engine="explicit")
        >>> question.formulae, question.options
        (('EF full',), Options(engine='explicit'))
        """
        loaded = self._loaded
        only, predicates = asked.pop("only", ()), asked.pop("predicates", ())
        evidence = asked.pop("evidence", False)
        return Question(
            loaded.source.text,
            loaded.source.name,
            tuple(sorted(loaded.constants.items())),
            formulae,
            (only,) if isinstance(only, int | str) else tuple(only),
            _listed(predicates),
            options_of(asked, evidence=evidence),
            self.system if loaded.program is None else None,
        )

    def verify(
        self,
        certificate: "GivenCertificate",
        *,
        timeout: float | None = None,
        allow: Sequence[str] = (),
    ) -> "Verification":
        """Check the proofs of a certificate of this model again, without the engine that found them.

        It is what `check(certificate=True).certificate` has, a text in JSON, or the name of a file, as
        `gnomon check --certificate` writes one. What is no certificate of this model is a `ValueError`.

        >>> import gnomon
        >>> model = gnomon.load("examples/tickets.ispl")
        >>> model.verify(model.check(certificate=True).certificate)
        <6 verdicts: 6 proved>
        """
        from gnomon.api.certificates import verified

        return verified(self._loaded, certificate, timeout, names_of(allow))

    def check_nothing(self) -> CheckResult:
        """Return what is known of the model where no formula is asked.

        >>> import gnomon
        >>> len(gnomon.load("examples/tickets.ispl").check_nothing())
        0
        """
        loaded = self._loaded
        constants = tuple(sorted(loaded.constants.items()))
        question = Question(loaded.source.text, loaded.source.name, constants)
        return CheckResult(Asked(question, loaded, loaded.diagnostics).check(), self._shown)

    def resized(self, **constants: int) -> "Model":
        """Return the same program with other values for some of its constants.

        >>> import gnomon
        >>> family = gnomon.load("examples/muddy_children.ispl")
        >>> family.resized(n=4).check(only=1).states
        80
        """
        source, before = self._loaded.source, self._loaded.constants
        if self._loaded.program is None:
            message = "a model that was built has no constants"
            help_ = "call what builds it with other numbers"
            raise InputError((Diagnostic("G0817", message, source, help=help_),))
        return load_text(source.text, source.name, **{**before, **constants})

    @property
    def _shown(self) -> System | None:
        """The system that evidence is about, where it is known beforehand."""
        return self.system

    def _must_be_closed(self, method: str) -> None:
        """Refuse what needs to know how many agents there are, where that is open."""

    def to_ispl(self) -> str:
        """Return the model as a plain program that Gnomon and MCMAS read.

        Families are written out, and what was built in Python is said in ISPL. Comments at the top say what
        is left out, or only Gnomon reads.

        >>> import gnomon
        >>> text = gnomon.load("examples/muddy_children.ispl", n=2).to_ispl()
        >>> "Agent Child_2" in text, gnomon.load_text(text).check(only=1).states
        (True, 12)
        """
        self._must_be_closed("to_ispl")
        from gnomon.results.export.ispl import render

        return render(self.system)

    def ispl(self) -> str:
        """Return the same as `to_ispl`, which is its name now."""
        deprecated("Model.ispl() is now called to_ispl()")
        return self.to_ispl()

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write `to_ispl()` to a file, which appears whole or not at all; one of the name is replaced.

        >>> import gnomon, os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     gnomon.load("examples/muddy_children.ispl", n=2).export(f"{folder}/two.ispl")
        ...     os.listdir(folder)
        ['two.ispl']
        """
        data = self.to_ispl().encode()
        file = WholeFile(os.fsdecode(path))
        try:
            file.commit(data)
        finally:
            file.discard()

    def coverage(
        self, *, timeout: float | None = _SECONDS, memory: float | None = None
    ) -> "CoverageView":
        """Return which lines, actions, values and propositions can be used in a reachable state.

        >>> import gnomon
        >>> found = gnomon.load("examples/tickets.ispl").coverage()
        >>> [part.text for part in found.parts if part.never]
        []
        """
        self._must_be_closed("coverage")
        from gnomon.api.coverage import looked_at

        return looked_at(self.system, self._loaded.source, timeout, memory)

    @naming(WhoOptions)
    def who(self, goal: str, **asked: Unpack[WhoOptions]) -> "Who":
        """Return which coalitions can enforce a goal, such as "F done".

        `among` names agents, `environment` counts it as one, `at_most` is the most members; `evidence` asks
        for strategies, `jobs` is how many checks there are at once. All else is as for `check`.

        >>> import gnomon
        >>> gnomon.load("examples/strongroom.ispl").who("F open", among=["Director", "Auditor"]).holding()
        (('Director', 'Auditor'),)
        """
        from gnomon.api.groups import who

        return who(self._loaded, goal, **asked)

    def who_knows(
        self, formula: str, when: "KnownWhen" = "ever", **asked: Unpack[WhoOptions]
    ) -> "Who":
        """Return which agents and groups know something: in some reachable state, always, or initially.

        What else can be asked is as for `who`.

        >>> import gnomon
        >>> gnomon.load("examples/strongroom.ispl").who_knows("even").holding("everybody")
        (('Director',),)
        """
        from gnomon.api.groups import who

        return who(self._loaded, formula, knows=True, when=when, **asked)

    def walk(
        self,
        start: int = 1,
        *,
        seed: int | None = None,
        timeout: float | None = _EACH,
        memory: float | None = None,
    ) -> "Walk":
        """Return a walk through the model, which begins in an initial state: the first, or another.

        `seed` is for its random steps; `timeout` and `memory` limit each thing that is done on it. Nothing
        is explored: a model may have any number of states.

        >>> import gnomon
        >>> walk = gnomon.load("examples/tickets.ispl").walk()
        >>> print(walk)
        state 0 · an initial state
          Environment  waiting = 0
          holds        empty
        <BLANKLINE>
             Environment  Customer  Clerk  what changes
          1  idle         join      rest   Environment.waiting = 1
          2  idle         walk_on   rest   nothing
        """
        self._must_be_closed("walk")
        from gnomon.api.walking import Walk

        return Walk(self._loaded, start, seed=seed, timeout=timeout, memory=memory)

    def simulate(
        self,
        steps: int = 20,
        *,
        seed: int | None = None,
        start: int = 1,
        timeout: float | None = _EACH,
        memory: float | None = None,
    ) -> "Trace":
        """Return a random run of so many steps, fewer where it ends before; the same seed, the same run.

        >>> import gnomon
        >>> print(gnomon.load("examples/tickets.ispl").simulate(2, seed=7))
           Environment  Customer  Clerk
        0  waiting = 0
        ↓  idle         join      rest   line 15
        1  waiting = 1
        ↓  idle         join      serve
        2                                no change
        """
        self._must_be_closed("simulate")
        walk = self.walk(start, seed=seed, timeout=timeout, memory=memory)
        return walk.random(steps).trace

    def graph(
        self,
        limit: int = 200,
        *,
        agents: Sequence[str] | None = None,
        knowledge: Sequence[str] = (),
        full_states: bool = False,
        hide: Sequence[str] = (),
    ) -> Picture:
        """Return a picture of the reachable states, up to `limit` of them.

        `knowledge` marks what looks the same to some agents. Where `agents` are given, only their variables
        and actions are shown, and states that agree on them are one. `hide` names actions that are left out.

        >>> import gnomon
        >>> gnomon.load("examples/tickets.ispl").graph()
        <picture of 4 states>
        >>> gnomon.load("examples/tickets.ispl").graph(2, agents=["Clerk"])
        <picture of 1 state and more>
        """
        self._must_be_closed("graph")
        shown = None if agents is None else names_of(agents)
        style = PictureStyle(shown, full_states=full_states, hidden=names_of(hide))
        return state_picture(self.system, limit, knowledge, style)

    if not TYPE_CHECKING:  # nobody should write what is only kept for a while

        def __getattr__(self, name: str) -> object:
            """Return what a system has: `SystemBuilder.build()` returned one once."""
            if name not in _OF_SYSTEMS:
                msg = f"{type(self).__name__!r} object has no attribute {name!r}"
                if name == "states":
                    msg += ": they are counted when something is checked, `model.check().states`"
                raise AttributeError(msg, name=name, obj=self)
            deprecated(f"a model has no `{name}` of its own: write `.system.{name}`")
            return getattr(self.system, name)

    def __str__(self) -> str:
        """Show what the model is, as a table."""
        sizes = measure(self.system, _COUNTED, _AT_ONCE)
        return (
            model_page.render(self.name, self.system, sizes, constants=self._loaded.in_force)
            .plain()
            .rstrip()
        )

    def __repr__(self) -> str:
        """Show its name and kind."""
        return f"<{self.kind} model {brief(self.name)}>"

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import model as page  # only notebooks want it

        states = page.states_of(self.system) or measure(self.system, _COUNTED, _AT_ONCE)
        return page.render(self.name, self.system, states, self._loaded.in_force)


class OpenModel(Model):
    """A model in which the number of agents is open: `open` has the templates, `system` nobody yet.

    >>> import gnomon
    >>> model = gnomon.load("examples/parameterised/mutex_some.ispl")
    >>> model.kind, [part.name for part in model.open.templates]
    ('parameterised', ['Process'])
    >>> print(model.check("AG !clash")[0].numbers)
    it takes 2 Process: so many are enough, and no fewer
    """

    def __init__(self, loaded: Loaded) -> None:
        """Wrap a program with templates; `load` and `load_text` make them."""
        assert loaded.templates is not None
        super().__init__(nobody(loaded.templates.name), loaded.notices, loaded)
        self.open: OpenSystem = loaded.templates

    @property
    def kind(self) -> Kind:
        """Return "parameterised"."""
        return "parameterised"

    @property
    def agents(self) -> tuple[ModelAgent, ...]:
        """Return the environment, where there is one, and the templates."""
        around = self.open.environment
        own = (model_agent(around),) if around.variables or around.actions else ()
        return (*own, *self.templates)

    @property
    def templates(self) -> tuple[ModelAgent, ...]:
        """Return the templates, of each of which there may be any number of agents.

        >>> import gnomon
        >>> gnomon.load("examples/parameterised/mutex_some.ispl").templates
        (<template Process: has at : {idle, waiting, critical}; does request, enter, exit>,)
        """
        return tuple(model_agent(part, template=True) for part in self.open.templates)

    @property
    def propositions(self) -> dict[str, str]:
        """Return the conditions that have names, which formulae may use.

        >>> import gnomon
        >>> gnomon.load("examples/parameterised/mutex_some.ispl").propositions
        {'clash': 'exists i, j : Process (i != j and i.at = critical and j.at = critical)'}
        """
        from gnomon.model.parameterised.condition import show as shown  # only templates want it

        return {name: shown(what) for name, what in self.open.propositions.items()}

    @property
    def _shown(self) -> System | None:
        return None

    def _must_be_closed(self, method: str) -> None:
        named = self.open.parameters or [part.name for part in self.open.templates]
        sizes = ", ".join(f"{name}=3" for name in named)
        msg = f"the number of agents is open: `with_agents({sizes}).{method}()` knows it"
        raise ValueError(msg)

    def with_agents(self, **numbers: int) -> Model:
        """Return the ordinary model with so many agents of each template, or with values of its parameters.

        >>> import gnomon
        >>> model = gnomon.load("examples/parameterised/mutex_some.ispl")
        >>> [model.with_agents(Process=n).check("AG !clash")[0].holds for n in (1, 2)]
        [True, False]
        """
        from gnomon.model.parameterised.grounding import NotFinite
        from gnomon.model.parameterised.instance import instance
        from gnomon.model.parameterised.population import with_parameters
        from gnomon.model.translation import CannotExport

        names = [part.name for part in self.open.templates]
        known = [*self.open.parameters, *names]
        unknown = [name for name in numbers if name not in known]
        if unknown:
            msg = f"there is no template `{unknown[0]}`: there are {', '.join(known)}"
            raise ValueError(msg)
        for name, number in numbers.items():
            if type(number) is not int or number < 0:
                msg = f"{name}={number!r} is not a number of agents"
                raise ValueError(msg)
        system = self.open
        try:
            if system.parameters:
                system, numbers = with_parameters(system, numbers)
            members = tuple(name for name in names for _ in range(numbers.get(name, 0)))
            return Model(instance(system, members))
        except (NotFinite, CannotExport) as problem:
            raise ValueError(str(problem)) from None

    def __str__(self) -> str:
        """Show its templates."""
        names = ", ".join(part.name for part in self.open.templates)
        return f"{self.name}  parameterised: any number of agents of {names}"

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import templates  # only notebooks want it

        return templates.render(self.name, self.open, self._loaded.in_force)


def load(path: str | os.PathLike[str], **constants: int) -> Model:
    """Read a model from a file; keyword arguments override its `Constants`.

    >>> import gnomon
    >>> gnomon.load("examples/muddy_children.ispl", n=5)
    <finite model examples/muddy_children.ispl>
    """
    return _model(load_file(os.fspath(path), _whole(constants)))


def load_text(text: str, name: str = "<text>", **constants: int) -> Model:
    """Read a model from a text; keyword arguments override its `Constants`.

    >>> import gnomon
    >>> text = '''
    ... Agent Lamp
    ...   Vars: lit : boolean; end Vars
    ...   Actions = { press };
    ...   Protocol: Other : { press }; end Protocol
    ...   Evolution: lit = !lit if Action = press; end Evolution
    ... end Agent
    ... InitStates Lamp.lit = false; end InitStates
    ... Formulae AG AF Lamp.lit = true; end Formulae
    ... '''
    >>> gnomon.load_text(text, "lamp.ispl").check()[0].holds
    True
    """
    if not isinstance(text, str):
        msg = f"a program is a text, and {type(text).__name__} is none"
        raise TypeError(msg)
    return _model(load_program(text, name, _whole(constants)))


def _listed(given: Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _keywords(given: object) -> str:
    """Return how to write constants that were given as a dictionary."""
    if not (isinstance(given, dict) and given and all(isinstance(name, str) for name in given)):
        return ""
    return brief(
        f"constants are keywords: write {', '.join(f'{n}={v!r}' for n, v in given.items())}"
    )


def _whole(constants: dict[str, int]) -> dict[str, int]:
    """Return constants that are whole numbers, or say which is none."""
    wrong = tuple(
        Diagnostic(
            "G0816",
            f"constant {name}={value!r} is no whole number",
            Source("<constants>", ""),
            help=_keywords(value),
        )
        for name, value in constants.items()
        if type(value) is not int
    )
    if wrong:
        raise InputError(wrong)
    return constants


def _model(loaded: Loaded) -> Model:
    if loaded.has_errors:
        raise InputError(loaded.diagnostics)
    if loaded.system is None:
        return OpenModel(loaded)
    return Model(loaded.system, loaded.notices, loaded)
