"""Answers, results and pictures, which show themselves in a notebook and as plain text when printed."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from gnomon.api.conversions import account_rows, data_frame
from gnomon.api.pictures import EvidencePicture, names_of
from gnomon.api.published import CertificateData, CheckData
from gnomon.api.thresholds import ThresholdsView
from gnomon.checking.selection import as_choice
from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.model.evidence import Evidence
from gnomon.model.expression import TRUE
from gnomon.model.system import System
from gnomon.results import phrases
from gnomon.results.data import of_result
from gnomon.results.extent import Extent
from gnomon.results.projection import PictureStyle
from gnomon.results.render import text as text_page
from gnomon.results.render.evidence import html as html_page
from gnomon.results.render.evidence import itf
from gnomon.results.render.evidence import text as story_page
from gnomon.results.sweep import record_of
from gnomon.text.brief import brief
from gnomon.text.diagnostic import Diagnostic, closest

if TYPE_CHECKING:
    from pandas import DataFrame


class EvidenceView:
    """The witness, counterexample or strategy behind an answer.

    >>> import gnomon
    >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence
    >>> evidence
    <counterexample>
    >>> evidence.kind
    'counterexample'
    >>> len(evidence.data.explanation.run.steps)
    4
    >>> print(evidence)
    counterexample: this run breaks G !full
    <BLANKLINE>
       Environment  Customer  Clerk
    0  waiting = 0
    ↓  idle         join      rest   line 15
    1  waiting = 1
    ↓  idle         join      rest   line 15
    2  waiting = 2
    ↓  idle         join      rest   line 15
    3  waiting = 3
    <BLANKLINE>
      in state 3: !full is false
    """

    def __init__(self, evidence: Evidence, system: System) -> None:
        """Show this evidence about this system."""
        self.data = evidence
        self.system = system

    @property
    def kind(self) -> str:
        """Return "witness", "counterexample" or "strategy"."""
        return self.data.kind

    def graph(
        self,
        *agents: str,
        limit: int = 60,
        line_numbers: bool = True,
        full_states: bool = False,
        hide: Sequence[str] = (),
    ) -> EvidencePicture:
        """Return a picture of its runs, strategies and answers, and of states that look the same.

        Where agents are named, only their variables and actions are shown. `hide` names actions that are left
        out, as `wait` or `Sender.wait`; `limit` is the most states of a strategy.

        >>> import gnomon
        >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence
        >>> evidence.graph("Customer", limit=10)
        <picture of a counterexample>
        """
        style = PictureStyle(agents or None, line_numbers, full_states, names_of(hide), limit)
        return EvidencePicture(self.data, self.system, style)

    def itf(self, run: int = 1, *agents: str) -> str:
        """Return one of its runs, from 1, as a trace in Apalache's format.

        >>> import gnomon, json
        >>> evidence = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence
        >>> len(json.loads(evidence.itf())["states"])
        4
        """
        count = itf.count(self.data)
        if not 1 <= run <= count:
            msg = f"there is no run {run}: the evidence has {count}"
            raise ValueError(msg)
        return itf.render(self.system, self.data, agents or None, run)

    def __str__(self) -> str:
        """Show it as the command line does."""
        return text_page.render_evidence(self.data, self.system).plain().strip("\n")

    def __repr__(self) -> str:
        """Show what it is."""
        return f"<{self.kind}>"

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import evidence  # only notebooks want it

        return evidence.render(self.system, self.data)


class Answer:
    """The verdict on one formula.

    - `holds`: True or False where that is the answer, None where it is open; `value`: which of the four
      values it is, a `gnomon.Value`; `reason`: why it is open.
    - `name`, `formula`, `line`: the name ("" without one), the text, the line in the file; `parsed`: the
      text with all brackets.
    - `evidence`: the witness, counterexample or strategy, None without one; `story()` tells it.
    - `expected`, `as_expected`: the value that it should have, and whether it has it; `vacuous`: why a
      formula that is true says nothing.
    - `strategies`: what coalitions play by, None without coalitions; `engine`, `seconds`: who decided it,
      and in what time; `numbers`: how many agents it takes, where their number is open.

    >>> import gnomon
    >>> answer = gnomon.load("examples/tickets.ispl").check(only="clerk_empties")[0]
    >>> answer
    <clerk_empties: AG (!empty -> <Clerk>F empty): false, as expected>
    >>> answer.name, answer.formula
    ('clerk_empties', 'AG (!empty -> <Clerk>F empty)')
    >>> answer.value, answer.holds, answer.expected, answer.as_expected
    (<Value.FALSE: 'false'>, False, <Value.FALSE: 'false'>, True)
    >>> answer.engine != "", answer.seconds < 60, answer.strategies, answer.line > 0
    (True, True, 'perfect', True)
    >>> answer.parsed, answer.reason, answer.vacuous, answer.numbers
    ('AG (!empty -> <Clerk>F empty)', '', '', None)
    >>> answer.evidence
    <counterexample>
    """

    def __init__(
        self,
        verdict: Verdict,
        given: System | None,
        constants: tuple[tuple[str, int], ...] = (),
    ) -> None:
        """Show this verdict about a system; for any number of agents it has one of its own, or none."""
        self.verdict = verdict
        self.name: str = verdict.name
        self.formula: str = verdict.formula
        self.parsed: str = verdict.parsed
        self.value: Value = verdict.value
        self.seconds: float = verdict.seconds
        self.engine: str = verdict.engine
        self.strategies: str | None = verdict.strategies
        self.reason: str = verdict.reason
        self.line: int = verdict.line
        self.expected: Value = verdict.expected
        self.as_expected: bool = verdict.as_expected
        self.vacuous: str = verdict.vacuous
        found = verdict.numbers
        self.numbers: ThresholdsView | None = None if found is None else ThresholdsView.of(found)
        self._system = verdict.system or given
        self._facts = tuple(phrases.constants(constants))
        evidence = verdict.evidence
        self.evidence: EvidenceView | None = (
            None
            if evidence is None or self._system is None
            else EvidenceView(evidence, self._system)
        )

    def story(
        self,
        *agents: str,
        brief: bool = False,
        max_runs: int | None = None,
        max_lines: int | None = None,
    ) -> str:
        """Return why the formula has its value, in sentences and with all runs.

        With `brief` there are one sentence and one run or table. At most so many runs are told, and of a run
        or table so many lines; a word says what is left out then.

        >>> import gnomon
        >>> print(gnomon.load("examples/tickets.ispl").check("AG !full")[0].story(brief=True))
        AG !full is false
        <BLANKLINE>
        This run breaks G !full.
        <BLANKLINE>
        run
        <BLANKLINE>
             Environment  Customer  Clerk
          0  waiting = 0
          ↓  idle         join      rest   line 15
          1  waiting = 1
          ↓  idle         join      rest   line 15
          2  waiting = 2
          ↓  idle         join      rest   line 15
          3  waiting = 3
        """
        system = self._system or nobody()
        limited = brief or max_runs is not None or max_lines is not None
        letters = Extent().letters if limited else None
        shown = story_page.render(
            system,
            self.verdict,
            agents=agents or None,
            facts=self._facts,
            extent=Extent(max_runs, max_lines, letters, brief),
        )
        return shown.plain().rstrip()

    def html(self, *agents: str) -> str:
        """Return the same as a page of HTML that needs nothing else.

        >>> import gnomon
        >>> gnomon.load("examples/tickets.ispl").check("AG !full")[0].html()[:15]
        '<!DOCTYPE html>'
        """
        system = self._system or nobody()
        return html_page.render(system, self.verdict, agents or None, self._facts)

    @property
    def holds(self) -> bool | None:
        """Return True or False where that is the answer, None where it is open."""
        return {Value.TRUE: True, Value.FALSE: False}.get(self.value)

    def __bool__(self) -> bool:
        """Refuse: an answer may also be open."""
        msg = (
            "an answer may be undefined or unknown: write `answer.holds`, "
            "or `answer.value is gnomon.Value.TRUE`"
        )
        raise TypeError(msg)

    def __repr__(self) -> str:
        """Show the formula and the value, with its name, and with what was expected if that is not true."""
        title = brief(phrases.titled(self.verdict))
        return f"<{title}: {phrases.judged_value(self.verdict)}>"

    def _repr_html_(self) -> str:
        """Return what was asked, how it came out and why, with the run or strategy and a picture."""
        from gnomon.results.render.notebook import answer

        return answer.render(self._system, self.verdict, self._facts)


class CheckResult:
    """The answers about one model, in the order of its formulae.

    - `result[0]`, `result["name"]` are an `Answer`; `answers` has all of them.
    - `as_expected`: whether all came out as they should; `checks`: deadlocks and overflows, where asked for.
    - `states`: how many states are reachable, None where that is not known; `seconds`: how long it took.
    - `constants`: what those of the program were worth; `diagnostics`: warnings.

    >>> import gnomon
    >>> result = gnomon.load("examples/tickets.ispl").check("EF full", "AG full", check_deadlock=True)
    >>> [answer.holds for answer in result], len(result)
    ([True, False], 2)
    >>> result.states, result.seconds < 60, result.constants
    (4, True, {})
    >>> result.checks, result.diagnostics, result.as_expected
    ((<deadlock: found=False>,), (), False)
    >>> result.answers[0] is result[0], result.certificate
    (True, None)
    """

    def __init__(self, result: Result, system: System | None) -> None:
        """Show this result about this system, None for any number of agents."""
        self.result = result
        constants = result.constants
        self.answers: tuple[Answer, ...] = tuple(
            Answer(verdict, system, constants) for verdict in result.verdicts
        )
        self.states: int | None = result.states
        self.seconds: float = result.seconds

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the warnings about the model and the run."""
        return self.result.diagnostics

    @property
    def checks(self) -> tuple[SanityCheck, ...]:
        """Return the deadlock and overflow checks that were asked for."""
        return self.result.checks

    @property
    def constants(self) -> dict[str, int]:
        """Return what the constants of the program were worth."""
        return dict(self.result.constants)

    @property
    def as_expected(self) -> bool:
        """Return whether every formula came out as it should, and no check that was asked for failed."""
        standings = [phrases.check_standing(check) for check in self.checks]
        return all(answer.as_expected for answer in self) and set(standings) <= {"expected"}

    @property
    def certificate(self) -> CertificateData | None:
        """Return the proofs, ready for JSON, where `certificate=True` asked for them.

        >>> import gnomon
        >>> proofs = gnomon.load("examples/tickets.ispl").check("EF full", certificate=True).certificate
        >>> proofs["verdicts"][0]["verdict"]
        'true'
        """
        return cast("CertificateData | None", self.result.certificate)

    @property
    def account(self) -> dict[str, str]:
        """Return what the engine did, by name, where `account=True` asked for it.

        >>> import gnomon
        >>> result = gnomon.load("examples/tickets.ispl").check("EF full", account=True)
        >>> list(result.account)
        ['formulae']
        """
        return dict(self.result.account)

    def to_dict(self) -> CheckData:
        """Return what `gnomon check --json` prints.

        >>> import gnomon
        >>> data = gnomon.load("examples/tickets.ispl").check("EF full").to_dict()
        >>> data["formulae"][0]["verdict"]
        'true'
        """
        return cast("CheckData", of_result(self.result))

    def to_rows(self) -> list[dict[str, object]]:
        """Return a row for each formula, with what `gnomon check --format csv` prints of it.

        >>> import gnomon
        >>> result = gnomon.load("examples/tickets.ispl").check("EF full", "AG full")
        >>> [row["verdict"] for row in result.to_rows()]
        ['true', 'false']
        """
        return [record_of(self.result, verdict) for verdict in self.result]

    def to_frame(self) -> "DataFrame":
        """Return the same as a data frame of pandas, which has to be installed.

        >>> import gnomon
        >>> result = gnomon.load("examples/tickets.ispl").check("EF full", "AG full")
        >>> result.to_frame()[["formula", "verdict"]]
           formula verdict
        0  EF full    true
        1  AG full   false
        """
        return data_frame(self.to_rows(), "`to_rows()`")

    def account_frame(self) -> "DataFrame":
        """Return the `account` as a data frame of pandas.

        >>> import gnomon
        >>> result = gnomon.load("examples/tickets.ispl").check("EF full", account=True)
        >>> list(result.account_frame().columns)
        ['figure', 'text']
        """
        return data_frame(account_rows([({}, self.account)]), "`account`")

    def __iter__(self) -> Iterator[Answer]:
        """Go through the answers."""
        return iter(self.answers)

    def __len__(self) -> int:
        """Return how many formulae were checked."""
        return len(self.answers)

    def __getitem__(self, which: int | str) -> Answer:
        """Return the answer at an index, from 0, or the one to the formula of that name."""
        if not isinstance(which, str):
            return self.answers[which]
        found = self._named(which)
        if found is None:
            raise KeyError(self._no_such_name(which))
        return found

    def __contains__(self, which: object) -> bool:
        """Return whether there is an answer to the formula of that name, or whether one is from here."""
        if isinstance(which, str):
            return self._named(which) is not None
        return any(which is answer for answer in self.answers)

    def _named(self, name: str) -> Answer | None:
        # Whoever writes `safe[1, 2]` means the formula that `--only 'safe[1, 2]'` means.
        wanted = as_choice(name)
        return next((each for each in self.answers if each.name and each.name == wanted), None)

    def _no_such_name(self, name: str) -> str:
        names = [answer.name for answer in self.answers if answer.name]
        near = closest(name, names)
        if near:
            return f"no formula is named `{name}`: did you mean `{near}`?"
        known = f"there are: {', '.join(phrases.few(names))}" if names else "none has a name"
        return f"no formula is named `{name}`; {known}"

    def __str__(self) -> str:
        """Show it as the command line does."""
        return text_page.render([self.result]).plain().rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return what is known of the model, a table of the formulae, why they are so, and the warnings."""
        from gnomon.results.render.notebook import result

        return result.render(self.result)


def nobody(name: str = "") -> System:
    """Return a system without agents, for what has nobody to show."""
    return System(name, (), TRUE)
