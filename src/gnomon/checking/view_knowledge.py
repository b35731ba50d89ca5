"""Who is in doubt about what with which view: settled view by view, by runs and by invariants."""

from gnomon.checking.circuit_work import CircuitWork
from gnomon.checking.known_views import KnownViews
from gnomon.checking.linear_paths import without_idle_quantifiers
from gnomon.checking.momentary import Doubt, doubts_of, is_momentary, joint_view, known_parts
from gnomon.checking.view_facts import SeenRun
from gnomon.checking.view_question import ViewQuestion
from gnomon.model.formula import Formula, GroupKnows, Knows, Obliged
from gnomon.model.step import State


class ViewKnowledge(KnownViews):
    """What agents know in the states of one system, found out where it is asked for."""

    def __init__(self, work: CircuitWork, *, endless: bool) -> None:
        """Settle nothing yet; `endless`: only infinite paths count, in what is known, too."""
        super().__init__(work, endless=endless)
        self._questions: dict[tuple[Doubt, State], ViewQuestion] = {}

    def witness(self, formula: Formula, state: State) -> tuple[Doubt, SeenRun] | None:
        """Return a run that shows that something is not known in a state, and to whom."""
        formula = without_idle_quantifiers(formula)
        assert isinstance(formula, Knows | GroupKnows | Obliged)
        for doubt in doubts_of(formula) or ():
            if self.known(doubt, state) is True:
                seen = joint_view(self.work.system, doubt.agents, state)
                return doubt, self.facts.witness(doubt, seen)
        return None

    def settled(self, formula: Formula, state: State) -> bool | None:
        """Return the value of a formula about one moment after it was found out.

        None where its parts that are about one moment do not decide it.
        """
        while True:
            value = self.value(formula, state)
            if value is not None or not self.settle(formula, state):
                return value

    def settle(self, formula: Formula, state: State) -> bool:
        """Find out one thing of what is open in a state that counts; return whether there is one."""
        for part in known_parts(without_idle_quantifiers(formula)):
            for doubt in doubts_of(part) or ():
                if self.known(doubt, state) is None:
                    seen = joint_view(self.work.system, doubt.agents, state)
                    if not self._was_seen(doubt, seen):
                        self._ask(doubt, seen)
                    return True
        return False

    def _ask(self, doubt: Doubt, seen: State) -> None:
        key = doubt, seen
        if key not in self._questions:
            self._questions[key] = ViewQuestion(self, doubt, seen)
        found, sure = self._questions[key].ask()
        if found is not None:
            self.facts.is_doubtful(doubt, seen, found)
        else:
            self.facts.is_sure(doubt, sure, by_invariant=False)
        del self._questions[key]

    def _was_seen(self, doubt: Doubt, seen: State) -> bool:
        """Return whether a run that is known leaves somebody with this view in doubt."""
        if not is_momentary(doubt.body):
            return False
        for states, loop in self.runs:
            for place, state in enumerate(states):
                looks = joint_view(self.work.system, doubt.agents, state)
                if looks == seen and self.value(doubt.body, state) is False:
                    self.facts.is_doubtful(doubt, seen, SeenRun(states, loop, place))
                    return True
        return False
