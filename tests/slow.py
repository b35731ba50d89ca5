"""What the fast suite leaves out, by what it takes: see `--durations=30`.

Whole files where every test starts programs of its own, or tries out many planted mistakes; single tests of a
second of processor time and more with few random examples. A test may be marked `slow` where it stands, too.
"""

SLOW = (
    "tests/contract/test_abstraction_mutants.py",
    "tests/contract/test_parameterised_mutants.py",
    "tests/contract/test_symbolic_mutants.py",
    "tests/e2e/test_bad_input.py",
    "tests/e2e/test_limits.py",
    "tests/e2e/test_reading_limits.py",
    "tests/e2e/test_streams.py",
    "tests/e2e/test_walk_limits.py",
)


def is_slow(test: str) -> bool:
    """Return whether a test, `file::function[parameters]`, is left out."""
    file, _, function = test.partition("::")
    return file in SLOW or f"{file}::{function.partition('[')[0]}" in SLOW or test in SLOW
