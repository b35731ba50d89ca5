"""What the fast suite leaves out, by what it takes: see `--durations=30`.

Whole files where every test starts programs of its own, or tries out many planted mistakes; single tests of
about two seconds of processor time and more. A test may be marked `slow` where it stands, too.
"""

#: By files: tests, with parameters where only these are slow, or all of a file where none is named.
SLOW: dict[str, list[str]] = {
    "tests/contract/test_abstraction.py": [
        "test_checking_by_abstraction_agrees_with_the_oracle",
        "test_labels_agree_with_what_is_seen_through_a_window",
        "test_models_of_the_corpus_have_the_verdicts_of_the_explicit_engine",
    ],
    "tests/contract/test_abstraction_mutants.py": [],
    "tests/contract/test_abstraction_numbers.py": [
        "test_all_ways_to_cut_occur",
    ],
    "tests/contract/test_adapting.py": [
        "test_every_library_agrees_with_the_oracle",
    ],
    "tests/contract/test_census.py": [],
    "tests/contract/test_certificates.py": [
        "test_a_refutation_needs_all_its_clauses",
    ],
    "tests/contract/test_export.py": [
        "test_a_definite_number_of_agents_reaches_what_it_does_by_definition",
        "test_agents_know_what_they_know_by_definition",
        "test_sets_of_agents_reach_what_any_number_does",
    ],
    "tests/contract/test_never_certificates.py": [
        "test_an_invariant_of_the_solver_is_accepted_and_an_empty_one_proves_no_unsafe_system",
    ],
    "tests/contract/test_open_certificates.py": [
        "test_solvers_alone",
    ],
    "tests/contract/test_parameterised.py": [
        "test_the_solver_agrees_on_what_depends_on_facts",
    ],
    # It interrupts work at every point, and would interrupt the measuring of coverage inside its locks.
    "tests/contract/test_turns.py": [],
    "tests/contract/test_ways.py": [
        "test_most_systems_have_every_way_and_every_verdict_occurs",
    ],
    "tests/contract/test_one_value.py": [
        "test_every_way_of_taking_steps_says_so",
    ],
    "tests/contract/test_parameterised_mutants.py": [],
    "tests/contract/test_symbolic_mutants.py": [],
    "tests/e2e/test_bad_input.py": [],
    "tests/e2e/test_cli_abstraction.py": [
        "test_no_solver_is_loaded_where_none_is_needed",
    ],
    "tests/e2e/test_limits.py": [],
    "tests/e2e/test_reading_limits.py": [],
    "tests/e2e/test_streams.py": [],
    "tests/e2e/test_walk_limits.py": [],
    "tests/field/test_mcmas_corpus.py": [
        "test_verdicts_and_state_counts_of_the_shipped_models_agree[software_development.ispl]",
    ],
    "tests/laws/test_parser_fuzz.py": [
        "test_a_mutated_program_is_read_in_time",
    ],
    "tests/laws/test_program_laws.py": [
        "test_every_class_of_programs_occurs",
        "test_most_small_programs_are_decided_and_every_verdict_occurs",
    ],
    "tests/unit/checking/test_process.py": [
        "test_a_prepared_process_that_was_killed_is_replaced",
        "test_checks_work_in_odd_surroundings",
    ],
    "tests/unit/text/test_limits.py": [
        "test_every_stage_of_loading_is_watched",
    ],
    "tests/unit/text/test_record.py": [
        "test_trees_are_the_same_however_deep_they_are",
    ],
}


def is_slow(test: str) -> bool:
    """Return whether a test, `file::function[parameters]`, is left out."""
    file, _, function = test.partition("::")
    if file not in SLOW:
        return False
    named = SLOW[file]
    return not named or function in named or function.partition("[")[0] in named
