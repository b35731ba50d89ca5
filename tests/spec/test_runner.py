"""The specifications are only worth something if their reader and runner notice mistakes."""

from pathlib import Path
from typing import Any

import pytest

import gnomon
from gnomon.checking.attempts import Engine
from tests.spec.reader import Case, Claim, read_cases, read_claims, read_commands, write_commands
from tests.spec.runner import Said, ask_gnomon, broken_claims, normal, rewrite, run_command

MARKDOWN = """\
# Title

## First case

```ispl
Agent A
```

```console
$ gnomon check model.ispl
old, 0.01 s
exit status: 1
```

## Only prose

````markdown
## Not a heading
```ispl
not a program
```
````

## First case

```json file=in/data.json
{}
```

```console
$ gnomon check model.ispl
old, 0.01 s
exit status: 1
```
"""


def cases_of(folder: Path, text: str = MARKDOWN) -> list[Case]:
    path = folder / "some.md"
    path.write_text(text, encoding="utf-8")
    return read_cases(path)


def says(*said: Said) -> list[Said]:
    return list(said)


def test_a_heading_with_blocks_is_a_case_with_a_name_of_its_own(tmp_path: Path) -> None:
    assert ["some:first-case", "some:first-case-2"] == [case.id for case in cases_of(tmp_path)]


def test_blocks_have_their_files_and_places(tmp_path: Path) -> None:
    first, second = cases_of(tmp_path)

    assert [("model.ispl", 6), (None, 10)] == [(block.file, block.line) for block in first.blocks]
    assert ["in/data.json", None] == [block.file for block in second.blocks]


def test_a_block_without_an_end_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"some\.md:1"):
        cases_of(tmp_path, "```ispl\nAgent A\n")


def test_claims_are_read_from_the_ends_of_lines() -> None:
    program = (
        "AG p;  -- true\n"
        "-- true stories\n"
        'x := 1; -- error: G0204 "no such" warning: G0401\n'
        "EF p; -- false"
    )

    assert [
        Claim(1, "true"),
        Claim(3, "error: G0204", "no such"),
        Claim(3, "warning: G0401"),
        Claim(4, "false"),
    ] == read_claims(program)


def test_met_claims_are_silent() -> None:
    said = says(Said(1, "warning: G0401", "dead line"), Said(1, "true"))

    assert [] == broken_claims('AG p; -- true warning: G0401 "dead"', lambda *_: said)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("AG p; -- true", says(Said(1, "false"))),
        ("AG p; -- true", says(Said(2, "true"))),
        ("AG p; -- true", says()),
        ("AG p; -- true", says(Said(1, "true"), Said(2, "true"))),
        ("AG p;", says(Said(1, "warning: G0401", "dead line"))),
        ("AG p; -- error: G0204", says(Said(1, "warning: G0204"))),
        ('AG p; -- error: G0204 "this"', says(Said(1, "error: G0204", "that"))),
        ("AG p; -- error: G0204", says(Said(1, "error: G0204"), Said(1, "error: G0204"))),
    ],
    ids=["value", "line", "silence", "more", "unforeseen", "severity", "message", "twice"],
)
def test_claims_that_are_not_met_are_reported(program: str, said: list[Said]) -> None:
    assert broken_claims(program, lambda *_: said)


def test_a_claim_may_name_a_reading_an_engine_and_populations() -> None:
    program = """\
        <g>F p; -- perfect: true uniform-model(g): false abstraction: undefined
        AG !p; -- false with 2 A and 1 B or 3 A
        EF p; -- true with nobody
    """

    assert [
        Claim(1, "true"),
        Claim(1, "false", by="uniform-model(g)"),
        Claim(1, "undefined", by="abstraction"),
        Claim(2, "false with 2 A and 1 B or 3 A"),
        Claim(3, "true with nobody"),
    ] == read_claims(program)


def test_a_claim_on_a_line_of_its_own_is_about_every_formula() -> None:
    program = "-- abstraction: refused\nAG p; -- true\nx = 1;\nEF p; -- false"
    verdicts = [Claim(2, "true"), Claim(4, "false")]
    refused = [Claim(2, "refused", by="abstraction"), Claim(4, "refused", by="abstraction")]

    assert verdicts + refused == read_claims(program)


def test_a_claim_about_a_reading_is_met_by_that_reading_alone() -> None:
    claimed = "<g>F p; -- true uniform: false"

    assert [] == broken_claims(
        claimed, lambda *_: says(Said(1, "true"), Said(1, "false", by="uniform"))
    )
    assert broken_claims(claimed, lambda *_: says(Said(1, "true"), Said(1, "false", by="bdd")))


LIGHT = """\
Agent P
  Vars: on : boolean; end Vars
  Evolution: on = !on if true; end Evolution
end Agent
InitStates P.on = false; end InitStates
Formulae
  EX P.on = true; {}
end Formulae
"""


@pytest.mark.parametrize("wrong", ["explicit", "bdd", "abstraction"])
def test_every_engine_is_asked(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = gnomon.check

    def lie(model: gnomon.Model, engine: Engine = "auto", **options: Any) -> Any:
        found = asked(model, engine=engine, **options)
        for answer in found:
            answer.value = gnomon.Value.FALSE if engine == wrong else answer.value
        return found

    assert [] == broken_claims(LIGHT.format("-- true"))
    monkeypatch.setattr(gnomon, "check", lie)
    assert [f"so but not claimed: line 7: {wrong}: false"] == broken_claims(LIGHT.format("-- true"))


def test_verdicts_are_asked_for_only_where_one_is_claimed() -> None:
    assert [] == ask_gnomon(LIGHT.format("-- no claim"), [])
    assert [Said(7, "true")] == ask_gnomon(LIGHT.format(""), [Claim(7, "true")])


def test_console_blocks_are_read_and_written_back() -> None:
    console = "$ gnomon a\none\n\ntwo\nexit status: 3\n$ gnomon b\n"

    commands = read_commands(console)

    assert [("one\n\ntwo\n", 3), ("", 0)] == [(it.output, it.status) for it in commands]
    assert console == write_commands(commands)


def test_a_console_block_needs_a_command() -> None:
    with pytest.raises(ValueError, match="starts with"):
        read_commands("gnomon check model.ispl\n")


def test_only_gnomon_is_run() -> None:
    with pytest.raises(ValueError, match="only"):
        run_command("rm model.ispl")


def test_times_are_made_equal_and_other_numbers_are_kept() -> None:
    expected = 'done in … s (… s), 12 states, version 0.1.0\n"seconds": …,\n'

    assert expected == normal(
        'done in 0.002 s (13.5 ms), 12 states, version 0.1.0\n"seconds": 1.5e-05,'
    )


def test_only_the_block_of_the_case_is_rewritten(tmp_path: Path) -> None:
    first, second = cases_of(tmp_path)

    rewrite(first, {1: "$ gnomon a\nmuch\nlonger\nthan\nbefore\n"})
    rewrite(second, {1: "$ gnomon b\n"})

    old = "$ gnomon check model.ispl\nold, 0.01 s\nexit status: 1\n"
    before, between, after = MARKDOWN.split(old)
    assert (
        before + "$ gnomon a\nmuch\nlonger\nthan\nbefore\n" + between + "$ gnomon b\n" + after
        == first.path.read_text(encoding="utf-8")
    )
