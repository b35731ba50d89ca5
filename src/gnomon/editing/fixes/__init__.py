"""Quick fixes: what an editor offers to mend what is wrong with a text."""

from gnomon.editing.fixes.expecting import expectation_change
from gnomon.editing.fixes.fix import Fix
from gnomon.editing.fixes.offered import fixes

__all__ = ["Fix", "expectation_change", "fixes"]
