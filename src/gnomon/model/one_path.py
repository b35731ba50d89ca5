"""Formulae about some path, with what they say of a path that branches off said of the path itself.

Some path gets to where some path does f, if and only if some path gets there and then does f itself: so
`E F (r and E G !s)` is `E F (r and G !s)`, and one run shows it. Under fairness this is so as well, since how
a path begins makes no difference to whether it is fair.
"""

from gnomon.model import formula as f


def one_path(path: f.Formula) -> f.Formula:
    """Return a path formula of which some path satisfies it just where some path satisfies the other."""
    match path:
        case f.Exists(inner):
            return one_path(inner)
        case f.Not(body):
            return _without(body)
        case f.Finally(body) | f.Next(body):
            return type(path)(one_path(body))
        case f.Until(left, right) if not f.is_path_formula(left):
            return f.Until(left, one_path(right))
        case f.Or(operands):
            return f.Or(tuple(map(one_path, operands)))
        case f.And(operands):
            return _both(operands)
        case f.Implies(left, right):
            return f.Or((_without(left), one_path(right)))
        case _:
            return path


def _without(body: f.Formula) -> f.Formula:
    """Return the opposite of a formula in the same way."""
    match body:
        case f.All(path):
            return _without(path)
        case f.Not(inner):
            return one_path(inner)
        case f.Globally(inner):
            return f.Finally(_without(inner))
        case f.Next(inner):
            # Every path goes on.
            return f.Next(_without(inner))
        case f.Or(operands):
            return _both(tuple(f.Not(each) for each in operands))
        case f.And(operands):
            return f.Or(tuple(map(_without, operands)))
        case f.Implies(left, right):
            return _both((left, f.Not(right)))
        case _:
            return f.Not(body)


def _both(operands: tuple[f.Formula, ...]) -> f.Formula:
    """Return a conjunction: one part of it may branch off, if the others are about the state."""
    joined = tuple(map(one_path, operands))
    branching = sum(map(f.is_path_formula, joined))
    return f.And(joined if branching < 2 else operands)
