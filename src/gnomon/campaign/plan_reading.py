"""Text or options to a plan, with every mistake told at once, at the place where it stands."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast, get_args

from gnomon.campaign.plan import (
    MOST_AT_ONCE,
    MOST_SEED,
    ClusterAddress,
    ClusterSecurity,
    Plan,
    PlannedCheck,
    Schedule,
)
from gnomon.campaign.plan_checks import CHECK_KEYS, planned_check
from gnomon.campaign.plan_text import PlanText, read_text
from gnomon.campaign.plan_trial import unaskable
from gnomon.campaign.plan_values import PlanValues
from gnomon.checking.load import read_source
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source

#: What is said once for all checks.
_CAMPAIGN_KEYS: Final = ("name", "store", "schedule", "jobs", "seed", "cluster", "check")
_CLUSTER_KEYS: Final = ("address", "ca-file", "cert", "key")


def read_plan(path: str | Path) -> Plan:
    """Return the plan in a file; raise `InputError` with all that is wrong with it."""
    text = read_text(read_source(str(path)))
    return _plan(text, Path(path).parent, Path(path).stem)


def plan_of(options: Mapping[str, Any]) -> Plan:
    """Return the plan that options on a command line stand for; they are named as in a file."""
    return _plan(PlanText(Source("<command line>", ""), options), Path(), "campaign")


def _plan(text: PlanText, folder: Path, stem: str) -> Plan:
    values = PlanValues(text)
    data = text.data
    values.known_keys((), data, (*_CAMPAIGN_KEYS, *CHECK_KEYS))
    name = values.string(("name",), data.get("name", stem)) or stem
    store = values.string(("store",), data.get("store", f"{name}.store")) or "none"
    if (folder / store).is_dir():
        values.wrong(("store",), f"the store `{store}` is a folder, and should be a file", store)
    plan = Plan(
        name,
        folder / store,
        _checks(values, folder),
        cast("Schedule", values.choice(("schedule",), *_schedule(data))),
        values.number(("jobs",), data["jobs"], 1, MOST_AT_ONCE) if "jobs" in data else None,
        values.number(("seed",), data["seed"], 0, MOST_SEED) if "seed" in data else None,
        _cluster(values, folder) if "cluster" in data else None,
    )
    if not values.said.has_errors:
        unaskable(plan, values)
    if values.said.has_errors:
        raise InputError(values.said.sorted())
    return plan


def _schedule(data: Mapping[str, Any]) -> tuple[object, tuple[str, ...]]:
    return data.get("schedule", "cheap-first"), get_args(Schedule)


def _checks(values: PlanValues, folder: Path) -> tuple[PlannedCheck, ...]:
    data = values.text.data
    usual = {key: value for key, value in data.items() if key in CHECK_KEYS}
    tables = data.get("check")
    if tables is None:
        return (planned_check(values, (), usual, {}, folder),)
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        values.wrong(("check",), "checks are tables of their own, each below a line `[[check]]`")
        return ()
    for number, each in enumerate(tables):
        values.known_keys(("check", number), each, CHECK_KEYS, _CAMPAIGN_KEYS)
    return tuple(
        planned_check(values, ("check", number), each, usual, folder)
        for number, each in enumerate(tables)
    )


def _cluster(values: PlanValues, folder: Path) -> ClusterAddress | None:
    given = values.table(("cluster",), values.text.data["cluster"])
    values.known_keys(("cluster",), given, _CLUSTER_KEYS)
    if "address" not in given:
        help_ = 'address = "tls://scheduler.example.org:8786", or "local"'
        values.wrong(("cluster",), "the cluster has no address", help=help_)
        return None
    files = {}
    for key in ("ca-file", "cert", "key"):
        named = values.string(("cluster", key), given[key]) if key in given else None
        if named is not None and not (folder / named).is_file():
            values.wrong(("cluster", key), f"there is no file `{named}`", named)
        files[key.replace("-", "_")] = None if named is None else folder / named
    address = values.string(("cluster", "address"), given["address"])
    return ClusterAddress(address or "", ClusterSecurity(**files))
