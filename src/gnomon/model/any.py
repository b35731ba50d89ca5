"""Models of every kind, and what can be asked of them, under one name each."""

from typing import TYPE_CHECKING, TypeAlias

if (
    TYPE_CHECKING
):  # most models have no templates, and what these are made of is not loaded for them
    from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
    from gnomon.model.system import Specification, System

#: A system with known agents, finite or not, or templates for any number of agents. All have a `name`, a
#: `kind`, `specifications`, and (or None) the `fixed` system that they are.
AnyModel: TypeAlias = "System | OpenSystem"
#: A formula about a model. All have a `text`, a `parsed` form, a `line`, a `logic` and `has_coalition`.
AnySpecification: TypeAlias = "Specification | PopulationQuestion"
