"""The register of fixes by the code of what they mend, and what is offered of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from gnomon.editing.analysis import Analysis
from gnomon.editing.edits import changed
from gnomon.editing.fixes import (
    declaring,
    duplicates,
    joining,
    paths,
    program_parts,
    protocols,
    remarks,
    spelling,
    statements,
    templates,
    unreadable,
)
from gnomon.editing.fixes.fix import Fix, Fixer, Mistake
from gnomon.editing.fixes.mending import mends
from gnomon.text.diagnostic import Diagnostic

#: What knows fixes for each code, in the order in which they are offered; renaming goes before all of them.
FIXERS: Final[Mapping[str, tuple[Fixer, ...]]] = MappingProxyType(
    {
        "G0101": (
            statements.write_comment,
            statements.without_quotes,
            statements.rewrite_statement,
            statements.write_signs,
            statements.plain_letters,
        ),
        "G0102": (
            unreadable.misspelt_end,
            unreadable.small_words,
            unreadable.section_signs,
            unreadable.name_with_colon,
            unreadable.only_of_formulae,
            unreadable.own_variable,
            unreadable.assign_in_brackets,
            spelling.name_the_owner,
            statements.rewrite_statement,
            spelling.write_instead,
            unreadable.forgotten_sign,
        ),
        "G0103": (unreadable.add_semicolon,),
        "G0104": (spelling.choose_another_name,),
        "G0105": (unreadable.close_section,),
        "G0108": (joining.join_sections,),
        "G0109": (unreadable.misspelt_section,),
        "G0110": (unreadable.join_conditions,),
        "G0113": (program_parts.add_initial_states,),
        "G0115": (unreadable.quantify,),
        "G0201": (declaring.meant_word, declaring.write_condition, spelling.write_instead),
        "G0202": (declaring.meant_word,),
        "G0203": (declaring.knowledge_of_group,),
        "G0204": (declaring.declare_action,),
        "G0206": (declaring.observe,),
        "G0208": (spelling.add_owner,),
        "G0209": (spelling.call_otherwise,),
        "G0210": (duplicates.remove_from_list,),
        "G0211": (protocols.add_protocol,),
        "G0212": (joining.local_variables,),
        "G0220": (duplicates.remove_definition, spelling.call_otherwise),
        "G0221": (duplicates.move_definition,),
        "G0222": (declaring.own_action,),
        "G0301": (declaring.count_condition,),
        "G0302": (spelling.write_instead, declaring.declare_value),
        "G0303": (spelling.compare_for_equality,),
        "G0304": (paths.swap_bounds, declaring.widen_range),
        "G0306": (declaring.widen_range,),
        "G0307": (declaring.wider_type,),
        "G0308": (spelling.write_instead,),
        "G0311": (duplicates.remove_assignment,),
        "G0312": (protocols.split_assignments,),
        "G0313": (spelling.use_div,),
        "G0402": (duplicates.remove_duplicate,),
        "G0403": (protocols.fill_gap,),
        "G0404": (protocols.remove_idle_line,),
        "G0405": (protocols.remove_idle_line,),
        "G0406": (protocols.enable_action,),
        "G0409": (duplicates.remove_from_list,),
        "G0410": (program_parts.add_formulae,),
        "G0411": (program_parts.environment_first,),
        "G0413": (joining.remove_section,),
        "G0414": (spelling.call_otherwise,),
        "G0416": (protocols.single_assignment,),
        "G0417": (remarks.idle_remark, remarks.idle_rule),
        "G0502": (spelling.call_otherwise,),
        "G0504": (spelling.use_div,),
        "G0601": (
            spelling.write_instead,
            spelling.write_apart,
            declaring.compare_variable,
            declaring.define_proposition,
        ),
        "G0602": (paths.quantify_paths,),
        "G0603": (declaring.define_group,),
        "G0604": (paths.add_brackets,),
        "G0607": (duplicates.name_with_indices,),
        "G0608": (duplicates.say_once,),
        "G0609": (paths.swap_bounds,),
        "G0610": (paths.without_bounds,),
        "G0705": (spelling.write_instead,),
        "G0706": (templates.synchronise,),
        "G0707": (templates.say_number_once,),
        "G0708": (templates.opposite_quantifier,),
        "G0711": (paths.two_formulae,),
        "G0713": (declaring.own_action,),
        "G0716": (templates.make_template,),
        "G0717": (paths.swap_bounds,),
        "G0718": (templates.to_synchronised,),
        "G0722": (joining.remove_section,),
        "G0812": (protocols.fill_gap,),
    }
)


def fixes(analysis: Analysis, diagnostic: Diagnostic) -> tuple[Fix, ...]:
    """Return what mends a mistake, what was probably meant first; each was tried."""
    if diagnostic.source.text != analysis.text:
        return ()  # it is about something that was typed elsewhere
    mistake = Mistake(analysis, diagnostic)
    offered: dict[str, Fix] = {}
    for fix in _candidates(mistake):
        new = changed(analysis.text, fix.changes)
        if new not in offered and mends(analysis.loaded, diagnostic, fix):
            offered[new] = fix
    # A comment that allows something needs no trial, and most warnings have nothing else.
    return (*_one_preferred(offered.values()), *remarks.allow(mistake))


def _candidates(mistake: Mistake) -> Iterator[Fix]:
    """Yield what may mend a mistake, before it is tried."""
    for fixer in (spelling.rename, *FIXERS.get(mistake.diagnostic.code, ())):
        yield from fixer(mistake)


def _one_preferred(found: Iterable[Fix]) -> Iterator[Fix]:
    """Yield fixes of which at most the first that is preferred still is."""
    chosen = False
    for fix in found:
        yield replace(fix, preferred=False) if chosen and fix.preferred else fix
        chosen = chosen or fix.preferred
