"""Families to plain programs: constants and indices become numbers, ranges become lists.

`coin[i : 1..3]` declares `coin[1]`, `coin[2]` and `coin[3]`; the brackets stay in the name, so that it can
clash with no other. Binders over types and templates are left alone: they belong to the model.
"""

from gnomon.language.expand.families import expand, expand_formula
from gnomon.language.expand.size import TooLarge

__all__ = ["TooLarge", "expand", "expand_formula"]
