"""Plans: every combination is a job, each question once; every mistake is told at its place, all at once."""

import re
from pathlib import Path

import pytest

from gnomon.campaign import plan_models
from gnomon.campaign.labels import label_of
from gnomon.campaign.plan import Plan
from gnomon.campaign.plan_checks import CHECK_KEYS
from gnomon.campaign.plan_example import example
from gnomon.campaign.plan_jobs import planned_jobs
from gnomon.campaign.plan_reading import plan_of, read_plan
from gnomon.campaign.schedule import scheduled
from gnomon.text.diagnostic import InputError
from tests.unit.campaign.jobs import LIGHT

SIZED = LIGHT.replace(
    "Agent Environment", "Constants\n  n = 1;\nend Constants\nAgent Environment", 1
)
NAMED = SIZED.replace("AF lit; AG !lit;", "soon : AF lit; dark : AG !lit expect false;")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    """Have a folder with models in it."""
    (tmp_path / "more").mkdir()
    (tmp_path / "light.ispl").write_text(LIGHT)
    (tmp_path / "sized.ispl").write_text(SIZED)
    (tmp_path / "more/named.ispl").write_text(NAMED)
    return tmp_path


def read(folder: Path, text: str) -> Plan:
    """Return the plan with this text."""
    (folder / "plan.toml").write_text(text)
    return read_plan(folder / "plan.toml")


def mistakes(folder: Path, text: str) -> list[tuple[int, str]]:
    """Return what is wrong with a plan, by line."""
    with pytest.raises(InputError) as caught:
        read(folder, text)
    assert {"G0902"} == {item.code for item in caught.value.diagnostics}
    return [(item.line, item.message) for item in caught.value.diagnostics]


def labels(plan: Plan) -> list[str]:
    return [label_of(job) for job in planned_jobs(plan).jobs]


# Jobs


def test_every_combination_is_a_job(folder: Path) -> None:
    plan = read(
        folder,
        """
models = "sized.ispl"
engines = ["auto", "explicit"]
strategies = ["perfect", "uniform"]
repetitions = 2
constants.n = "1..2"
""",
    )

    assert [
        f"sized.ispl n={n}{engine}{reading}{again}"
        for n in (1, 2)
        for engine in ("", " explicit")
        for reading in ("", " uniform")
        for again in ("", " #2")
    ] == labels(plan)


def test_constants_are_numbers_ranges_and_lists_of_both(folder: Path) -> None:
    plan = read(folder, 'models = "sized.ispl"\nconstants.n = [1, "2..8 step 3", "2, 9"]')

    assert {"n": (1, 2, 5, 8, 9)} == plan.checks[0].constants


@pytest.mark.parametrize("models", ["*.ispl", "**/*.ispl", ".", "more"])
def test_models_are_files_patterns_and_folders(folder: Path, models: str) -> None:
    plan = read(folder, f'models = "{models}"')
    names = {str(Path(model.name)) for model in plan.checks[0].models}

    assert {
        "*.ispl": {"light.ispl", "sized.ispl"},
        "**/*.ispl": {"light.ispl", "more/named.ispl", "sized.ispl"},
        ".": {"light.ispl", "more/named.ispl", "sized.ispl"},
        "more": {"more/named.ispl"},
    }[models] == names


def test_a_name_is_a_pattern_only_where_nothing_has_it(folder: Path) -> None:
    (folder / "a[b]").mkdir()
    (folder / "a[b]/l[ix].ispl").write_text(NAMED)
    (folder / "a[b]/li.ispl").write_text(LIGHT)

    def names(models: str) -> list[str]:
        return [model.name for model in read(folder, f'models = "{models}"').checks[0].models]

    assert ["a[b]/l[ix].ispl"] == names("a[b]/l[ix].ispl")
    assert ["a[b]/l[ix].ispl", "a[b]/li.ispl"] == names("a[b]") == names("a[b]/l*")
    assert ["a[b]/li.ispl"] == names("a[[]b]/l[i].ispl")


@pytest.mark.parametrize("models", ["more", "more/**/*.ispl", "**/n*.ispl"])
def test_links_to_folders_are_not_followed_down(folder: Path, models: str) -> None:
    (folder / "more/loop").symlink_to(".")
    (folder / "more/up").symlink_to("..")
    (folder / "more/.hidden").mkdir()
    (folder / "more/.hidden/no.ispl").write_text(LIGHT)

    assert ["more/named.ispl"] == labels(read(folder, f'models = "{models}"'))


