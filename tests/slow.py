"""What the fast suite leaves out, by what it takes: see `--durations=30`.

Whole files where every test starts programs of its own, or tries out many planted mistakes; single tests of
about two seconds of processor time and more. A test may be marked `slow` where it stands, too.
"""

#: By files: tests, with parameters where only these are slow, or all of a file where none is named.
SLOW: dict[str, list[str]] = {
    "tests/contract/test_abstraction.py": [
        "test_a_small_window_and_a_large_one_never_contradict_each_other",
        "test_cells_of_unbounded_systems_are_reachable_where_the_window_says_so[unbounded]",
        "test_checking_by_abstraction_agrees_with_the_oracle",
        "test_definite_verdicts_agree_with_what_is_seen_through_a_window[unbounded-0]",
        "test_knowledge_of_numbers_without_bounds_agrees_with_what_is_seen",
        "test_labels_agree_with_what_is_seen_through_a_window",
        "test_models_of_the_corpus_have_the_verdicts_of_the_explicit_engine",
        "test_most_of_what_is_asked_of_finite_systems_is_decided",
    ],
    "tests/contract/test_abstraction_mutants.py": [],
    "tests/contract/test_abstraction_numbers.py": [
        "test_all_ways_to_cut_occur",
        "test_what_is_told_apart_without_end_is_said_to_diverge",
    ],
    "tests/contract/test_abstraction_paths.py": [
        "test_what_seems_to_have_no_end_is_postponed_and_not_forbidden",
    ],
    "tests/contract/test_adapting.py": [
        "test_every_library_agrees_with_the_oracle",
        "test_however_the_relation_is_cut_the_oracle_agrees",
    ],
    "tests/contract/test_backward_reachability.py": [
        "test_what_is_said_of_hidden_counters_without_bounds_is_so[3]",
    ],
    "tests/contract/test_census.py": [],
    "tests/contract/test_certificates.py": [
        "test_a_refutation_needs_all_its_clauses",
        "test_games_are_proved_either_way",
    ],
    "tests/contract/test_diagrams.py": [
        "test_full_memory_is_a_limit_and_leaves_the_manager_usable[dd.autoref]",
        "test_full_memory_stops_every_operation[dd.autoref]",
    ],
    "tests/contract/test_export.py": [
        "test_a_definite_number_of_agents_reaches_what_it_does_by_definition",
        "test_agents_know_what_they_know_by_definition",
        "test_guards_that_speak_of_every_agent_are_written_out",
        "test_odd_names_and_values_are_written_as_they_are_meant[numbers]",
        "test_sets_of_agents_reach_what_any_number_does",
        "test_what_is_expected_after_an_export_follows_from_what_holds_of_any_number",
    ],
    "tests/contract/test_formulae.py": [
        "test_cells_decide_nearly_all_that_they_are_asked",
        "test_knowledge_of_groups[abstraction]",
        "test_time_knowledge_norms_and_perfect_strategies[abstraction]",
    ],
    "tests/contract/test_games.py": [
        "test_outcomes_that_do_not_count[explicit]",
        "test_outcomes_that_do_not_count_by_what_is_done",
        "test_reasons[uniform-subjective-bdd]",
    ],
    "tests/contract/test_initial.py": [
        "test_hundreds_of_variables_are_no_matter_where_few_are_free",
    ],
    "tests/contract/test_never_certificates.py": [
        "test_an_invariant_of_the_solver_is_accepted_and_an_empty_one_proves_no_unsafe_system",
    ],
    "tests/contract/test_one_value.py": [
        "test_every_way_of_taking_steps_says_so",
    ],
    "tests/contract/test_open_certificates.py": [
        "test_solvers_alone",
        "test_where_they_do_so_alone_or_together",
    ],
    "tests/contract/test_overlaps.py": [
        "test_the_random_systems_have_what_the_laws_are_about",
        "test_wide_ranges_may_keep_it_silent_but_never_wrong",
    ],
    "tests/contract/test_parameterised.py": [
        "test_a_search_without_end_is_given_up",
        "test_the_solver_agrees_on_what_depends_on_facts",
    ],
    "tests/contract/test_parameterised_mutants.py": [],
    "tests/contract/test_rounds.py": [
        "test_any_number_of_agents[numbers]",
        "test_interruptions_are_everywhere",
        "test_numbers_without_bounds",
        "test_pruned_models",
        "test_refinements_are_interrupted",
    ],
    "tests/contract/test_sat_mutants.py": [],
    "tests/contract/test_symbolic_mutants.py": [],
    # It interrupts work at every point, and would interrupt the measuring of coverage inside its locks.
    "tests/contract/test_turns.py": [],
    "tests/contract/test_uniform_cells.py": [],
    "tests/contract/test_vacuity.py": [
        "test_all_there_is_to_say_is_said_of_random_systems",
        "test_cells_say_something",
    ],
    "tests/contract/test_vacuity_mutants.py": [],
    "tests/contract/test_verdicts.py": [
        "test_some_profile_of_uniform_strategies_makes_the_formula_true",
        "test_something_is_reached_by_some_and_by_nobody",
    ],
    "tests/contract/test_ways.py": [
        "test_most_systems_have_every_way_and_every_verdict_occurs",
        "test_what_is_built_or_exported_is_proved_as_well[explicit]",
    ],
    "tests/e2e/test_bad_input.py": [],
    "tests/e2e/test_bad_templates.py": [
        "test_a_file_with_random_changes_is_checked_or_refused[5]",
        "test_a_mistake_is_told_once_with_its_code[forall over a huge type]",
    ],
    "tests/e2e/test_cli_abstraction.py": [],
    "tests/e2e/test_cli_test.py": [
        "test_a_file_that_nobody_writes_to_ends_with_its_time",
        "test_a_process_that_is_killed_is_told_and_takes_nothing_with_it",
        "test_there_may_be_very_many",
        "test_what_waits_for_its_turn_to_be_told_is_told_all_the_same",
        "test_what_was_done_before_a_signal_is_told",
        "test_when_the_command_is_killed_nobody_is_left_behind",
    ],
    "tests/e2e/test_examples.py": ["test_every_example_is_as_it_says"],
    "tests/e2e/test_hard_formulae.py": [],
    "tests/e2e/test_limits.py": [],
    "tests/e2e/test_pipelines.py": [
        "test_every_reader_finds_the_same_in_a_report",
        "test_pre_commit_formats_and_tests_models",
        "test_the_validator_of_sarif_finds_no_error",
    ],
    "tests/e2e/test_progress.py": [],
    "tests/e2e/test_pytest_plugin.py": [],
    "tests/e2e/test_reading_limits.py": [],
    "tests/e2e/test_streams.py": [],
    "tests/e2e/test_walk_limits.py": [],
    "tests/field/test_mcmas_corpus.py": [
        "test_verdicts_and_state_counts_of_the_shipped_models_agree[software_development.ispl]",
    ],
    "tests/laws/test_language_laws.py": [
        "test_formatting_keeps_real_models[mcmas/dining-cryptographers-12-ctl-star.ispl]",
    ],
    "tests/laws/test_parser_fuzz.py": [
        "test_a_mutated_program_is_read_in_time",
        "test_a_program_may_end_anywhere[card_game]",
        "test_generated_programs_survive_mutations",
    ],
    "tests/laws/test_program_laws.py": [
        "test_a_formatted_program_is_the_same_tree_and_gives_the_same_verdicts",
        "test_a_program_in_the_words_of_mcmas_gives_the_same_verdicts",
        "test_every_class_of_programs_occurs",
        "test_most_small_programs_are_decided_and_every_verdict_occurs",
    ],
    "tests/unit/api/test_reprs.py": ["test_nothing_shows_more_than_a_few_hundred_letters"],
    "tests/unit/api/test_typing.py": [
        "test_every_type_of_the_interface_is_complete_as_pyright_counts_it",
        "test_mypy_knows_every_type_that_users_meet",
        "test_pyright_knows_every_type_that_users_meet",
    ],
    "tests/unit/certificate/test_damaged.py": [
        "test_undamaged_it_proves_something[never]",
        "test_undamaged_it_proves_something[unbounded]",
        "test_whatever_is_damaged_nothing_breaks_and_nothing_false_is_accepted[never]",
        "test_whatever_is_damaged_nothing_breaks_and_nothing_false_is_accepted[runs]",
    ],
    "tests/unit/certificate/test_parameterised.py": [
        "test_limits",
    ],
    "tests/unit/checking/test_choice.py": [
        "test_few_states_with_wide_numbers_are_decided_without_being_asked[text1]",
    ],
    "tests/unit/checking/test_dead_ends_on_cells.py": [
        "test_nobody_loses_uniformly_where_nothing_fair_follows",
    ],
    "tests/unit/checking/test_overlapping.py": [
        "test_the_models_of_new_users_are_told_what_they_lose",
    ],
    "tests/unit/checking/test_process.py": [],
    "tests/unit/checking/test_reload.py": [
        "test_memory_stays_flat",
        "test_work_is_counted_as_if_it_were_done[1]",
        "test_work_is_counted_as_if_it_were_done[4]",
        "test_work_is_counted_as_if_it_were_done[9]",
        "test_work_is_counted_as_if_it_were_done[15]",
        "test_work_is_counted_as_if_it_were_done[4000]",
    ],
    "tests/unit/editing/test_completion.py": [
        "test_whatever_stands_in_a_program_would_have_been_offered[drones]",
    ],
    "tests/unit/editing/test_fixes.py": [
        "test_a_text_with_other_line_ends_has_the_same_fixes_and_keeps_its_ends",
        "test_fixes_keep_comments",
    ],
    "tests/unit/editing/test_resolve.py": [
        "test_every_name_of_an_example_is_declared_and_can_be_changed[bridge]",
        "test_every_name_of_an_example_is_declared_and_can_be_changed[drones]",
    ],
    "tests/e2e/lsp/test_abuse.py": [],
    "tests/unit/test_docs.py": [
        "test_commands_print_what_the_page_shows[strategies]",
        "test_commands_print_what_the_page_shows[unbounded]",
    ],
    "tests/unit/text/test_limits.py": [
        "test_every_stage_of_loading_is_watched",
    ],
    "tests/unit/text/test_record.py": [
        "test_trees_are_the_same_however_deep_they_are",
    ],
    "tests/e2e/test_certificate_kinds.py": [],
    "tests/unit/workbench/test_asking.py": [
        "test_unbounded_models_are_asked_as_well",
        "test_ways_in_unbounded_models_are_found[unbounded/ticket_lock.ispl-inside[2]]",
        "test_where_there_is_no_end_of_states_some_are_looked_at",
    ],
    "tests/unit/workbench/test_hunted.py": [
        "test_what_was_found_in_a_hurry_is_not_what_is_said_with_more_time",
    ],
}


def is_slow(test: str) -> bool:
    """Return whether a test, `file::function[parameters]`, is left out."""
    file, _, function = test.partition("::")
    if file not in SLOW:
        return False
    named = SLOW[file]
    return not named or function in named or function.partition("[")[0] in named
