"""What may stand at a place of a text that is being written.

The place is worked out from the text alone, which is usually broken there: `surroundings` finds its sections,
`reading` reads its statement up to there. The names are those of the last version that was analysed.
"""

from gnomon.editing.completion.complete import complete
from gnomon.editing.completion.items import Completion, CompletionKind, Completions

__all__ = ["Completion", "CompletionKind", "Completions", "complete"]
