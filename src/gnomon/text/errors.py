"""The exceptions of Gnomon, one tree.

::

    GnomonError
    ├── InputError              the input cannot be used, and its diagnostics say why
    ├── Reported                a part cannot be read, which its diagnostics say already
    │   └── TooLarge            … and there is no point in reading on
    ├── Unable                  what was asked for cannot be had, and the message says why
    │   ├── NotFinite           a population has no system that lists its states
    │   ├── CannotExport        a model has no program in another language
    │   ├── WalkError           a step of a walk cannot be taken
    │   └── NothingToDraw       a verdict has no runs
    ├── LimitReached            a limit was hit, and the message says which
    │   ├── OutOfReach          one formula needs more than one may have
    │   ├── TryAnother          one way came to its end, and there may be another
    │   │   └── Unsuited        one engine cannot take the model at all
    │   ├── FormulaLimit        one formula has had the time that one may take
    │   └── InfinitelyMany      no list of the states ends
    ├── NotLinear               a formula says more than what holds on one path
    ├── NotSolvable             something cannot be decided by satisfiability, and the message says why
    ├── ModelProblem            what pytest is told of a model
    ├── JobLost                 the process of a job has gone without an answer
    ├── Senseless               the model contradicts itself, which was found out while it was checked
    ├── Unconvinced             what the checker of certificates says of a proof
    ├── Abandoned               a search ends without a result, and whoever began it goes on otherwise
    │   └── TurnOver            … or goes on later, since it is somebody else's turn
    └── Bug                     our mistake, which is told and never passed over
        ├── FormattingBug       formatting would change a program
        ├── Disagreement        two ways to one answer differ
        └── Inconsistent        an engine contradicts itself

Beside it stand `Terminated` (text.ending), which asks the whole program to end, and what click and the
process of a check raise in their own libraries' trees. Everything else is Python's, and a bug.
"""


class GnomonError(Exception):
    """Anything that Gnomon raises on purpose."""


class Reported(GnomonError):
    """A part of the input cannot be read; it has been reported already, and the next part may be fine."""


class TooLarge(Reported):
    """There is no point in reading on: written out, the program would be too large."""


class Unable(GnomonError):
    """What was asked for cannot be had; the message says why, and what to do instead."""


class Senseless(GnomonError):
    """The model contradicts itself: its lines, or its axioms."""


class Unconvinced(GnomonError):
    """A certificate proves nothing, or not to this checker."""


class Abandoned(GnomonError):
    """A search ends without a result; whoever began it goes on in another way."""


class Bug(GnomonError):
    """A mistake of ours, found out."""
