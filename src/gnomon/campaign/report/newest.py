"""Which answers of a store count in a report: of every model its newest text, and of that the newest answers.

A store keeps what was ever asked. Whoever corrects a model, raises a limit or installs another version and
asks again means the new answers; beside the old ones they would look like contradictions.
"""

from collections.abc import Iterable

from gnomon.campaign.report.measured import configuration_of, subject_of
from gnomon.campaign.rows import VerdictRow, rows_of
from gnomon.campaign.stored import StoredAnswer


def newest(answers: Iterable[StoredAnswer]) -> list[VerdictRow]:
    """Return the rows that count; the answers come in the order in which they were given."""
    listed = list(answers)
    texts = {stored.question.name: stored.question.text for stored in listed}
    counting: dict[object, VerdictRow] = {}
    for stored in listed:
        if stored.question.text == texts[stored.question.name]:
            for row in rows_of(stored):
                counting[subject_of(row), configuration_of(row), row.repetition] = row
    return list(counting.values())
