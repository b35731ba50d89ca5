"""Who can, and who knows, as JSON: the shape that `schema/who.json` publishes."""

from gnomon.results.data import Object, of_diagnostic, of_evidence, seconds
from gnomon.results.groups import GroupAnswer, GroupMask, GroupSurvey, WhoReport
from gnomon.results.render.json import dumps
from gnomon.results.styled import Page
from gnomon.version import __version__


def render(report: WhoReport, _page: Page = Page()) -> str:
    """Return the report as indented JSON."""
    return dumps(of_report(report))


def of_report(report: WhoReport) -> Object:
    """Return the report as plain data."""
    return {
        "gnomon": __version__,
        "model": report.model,
        "constants": dict(report.constants),
        "kind": report.kind,
        "states": report.states,
        "asked_for": report.asked_for,
        "goal": report.goal,
        "when": report.when,
        "strategies": report.strategies,
        "surveys": [_of_survey(survey, report) for survey in report.surveys],
        "checks": report.checks,
        "rounds": report.rounds,
        "seconds": seconds(report.seconds),
        "complete": not report.is_open,
        "interrupted": report.interrupted,
        "diagnostics": [of_diagnostic(item) for item in report.diagnostics],
    }


def _of_survey(survey: GroupSurvey, report: WhoReport) -> Object:
    return {
        "kind": survey.kind,
        "formula": survey.formula,
        "agents": list(survey.agents),
        "at_most": survey.largest,
        "monotone": survey.direction,
        "groups": len(survey.groups),
        "nobody": None if survey.nobody is None else _of_answer(survey.nobody, survey),
        "holding": [_of_border(group, survey, report) for group in survey.holding],
        "failing": [_of_border(group, survey, report) for group in survey.failing],
        "open": [list(survey.members(group)) for group in survey.open],
        "asked": [_of_answer(each, survey) for each in survey.answers if each.formula],
    }


def _of_border(group: GroupMask, survey: GroupSurvey, report: WhoReport) -> Object:
    formula = survey.by_group[group].formula
    found: Object = {"members": list(survey.members(group)), "certain": survey.is_certain(group)}
    if report.evidence is not None:
        verdict = next((each for each in report.evidence if each.formula == formula), None)
        if verdict is not None:
            system = verdict.system or report.evidence.system
            found["evidence"] = of_evidence(verdict.evidence, system)
    return found


def _of_answer(answer: GroupAnswer, survey: GroupSurvey) -> Object:
    return {
        "members": list(survey.members(answer.group)),
        "formula": answer.formula,
        "verdict": answer.value.value,
        "holds": answer.holds,
        "reason": answer.reason or None,
        "vacuous": answer.vacuous or None,
    }
