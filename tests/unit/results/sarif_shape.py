"""What of SARIF 2.1.0 we use, as a schema: nothing else may occur, and what the standard requires must."""

from typing import Any

from jsonschema import Draft202012Validator


def _closed(required: str = "", **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def _array(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 1}
_MESSAGE = _closed("text", text=_TEXT)
_ARTIFACT = _closed(
    "uri",
    # RFC 3986: nothing but these signs, and no colon before the first slash of a relative reference.
    uri={
        "type": "string",
        "pattern": r"^(file://|[^:/?#]*(/|$))([A-Za-z0-9._~/:!$&'()*+,;=@-]|%[0-9A-F]{2})*$",
    },
    uriBaseId=_TEXT,
    description=_MESSAGE,
)
_REGION = _closed(
    "startLine", startLine=_COUNT, startColumn=_COUNT, endLine=_COUNT, endColumn=_COUNT
)
_LOCATION = _closed(
    "physicalLocation",
    physicalLocation=_closed("artifactLocation", artifactLocation=_ARTIFACT, region=_REGION),
    message=_MESSAGE,
)
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_BAG = {"type": "object"}
_FLOW = _closed(
    "threadFlows",
    message=_MESSAGE,
    threadFlows={
        **_array(
            _closed(
                "locations",
                locations={**_array(_closed(location=_LOCATION, state=_BAG)), "minItems": 1},
            )
        ),
        "minItems": 1,
    },
)
_RESULT = _closed(
    "message ruleId",
    ruleId=_TEXT,
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    level=_LEVEL,
    message=_MESSAGE,
    locations=_array(_LOCATION),
    codeFlows=_array(_FLOW),
    properties=_BAG,
)
#: GitHub takes descriptions of so many characters, and asks for all three.
_DESCRIPTION = _closed("text", text={"type": "string", "maxLength": 1024})
_RULE = _closed(
    "id shortDescription fullDescription help",
    id=_TEXT,
    name=_TEXT,
    deprecatedIds={**_array(_TEXT), "minItems": 1},
    shortDescription=_DESCRIPTION,
    fullDescription=_DESCRIPTION,
    help=_MESSAGE,
    helpUri=_TEXT,
)
_NOTIFICATION = _closed(
    "message",
    message=_MESSAGE,
    level=_LEVEL,
    locations=_array(_LOCATION),
    associatedRule=_closed("id", id=_TEXT),
)
_INVOCATION = _closed(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    exitCode={"type": "integer"},
    toolExecutionNotifications=_array(_NOTIFICATION),
)
_RUN = _closed(
    "tool",
    tool=_closed("driver", driver=_closed("name", name=_TEXT, version=_TEXT, rules=_array(_RULE))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={
        "type": "object",
        "additionalProperties": _closed(uri=_TEXT, description=_MESSAGE),
    },
    invocations=_array(_INVOCATION),
    results=_array(_RESULT),
    properties=_BAG,
)
_LOG = _closed("version runs", version={"const": "2.1.0"}, runs=_array(_RUN)) | {}
_LOG["properties"]["$schema"] = _TEXT


def check_sarif(log: Any, *, findings: bool = False) -> Any:
    """Return the only run of a log, having checked the shape of all of it and what it refers to.

    Where there are only findings, some rules have none.
    """
    Draft202012Validator(_LOG).validate(log)
    [run] = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    used = {result["ruleId"] for result in run["results"]}
    assert used <= set(ids) if findings else used == set(ids)
    for result in run["results"]:
        assert result["level"] == "none" or result.get("kind", "fail") == "fail"
    return run
