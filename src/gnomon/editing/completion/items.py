"""What is offered at a place in a text: data, which a language server hands on in its own shape."""

from dataclasses import dataclass
from enum import Enum

from gnomon.text.source import Span


class CompletionKind(Enum):
    """What is offered."""

    KEYWORD = "keyword"
    AGENT = "agent"
    VARIABLE = "variable"
    ACTION = "action"
    VALUE = "value"
    PROPOSITION = "proposition"
    GROUP = "group"
    DEFINITION = "definition"
    FORMULA = "formula"
    CONSTANT = "constant"
    TYPE = "type"
    RELATION = "relation"
    INDEX = "index"
    OPERATOR = "operator"
    SNIPPET = "snippet"


@dataclass(frozen=True, slots=True)
class Completion:
    """Something that may stand at the cursor.

    `insert` is what is written for it, in the syntax of LSP's snippets where it `is_snippet`. Items are in
    the order of `sort`; `detail` is a few words for the line of the list, `documentation` a sentence.
    """

    label: str
    kind: CompletionKind
    insert: str
    is_snippet: bool = False
    detail: str = ""
    documentation: str = ""
    sort: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """What may stand in the place of `span`, the word at the cursor; `incomplete` if some were left out."""

    span: Span
    items: tuple[Completion, ...] = ()
    incomplete: bool = False
