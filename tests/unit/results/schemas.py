"""The published schemas, ready to validate with."""

import json
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource


def schema(name: str) -> Any:
    """Return a schema as it is shipped in the package."""
    text = (files("gnomon.results") / "schema" / f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)


NAMES = (
    "check",
    "show",
    "coverage",
    "graph",
    "simulate",
    "question",
    "certificate",
    "job",
    "answer",
    "who",
)


def validate(name: str, text: str) -> Any:
    """Return the value of a JSON text, having checked it against a published schema."""
    resources = [Resource.from_contents(schema(each)) for each in NAMES]
    registry: Registry[Any] = Registry().with_resources(
        (each.id() or "", each) for each in resources
    )
    value = json.loads(text)
    Draft202012Validator(schema(name), registry=registry).validate(value)
    return value