def test_a_link_that_is_named_is_followed(folder: Path) -> None:
    (folder / "link").symlink_to("more")

    assert ["link/named.ispl"] == labels(read(folder, 'models = "l*k/*.ispl"'))
    assert ["link/named.ispl"] == labels(read(folder, 'models = "link"'))


def test_more_files_than_anybody_means_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_models, "MOST_LOOKED_AT", 3)  # there are four entries, in two folders

    ((_, message),) = mistakes(folder, 'models = "."')

    assert "`.` means too many files" in message


def test_the_same_question_is_asked_once(folder: Path) -> None:
    (folder / "copy.ispl").write_text(LIGHT)
    plan = read(
        folder, '[[check]]\nmodels = ["light.ispl", "*.ispl"]\n[[check]]\nmodels = "copy.ispl"'
    )

    assert ["light.ispl", "sized.ispl"] == labels(plan)
    assert [("copy.ispl", "light.ispl", True)] == list(planned_jobs(plan).same)


def test_a_model_may_ask_in_part_what_another_one_asks(folder: Path) -> None:
    (folder / "copy.ispl").write_text(LIGHT)
    text = (
        'models = ["light.ispl", "copy.ispl"]\n[[check]]\n[[check]]\nmodels="copy.ispl"\nmemory = 9'
    )
    (same,) = planned_jobs(read(folder, text)).same

    assert "copy.ispl is in part the same question as light.ispl" == str(same)


def test_a_check_says_something_else_than_what_stands_above(folder: Path) -> None:
    plan = read(
        folder,
        """
timeout = 5
formulae = ["AF lit"]
models = "light.ispl"
[[check]]
[[check]]
timeout = 7
only = 2
""",
    )
    first, second = plan.checks

    assert (5, ("AF lit",), ()) == (first.options.timeout, first.formulae, first.only)
    assert (7, (), (2,)) == (second.options.timeout, second.formulae, second.only)


def test_formulae_can_be_jobs_of_their_own(folder: Path) -> None:
    text = 'models = ["light.ispl", "more/named.ispl"]\nsplit = "formulae"'

    assert [
        "light.ispl 1",
        "light.ispl 2",
        "more/named.ispl soon",
        "more/named.ispl dark",
    ] == labels(read(folder, text))
    assert ["light.ispl AF lit", "light.ispl EF lit"] == labels(
        read(folder, 'models = "light.ispl"\nformulae = ["AF lit", "EF lit"]\nsplit = "formulae"')
    )


def test_what_cannot_be_split_is_asked_as_a_whole(folder: Path) -> None:
    (folder / "broken.ispl").write_text("Agent")

    assert ["broken.ispl"] == labels(read(folder, 'models = "broken.ispl"\nsplit = "formulae"'))


def test_a_group_goes_with_its_reading_only(folder: Path) -> None:
    plan = read(
        folder,
        """
models = "light.ispl"
strategies = ["perfect", "uniform-model"]
uniform-group = "Hand"
""",
    )

    assert [None, "Hand"] == [job.question.options.uniform_group for job in planned_jobs(plan).jobs]


@pytest.mark.parametrize(
    ("schedule", "sizes"),
    [("cheap-first", [1, 4, 9]), ("dear-first", [9, 4, 1]), ("written", [4, 9, 1])],
)
def test_jobs_begin_in_the_order_that_is_wanted(
    folder: Path, schedule: str, sizes: list[int]
) -> None:
    text = f'models = "sized.ispl"\nschedule = "{schedule}"\nconstants.n = [4, 9, 1]'
    plan = read(folder, text)
    jobs = scheduled(planned_jobs(plan).jobs, plan.schedule, {})

    assert sizes == [dict(job.question.constants)["n"] for job in jobs]


def test_repetitions_come_after_all_that_was_not_asked_yet(folder: Path) -> None:
    text = 'models = "sized.ispl"\nrepetitions = 2\nconstants.n = [4, 1]'
    plan = read(folder, text)
    jobs = scheduled(planned_jobs(plan).jobs, plan.schedule, {})

    assert [1, 1, 2, 2] == [job.repetition for job in jobs]


def test_what_took_long_before_is_expected_to_do_so_again(folder: Path) -> None:
    text = 'models = "sized.ispl"\nconstants.n = [1, 2, 3, 4]'
    jobs = planned_jobs(read(folder, text)).jobs
    taken = {jobs[0].question.digest: 900.0, jobs[2].question.digest: 0.1}
    ordered = scheduled(jobs, "dear-first", taken)

    assert [1, 4, 2, 3] == [dict(job.question.constants)["n"] for job in ordered]


def test_the_name_and_the_store_are_those_of_the_file(folder: Path) -> None:
    plan = read(folder, 'models = "light.ispl"')

    assert ("plan", folder / "plan.store") == (plan.name, plan.store)


