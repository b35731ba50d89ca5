"""What editors ask of the language server, one feature a test, over its streams."""

import os
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.editor import Editor, Session, example, read, session, soon

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXAMPLES = Path("examples").resolve()

SMALL = """Agent Environment
  Vars: lamp : { off, on }; end Vars
  Actions = { none };
  Protocol: Other : { none }; end Protocol
  Evolution: lamp = on if Ann.Action = press; end Evolution
end Agent

Agent Ann
  Lobsvars = { lamp };
  Vars: tired : boolean; strength : 0..5; end Vars
  Actions = { press, rest };
  Protocol:
    tired = false : { press, rest };
    Other : { rest };
  end Protocol
  Evolution: tired = true if Action = press; end Evolution
end Agent

Evaluation
  bright if Environment.lamp = on;
end Evaluation

InitStates
  Environment.lamp = off and Ann.tired = false and Ann.strength = 3;
end InitStates

Groups
  team = { Ann };
end Groups

Formulae
  can : <team>F bright;
  always : AG bright;
end Formulae
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Session]:
    async with session(root=EXAMPLES) as found:
        yield found


async def test_a_mistake_is_told_with_its_place_code_page_and_other_places(server: Session) -> None:
    text = SMALL.replace("can : <team>", "always : <team>")
    editor = await server.open(text)
    [said] = await editor.diagnostics()

    assert ("G0607", "gnomon") == (said.code, said.source)
    assert types.DiagnosticSeverity.Error == said.severity
    assert "always" == editor.words(said.range)
    assert said.related_information is not None
    assert "the first one is here" == said.related_information[0].message
    assert said.code_description is not None
    assert "G0607" in read(said.code_description.href)


async def test_a_warning_is_one_and_the_file_may_allow_it(server: Session) -> None:
    editor = await server.open(SMALL.replace("rest };\n  Protocol", "rest, sing };\n  Protocol"))
    [said] = await editor.diagnostics()
    allowed = await editor.change("Agent Environment", f"--! allow {said.code}\nAgent Environment")

    assert types.DiagnosticSeverity.Warning == said.severity
    assert () == allowed


async def test_what_is_mended_is_no_longer_told(server: Session) -> None:
    editor = await server.open(SMALL)
    broken = await editor.change("lamp = on if", "lmap = on if")
    mended = await editor.change("lmap = on if", "lamp = on if")

    assert ["G0202"] == [said.code for said in broken]
    assert () == mended


async def test_quick_fixes_change_the_text_as_they_say(server: Session) -> None:
    editor = await server.open(SMALL.replace("tired = false : { press", "tired = false : { pres"))
    [said] = await editor.diagnostics()
    context = types.CodeActionContext([said])
    found = await soon(
        editor.client.text_document_code_action_async(
            types.CodeActionParams(editor.document, said.range, context)
        )
    )
    actions = [each for each in found or () if isinstance(each, types.CodeAction)]
    first = actions[0]
    titles = [each.title for each in actions]

    assert first.is_preferred
    assert first.edit is not None
    assert SMALL == editor.applied_workspace(first.edit)
    assert any("Declare" in title for title in titles)


@pytest.mark.parametrize(
    ("words", "inside", "told"),
    [
        ("strength : 0..5", 1, "6 values"),
        ("lamp : {", 1, "seen by everybody"),
        ("press, rest };\n  P", 0, "possible by line 13"),
        ("bright if", 1, "Environment.lamp = on"),
        ("team = {", 1, "1 agents: Ann"),
        ("always : AG", 1, "In every state that can be reached, `bright`"),
        ("AG bright", 0, "In every state that can be reached, `bright`"),
        ("Protocol:", 2, "Which actions are possible where"),
        ("Agent Ann", 7, "12 local states"),
    ],
)
async def test_a_hover_says_what_something_is(
    server: Session, words: str, inside: int, told: str
) -> None:
    editor = await server.open(SMALL)
    params = types.HoverParams(editor.document, editor.at(words, inside))
    found = await soon(editor.client.text_document_hover_async(params))

    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert told in found.contents.value


async def test_a_hover_tells_the_story_of_a_code(server: Session) -> None:
    editor = await server.open(f"--! allow G0407\n{SMALL}")
    params = types.HoverParams(editor.document, editor.at("G0407", 2))
    found = await soon(editor.client.text_document_hover_async(params))

    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "**warning G0407**" in found.contents.value


async def test_a_definition_is_found_from_where_it_is_used(server: Session) -> None:
    editor = await server.open(SMALL)
    params = types.DefinitionParams(editor.document, editor.at("<team>F bright", 10))
    found = await soon(editor.client.text_document_definition_async(params))

    assert found is not None
    [place] = list(found)  # type: ignore[arg-type]  # a list of locations
    assert isinstance(place, types.Location)
    assert editor.at("bright if") == place.range.start


async def test_references_are_all_uses_and_no_others(server: Session) -> None:
    editor = await server.open(SMALL)
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context, editor.document, editor.at("lamp", 1))
    found = await soon(editor.client.text_document_references_async(params))
    words = {editor.words(each.range) for each in found or ()}

    assert SMALL.count("lamp") == len(found or ())
    assert {"lamp"} == words


async def test_the_name_at_the_cursor_is_highlighted_elsewhere(server: Session) -> None:
    editor = await server.open(SMALL)
    params = types.DocumentHighlightParams(editor.document, editor.at("tired", 1))
    found = await soon(editor.client.text_document_document_highlight_async(params))
    kinds = [each.kind for each in found or ()]

    assert SMALL.count("tired") == len(kinds)
    assert 2 == kinds.count(types.DocumentHighlightKind.Write)


async def test_a_name_is_changed_wherever_it_means_the_same(server: Session) -> None:
    editor = await server.open(SMALL)
    prepared = await soon(
        editor.client.text_document_prepare_rename_async(
            types.PrepareRenameParams(editor.document, editor.at("lamp", 1))
        )
    )
    edit = await soon(
        editor.client.text_document_rename_async(
            types.RenameParams(editor.document, editor.at("lamp", 1), "light")
        )
    )

    assert isinstance(prepared, types.PrepareRenamePlaceholder)
    assert "lamp" == prepared.placeholder
    assert edit is not None
    assert SMALL.replace("lamp", "light") == editor.applied_workspace(edit)


@pytest.mark.parametrize("new", ["tired", "end", "2fast", "", "Action"])
async def test_a_name_that_would_mean_something_else_is_refused(server: Session, new: str) -> None:
    editor = await server.open(SMALL)
    params = types.RenameParams(editor.document, editor.at("strength", 1), new)

    with pytest.raises(JsonRpcException):
        await soon(editor.client.text_document_rename_async(params))


async def test_the_outline_has_agents_with_their_sections(server: Session) -> None:
    editor = await server.open(SMALL)
    params = types.DocumentSymbolParams(editor.document)
    found = await soon(editor.client.text_document_document_symbol_async(params))
    tree = {
        each.name: [child.name for child in each.children or ()]
        for each in found or ()
        if isinstance(each, types.DocumentSymbol)
    }

    assert ["Environment", "Ann", "Evaluation", "InitStates", "Groups", "Formulae"] == list(tree)
    assert ["Lobsvars", "Vars", "Actions", "Protocol", "Evolution"] == tree["Ann"]
    assert ["can", "always"] == tree["Formulae"]


async def test_names_are_found_in_all_models_of_the_workspace(server: Session) -> None:
    editor = await server.open(SMALL)
    params = types.WorkspaceSymbolParams("sendr")
    found = await soon(editor.client.workspace_symbol_async(params))
    names = {each.name for each in found or ()}

    assert "Sender" in names


async def test_what_is_no_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ispl")
    (tmp_path / "one.ispl").write_text(SMALL, encoding="utf-8")
    async with session(root=tmp_path) as found:
        params = types.WorkspaceSymbolParams("strength")
        names = await soon(found.client.workspace_symbol_async(params))

    assert ["strength"] == [each.name for each in names or ()]


async def test_sections_and_comments_can_be_folded(server: Session) -> None:
    editor = await server.open(f"-- one\n-- two\n{SMALL}")
    params = types.FoldingRangeParams(editor.document)
    found = await soon(editor.client.text_document_folding_range_async(params))
    folds = {(each.start_line, each.end_line, each.kind) for each in found or ()}

    assert (0, 1, "comment") in folds
    assert (2, 7, "region") in folds


async def test_a_selection_grows_from_a_word_to_the_text(server: Session) -> None:
    editor = await server.open(SMALL)
    params = types.SelectionRangeParams(editor.document, [editor.at("tired = false and", 1)])
    found = await soon(editor.client.text_document_selection_range_async(params))
    [chain] = found or ()
    steps = []
    while chain is not None:
        steps.append(editor.words(chain.range))
        chain = chain.parent  # type: ignore[assignment]  # the last has none

    assert ["tired", "Ann.tired", "Ann.tired = false"] == steps[:3]
    assert SMALL == steps[-1]
    assert all(short in long for short, long in pairwise(steps))


async def _labels(editor: Editor, position: types.Position) -> dict[str, types.CompletionItem]:
    params = types.CompletionParams(editor.document, position)
    found = await soon(editor.client.text_document_completion_async(params))
    assert isinstance(found, types.CompletionList)

    return {item.label: item for item in found.items}


async def test_completion_knows_the_actions_of_this_agent(server: Session) -> None:
    editor = await server.open(SMALL.replace("Other : { rest }", "Other : {  }"))
    labels = await _labels(editor, editor.at("Other : {  }", 10))

    assert {"press", "rest"} <= set(labels)
    assert "none" not in labels


async def test_completion_offers_snippets(server: Session) -> None:
    editor = await server.open(SMALL + "\n")
    labels = await _labels(editor, editor.position(len(editor.text)))
    formats = {item.insert_text_format for item in labels.values()}

    assert types.InsertTextFormat.Snippet in formats


async def test_signature_help_counts_the_parameters(server: Session) -> None:
    editor = await server.open(SMALL.replace("AG bright", "AG K(Ann, bright)"))
    params = types.SignatureHelpParams(editor.document, editor.at("K(Ann, bright", 8))
    found = await soon(editor.client.text_document_signature_help_async(params))

    assert found is not None
    assert 1 == found.active_parameter
    assert found.signatures[0].label.startswith("K(")


async def test_semantic_tokens_tell_names_apart(server: Session) -> None:
    editor = await server.open(SMALL)
    params = types.SemanticTokensParams(editor.document)
    found = await soon(editor.client.text_document_semantic_tokens_full_async(params))
    assert found is not None
    part = types.SemanticTokensRangeParams(editor.document, editor.whole())
    again = await soon(editor.client.text_document_semantic_tokens_range_async(part))
    first = list(found.data[:5])

    assert 0 == len(found.data) % 5
    assert [0, 6, len("Environment"), 0] == first[:4]
    assert again is not None
    assert list(found.data) == list(again.data)


async def test_a_text_is_formatted_as_the_command_does_it(server: Session) -> None:
    editor = await server.open(example("tickets.ispl").replace("  ", "\t").replace(" = ", "="))
    options = types.FormattingOptions(2, insert_spaces=True)
    params = types.DocumentFormattingParams(editor.document, options)
    edits = await soon(editor.client.text_document_formatting_async(params))

    assert example("tickets.ispl") == editor.applied(edits or ())


async def test_only_the_lines_that_are_chosen_are_formatted(server: Session) -> None:
    text = SMALL.replace("lamp = off and", "lamp=off and").replace("bright if", "bright  if")
    editor = await server.open(text)
    options = types.FormattingOptions(2, insert_spaces=True)
    line = editor.at("lamp=off").line
    part = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
    params = types.DocumentRangeFormattingParams(editor.document, part, options)
    edits = await soon(editor.client.text_document_range_formatting_async(params))
    found = editor.applied(edits or ())

    assert "lamp = off and" in found
    assert "bright  if" in found


async def test_a_new_line_is_indented_by_its_section(server: Session) -> None:
    editor = await server.open(SMALL.replace("Evaluation\n  bright", "Evaluation\n\n  bright"))
    options = types.FormattingOptions(2, insert_spaces=True)
    position = types.Position(editor.at("Evaluation").line + 1, 0)
    params = types.DocumentOnTypeFormattingParams(editor.document, position, "\n", options)
    edits = await soon(editor.client.text_document_on_type_formatting_async(params))

    assert "Evaluation\n  \n  bright" in editor.applied(edits or ())


async def test_codes_in_comments_lead_to_their_pages(server: Session) -> None:
    editor = await server.open(f"--! allow G0407\n{SMALL}")
    params = types.DocumentLinkParams(editor.document)
    found = await soon(editor.client.text_document_document_link_async(params))
    [link] = found or ()

    assert "G0407" == editor.words(link.range)
    assert (link.target or "").endswith("G0407.md")


async def test_hints_tell_sizes_and_what_families_become(server: Session) -> None:
    editor = await server.open(example("dining_cryptographers.ispl"))
    hints = await editor.hints()

    assert "3 agents, each with 2 local states" in hints
    assert "= 3" in hints
    assert "× 3" in hints
