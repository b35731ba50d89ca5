"""Diagnostics with places that are hard to draw."""

from gnomon.text.diagnostic import Diagnostic, Label
from gnomon.text.source import Source, Span

ISPL = """\
Agent Receiver
  Vars:
    state : { empty, r0, r1 };
  end Vars
  Actions = {nothing, sendAck};
  Protocol:
    state=r0: {sendack};
  end Protocol
end Agent
"""


def at(source: Source, part: str, occurrence: int = 1) -> Span:
    """Return where a part of the text stands."""
    start = -1
    for _ in range(occurrence):
        start = source.text.index(part, start + 1)
    return Span(start, start + len(part))


def unknown_action() -> Diagnostic:
    """Return the example of the style guide."""
    source = Source("bit_transmission.ispl", ISPL)
    return Diagnostic(
        "G0204",
        "action `sendack` is not an action of agent `Receiver`",
        source,
        at(source, "sendack"),
        "not declared",
        ("Receiver declares: nothing, sendAck",),
        "did you mean `sendAck`?",
    )


def with_related() -> Diagnostic:
    """Return one that points at two lines."""
    source = Source("model.ispl", ISPL)
    return Diagnostic(
        "G0204",
        "no such action",
        source,
        at(source, "sendack"),
        "used here",
        related=(Label(at(source, "Actions"), "the actions are declared here"),),
    )


def same_line() -> Diagnostic:
    """Return one with two places on one line."""
    source = Source("model.ispl", "  x : 0..3; x : 0..1;\n")
    return Diagnostic(
        "G0204",
        "twice",
        source,
        at(source, "x : 0..1"),
        "again",
        related=(Label(at(source, "x : 0..3"), "first"),),
    )


def many_lines() -> Diagnostic:
    """Return one whose place goes over several lines."""
    source = Source("model.ispl", ISPL)
    start, end = source.text.index("Vars:"), source.text.index("end Vars") + len("end Vars")
    return Diagnostic("G0204", "a whole section", source, Span(start, end), "all of this")


def tabs() -> Diagnostic:
    """Return one on a line with tabs."""
    source = Source("model.ispl", "\tx\t= 1 if bad;\n")
    return Diagnostic("G0204", "tabs", source, at(source, "bad"), "here")


def wide() -> Diagnostic:
    """Return one behind characters that are two columns wide, and one that has none."""
    source = Source("model.ispl", "-- 漢字 e\u0301 ok bad\n")
    return Diagnostic("G0204", "wide characters", source, at(source, "bad"), "here")


def long_line() -> Diagnostic:
    """Return one far to the right."""
    text = " and ".join(f"x{index} = {index}" for index in range(60))
    source = Source("model.ispl", f"  {text};\n")
    return Diagnostic("G0204", "far away", source, at(source, "x30 = 30"), "this one")


def long_label() -> Diagnostic:
    """Return one with more words than there is room for."""
    source = Source("model.ispl", "state = r0: {sendack} and some more text that follows;\n")
    label = "this is a long remark that cannot stand beside the place on a narrow page"
    return Diagnostic("G0204", "words", source, at(source, "follows"), label)


def end_of_file() -> Diagnostic:
    """Return one at the very end, where there is no character."""
    source = Source("model.ispl", "Agent A\n")
    return Diagnostic("G0204", "something is missing", source, Span(8, 8), "here")


def no_place() -> Diagnostic:
    """Return one about a whole file."""
    return Diagnostic("G0001", "`gone.ispl` cannot be opened", Source("gone.ispl", ""))


ALL = (
    unknown_action,
    with_related,
    same_line,
    many_lines,
    tabs,
    wide,
    long_line,
    long_label,
    end_of_file,
    no_place,
)
