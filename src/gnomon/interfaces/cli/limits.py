"""Seconds and megabytes as they are typed."""

import click


class Amount(click.FloatRange):
    """More than nothing. What is more than anybody waits for or has is no limit, and no mistake."""

    _ENDLESS = 1e7

    def __init__(self) -> None:
        """Accept every positive number."""
        super().__init__(min=0, min_open=True)

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the amount; clocks and libraries do not count up to infinity."""
        amount: float = super().convert(value, param, ctx)
        if amount != amount:  # noqa: PLR0124 - only what is no number differs from itself
            self.fail(f"{value} is no amount", param, ctx)
        return min(amount, self._ENDLESS)