def test_files_of_a_cluster_are_named_in_the_plan(folder: Path) -> None:
    (folder / "ca.pem").touch()
    plan = read(
        folder,
        """
models = "light.ispl"
[cluster]
address = "tls://example.org:8786"
ca-file = "ca.pem"
""",
    )

    assert plan.cluster is not None
    assert "tls://example.org:8786" == plan.cluster.address
    assert folder / "ca.pem" == plan.cluster.security.ca_file


def test_options_stand_for_the_same_plan(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    said = {"models": ["sized.ispl"], "constants": {"n": [1, 2]}, "timeout": 5.0}

    assert labels(
        read(folder, 'models = "sized.ispl"\ntimeout = 5.0\nconstants.n = "1..2"')
    ) == labels(plan_of(said))


def test_the_example_is_a_plan_and_so_is_all_that_it_mentions(folder: Path) -> None:
    names = ["light.ispl", "sized.ispl"]

    assert names == labels(read(folder, example(names)))
    (folder / "other.ispl").write_text(NAMED)
    for name in ("ca.pem", "client.pem", "client-key.pem"):
        (folder / name).touch()
    model = NAMED.replace("n = 1;", "n = 1; k = 1;").replace("soon", "safe_soon")
    for name in ("model.ispl", "other.ispl"):
        (folder / name).write_text(model)
    mentioned = [
        line.removeprefix("# ")
        for line in example().replace('formulae = ["AG !stuck"]', "").splitlines()
        if "=" in line or line.startswith("# [")
    ]
    plan = read(folder, "\n".join(mentioned))

    assert ["other.ispl"] == [model.name for check in plan.checks for model in check.models]
    assert plan.cluster is not None


def test_the_example_mentions_every_key() -> None:
    text = example()

    assert [] == [key for key in CHECK_KEYS if not re.search(rf"\b{key}\b", text)]


# Mistakes


def test_all_mistakes_are_told_at_once_each_in_its_line(folder: Path) -> None:
    text = """\
nam = "ring"
store = 5
timeout = "long"
engines = ["auto",
           "bbd"]
jobs = 0
[[check]]
models = ["*.isp", "ligth.ispl"]
[[check]]
models = "light.ispl"
strategies = "prefect"
constants = { n = "2..x" }
formulae = "AF lit"
only = 3
split = true
"""

    assert [
        (1, "there is no `nam` in a plan"),
        (2, "`store` is a text, and not an empty one; this is 5"),
        (3, 'timeout = "long" is not a number of seconds above 0'),
        (5, "`engines` has no choice `bbd`"),
        (6, "`jobs` is a whole number from 1 to 1,024; this is 0"),
        (8, "there is no model `*.isp`: no file has such a name"),
        (8, "there is no model `ligth.ispl`"),
        (11, "`check.strategies` has no choice `prefect`"),
        (12, "`n`: `2..x` is no whole number and no range such as 1..20"),
        (14, "`only` chooses among the model's own formulae: it does not go with others"),
        (15, "`check.split` is one of no, formulae; this is true or false"),
    ] == mistakes(folder, text)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("models = [", 1, "this is no TOML"),
        ("models = light.ispl", 1, "this is no TOML"),
        ('models = "a"\nmodels = "b"', 2, "for the second time"),
        ('models = "light.ispl"\n[[chek]]', 2, "there is no `chek`"),
        ('models = "light.ispl"\n[[check]]\nstore = "x"', 3, "stands above its tables"),
        ("", 0, "no models are named"),
        ("[[check]]\ntimeout = 5", 1, "no models are named"),
        ("models = []", 1, "`models` is a text, or a list of some; this is empty"),
        ('check = 5\nmodels = "light.ispl"', 1, "checks are tables"),
        ('models = "light.ispl"\n[cluster]\n', 2, "the cluster has no address"),
        ('models = "light.ispl"\n[cluster]\naddress = "local"\ncert = "x"', 4, "no file `x`"),
        ('models = "light.ispl"\nmemory = -1', 2, "memory = -1 is not a number of megabytes"),
        ('models = "light.ispl"\nallow = ["G0101"]', 2, "G0101"),
        ('models = "light.ispl"\nuniform-group = "Hand"', 2, "goes with the reading"),
        ('models = "light.ispl"\nonly = ["a-b"]', 2, "no name of a formula"),
        ('[[check]]\nmodels = "sized.ispl"\n[check.constants]\nn = []', 4, "no value for"),
        ('models = "sized.ispl"\nconstants.n = []', 2, "there is no value for the constant `n`"),
        ('models = "sized.ispl"\nconstants.n = "1..9 step 0"', 2, "a step of 0"),
        ('models = "sized.ispl"\nconstants.n = 1.5', 2, "a range such as"),
        ('models = "light.ispl"\nseed = 4294967296', 2, "from 0 to 4,294,967,295"),
        ('models = "light.ispl"\njobs = 1025', 2, "from 1 to 1,024; this is 1025"),
        ('models = "light.ispl"\ntimeout = 2020-01-01', 2, "timeout = 2020-01-01 is"),
        ('models = "light.ispl"\nmax-states = [1, "a"]', 2, 'max-states = [1, "a"] is'),
        ('models = "light.ispl"\nonly = [[1]]', 2, "only = [1] is no number"),
        ('models = "light.ispl"\nallow = [1]', 2, "`allow` is a text, and not an empty one"),
        ('models = "light.ispl"\nrace = "yes"', 2, "`race` is true or false; this is a text"),
        ('models = "light.ispl"\nschedule = 12:00:00', 2, "this is a time of day"),
        ('models = "light.ispl"\nstore = "more"', 2, "the store `more` is a folder"),
        ('models = "light.ispl"\nstore = "a\\u0000b"', 2, "`store` has a zero byte in it"),
        ('models = "light.ispl"\nname = "\\u0000"', 2, "`name` has a zero byte in it"),
        ('models = "light.ispl"\n[constants]\n[constants]', 3, "for the second time"),
        (f'models = "light.ispl"\n{"a." * 100}b = 1', 2, "a key of more than 100 parts"),
        (f"[{'a . ' * 30_000}b]", 1, "a key of more than 100 parts"),
        ("#" * 1_000_001, 0, "1,000,001 characters, and 1,000,000 are the most"),
        (
            'models = "sized.ispl"\n[constants]\nn = "1..200"\nk = "1..200"',
            2,
            "40,000 combinations",
        ),
    ],
)
def test_a_mistake_is_told_where_it_stands(folder: Path, text: str, line: int, words: str) -> None:
    found = mistakes(folder, text)

    assert [line] == [number for number, _ in found]
    assert words in found[0][1]


