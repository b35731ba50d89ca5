"""What is offered, while it is being put together: names, words and snippets, each in its rank."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gnomon.editing.completion.items import Completion, CompletionKind
from gnomon.editing.completion.names import KnownAgent, KnownVariable
from gnomon.editing.completion.site import Site
from gnomon.editing.snippets import SNIPPETS, Snippet, SnippetPlace
from gnomon.language import syntax
from gnomon.language.expression_text import ExpressionText
from gnomon.text.numbers import show_integer

#: What fits best comes first.
BEST, GOOD, FAIR, WORD, RARE, SKELETON = range(1, 7)

#: More items are not handed out at once.
MOST_ITEMS: Final = 500
#: More values of a range are not listed one by one.
_MOST_NUMBERS: Final = 12
_MOST_VALUES: Final = 8


class Offers:
    """Items for a place; of two with one label and one text the first counts."""

    def __init__(self, site: Site, prefix: str = "", *, snippets: bool) -> None:
        """Begin with none; `prefix` is what was written of the word."""
        self.site = site
        self.prefix = prefix.lower()
        self.left_out = False
        self.snippets = snippets
        self.items: dict[tuple[str, str], Completion] = {}
        self.by_snippet: set[str] = set()
        self._texts = ExpressionText(site.names.source)

    def add(
        self,
        rank: int,
        label: str,
        kind: CompletionKind,
        detail: str = "",
        documentation: str = "",
        *,
        insert: str = "",
        is_snippet: bool = False,
    ) -> None:
        """Offer something."""
        sort = f"{rank}{len(self.items):05d}"
        item = Completion(label, kind, insert or label, is_snippet, detail, documentation, sort)
        known = self.items.get((label, item.insert))
        # The same text is offered once, by whoever says more: `true` is a value here, and a word anywhere.
        if known is None or (known.kind is CompletionKind.KEYWORD and kind is not known.kind):
            self.items[(label, item.insert)] = item
            self.by_snippet |= {label} if kind is CompletionKind.SNIPPET else set()

    def best(self) -> Iterator[Completion]:
        """Yield all items, but for words that a snippet begins with: it is offered by the same name."""
        for item in self.items.values():
            if item.kind is not CompletionKind.KEYWORD or item.label not in self.by_snippet:
                yield item

    def words(
        self, rank: int, words: Iterable[str], kind: CompletionKind = CompletionKind.KEYWORD
    ) -> None:
        """Offer words of the language."""
        for word in words:
            self.add(rank, word, kind)

    def place(self, rank: int, place: SnippetPlace, labels: Sequence[str] | None = None) -> None:
        """Offer the snippets of a place, or some of them."""
        for snippet in SNIPPETS[place]:
            if labels is None or snippet.label in labels:
                self.snippet(rank, snippet)

    def snippet(self, rank: int, snippet: Snippet, label: str = "") -> None:
        """Offer one snippet, as text where there can be no places to fill in."""
        insert = snippet.body if self.snippets else snippet.plain
        self.add(
            rank,
            label or snippet.label,
            CompletionKind.SNIPPET,
            snippet.detail,
            snippet.documentation,
            insert=insert,
            is_snippet=self.snippets,
        )

    # Names

    def admits(self, name: str) -> bool:
        """Return whether there is room for a name: where there are many, if it begins like the word."""
        if len(self.items) < MOST_ITEMS:
            return True
        begins = name.lower().startswith(self.prefix) and len(self.items) < 2 * MOST_ITEMS
        self.left_out = self.left_out or not begins
        return begins

    def name(
        self,
        rank: int,
        name: str,
        kind: CompletionKind,
        detail: str = "",
        documentation: str = "",
        *,
        indices: int = 0,
    ) -> None:
        """Offer a name; one of a family comes with brackets, where there are none yet."""
        if not self.admits(name):
            return
        insert, is_snippet = name, False
        if indices and self.snippets and self.site.following != "[":
            running = [each for each, domain in self.site.reading.bound.items() if not domain]
            chosen = running[-indices:] if len(running) >= indices else ["1"] * indices
            fields = (f"${{{number}:{each}}}" for number, each in enumerate(chosen, 1))
            insert, is_snippet = f"{name}[{', '.join(fields)}]", True
        self.add(rank, name, kind, detail, documentation, insert=insert, is_snippet=is_snippet)

    def variable(self, rank: int, variable: KnownVariable) -> None:
        """Offer a variable."""
        if not self.admits(variable.name):
            return
        detail = f"{self.type_text(variable.type)}, of {variable.owner}"
        shown = self.site.names.shown(variable.span)
        self.name(
            rank, variable.name, CompletionKind.VARIABLE, detail, shown, indices=variable.indices
        )

    def agent(self, rank: int, agent: KnownAgent, *, indexed: bool = True) -> None:
        """Offer an agent or a template."""
        detail = {"environment": "the environment", "template": "template"}.get(agent.kind, "agent")
        indices = agent.indices if indexed else 0
        self.name(rank, agent.name, CompletionKind.AGENT, detail, indices=indices)

    def action(self, rank: int, agent: KnownAgent, name: str) -> None:
        """Offer an action of an agent."""
        indices = agent.actions.get(name, 0)
        detail = f"action of {agent.name}"
        self.name(rank, name, CompletionKind.ACTION, detail, indices=indices)

    def indices(self, rank: int, domains: Iterable[str] | None = None) -> None:
        """Offer the indices in scope, or those that run through some of these."""
        wanted = None if domains is None else set(domains)
        for name, domain in self.site.reading.bound.items():
            if wanted is None or domain in wanted:
                through = f"index, of {domain}" if domain else "index"
                self.add(rank, name, CompletionKind.INDEX, through)

    def constants(self, rank: int) -> None:
        """Offer the constants."""
        for name, constant in self.site.names.constants.items():
            if not self.admits(name):
                continue
            value = self.site.names.worth.get(name)
            shown = self.site.names.shown(constant.span)
            detail = "constant" if value is None else f"constant, {show_integer(value)}"
            self.add(rank, name, CompletionKind.CONSTANT, detail, shown)

    def parameters(self, rank: int) -> None:
        """Offer the parameters."""
        for name in self.site.names.parameters:
            if self.admits(name):
                self.add(rank, name, CompletionKind.CONSTANT, "parameter")

    # Values

    def values(self, rank: int, type_: syntax.Type | None, whose: str) -> None:
        """Offer the values of a type."""
        match type_:
            case syntax.BooleanType():
                for word in ("true", "false"):
                    self.add(rank, word, CompletionKind.VALUE, f"boolean{whose}")
            case syntax.EnumerationType(names):
                for name in names:
                    detail = f"value{whose}"
                    self.name(
                        rank, name.text, CompletionKind.VALUE, detail, indices=len(name.indices)
                    )
            case syntax.RangeType(low, high):
                self._numbers(rank, (low, high), f"{self.type_text(type_)}{whose}")
            case _:
                pass

    def _numbers(
        self, rank: int, ends: tuple[syntax.Expression, syntax.Expression], detail: str
    ) -> None:
        """Offer the numbers of a range, or the ends of a long one."""
        low, high = (worth(end, self.site.names.worth) for end in ends)
        if low is not None and high is not None and high - low < _MOST_NUMBERS:
            for number in range(low, high + 1):
                self.add(rank, show_integer(number), CompletionKind.VALUE, detail)
            return
        for end, value in zip(ends, (low, high), strict=True):
            text = self._texts.show(end) if value is None else show_integer(value)
            self.add(rank, text, CompletionKind.VALUE, detail)

    def type_text(self, type_: syntax.Type) -> str:
        """Return a type in a few words: `0..n - 1`, `{ red, green }`."""
        match type_:
            case syntax.BooleanType():
                return "boolean"
            case syntax.IntegerType():
                return "int"
            case syntax.NamedType(name):
                return name.text
            case syntax.RangeType(low, high):
                return f"{self._texts.show(low)}..{self._texts.show(high)}"
            case syntax.EnumerationType(names, more):
                shown = [name.text for name in names[:_MOST_VALUES]]
                shown += ["…"] if len(names) > _MOST_VALUES else [".."] if more else []
                return f"{{ {', '.join(shown)} }}"


def worth(expression: syntax.Expression, constants: dict[str, int]) -> int | None:
    """Return what a bound of a range comes to, where that is easy to tell."""
    match expression:
        case syntax.Number(value):
            return value
        case syntax.Reference(None, syntax.Name(text, ())):
            return constants.get(text)
        case syntax.Unary("-", operand):
            negated = worth(operand, constants)
            return None if negated is None else -negated
        case syntax.Chain("+", operands):
            terms = [worth(each, constants) for each in operands]
            return None if None in terms else sum(filter(None, terms))
        case syntax.Binary("*", left, right):
            first, second = worth(left, constants), worth(right, constants)
            return None if first is None or second is None else first * second
        case _:
            return None