def test_of_very_many_mistakes_the_first_are_told_and_the_others_counted(folder: Path) -> None:
    text = "".join(f"key{number} = 1\n" for number in range(1000))

    with pytest.raises(InputError) as caught:
        read(folder, f'models = "light.ispl"\n{text}')
    *told, last = caught.value.diagnostics

    assert 50 == len(told)
    assert "and 950 more mistakes which are not shown" == last.message


def test_a_key_that_stands_twice_has_a_help_of_its_own(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(folder, 'models = "light.ispl"\nmodels = "sized.ispl"')

    assert "several values are a list" in caught.value.diagnostics[0].help


def test_what_no_model_knows_is_a_mistake_of_the_plan(folder: Path) -> None:
    text = """\
models = ["sized.ispl", "light.ispl"]
formulae = ["AF lit",
            "AG bright"]
[constants]
m = 3
"""

    assert [
        (3, "there is no proposition `bright`"),
        (5, "the program has no constant `m` to set"),
    ] == mistakes(folder, text)
    assert [(2, "no formula of `light.ispl` is named `safe`")] == mistakes(
        folder, 'models = "light.ispl"\nonly = ["safe", 1]'
    )


def test_what_one_of_several_models_knows_is_no_mistake(folder: Path) -> None:
    plan = read(folder, 'models = ["light.ispl", "sized.ispl"]\nconstants.n = 2')

    assert ["light.ispl n=2", "sized.ispl n=2"] == labels(plan)


def test_what_is_there_at_some_size_is_no_mistake(folder: Path) -> None:
    (folder / "family.ispl").write_text(SIZED.replace("AF lit;", "for i : 1..n soon[i] : AF lit;"))
    plan = read(folder, 'models = "family.ispl"\nonly = "soon[3]"\nconstants.n = [1, 4, 2]')

    assert 3 == len(labels(plan))


def test_a_broken_model_is_no_mistake_of_the_plan(folder: Path) -> None:
    (folder / "broken.ispl").write_text("Agent")

    assert ["broken.ispl AF lit"] == labels(
        read(folder, 'models = "broken.ispl"\nformulae = "AF lit"')
    )


def test_more_jobs_than_anybody_means_are_refused(folder: Path) -> None:
    plan = read(folder, 'models = "light.ispl"\nrepetitions = 2000000')

    with pytest.raises(InputError, match="2,000,000 jobs, and 1,000,000 are the most"):
        planned_jobs(plan)
