"""Candidates are held against the wishes of a text: pass, unknown, fail."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from retrieval.catalog.load import load_catalog
from retrieval.core.evidence import Wish
from retrieval.core.types import Candidate, Needs, State
from retrieval.fit import WishStage, stated_shares, wish_effect, wish_fit
from retrieval.fit.licence import licence_fit
from retrieval.fit.machine import SYSTEMS, Machine, machine_fit
from retrieval.fit.summary import summary_of
from retrieval.fit.wishes.interface import WINDOWED_HOSTS, is_direct
from retrieval.fit.wishes.stated import GOALS
from retrieval.settings import Settings
from tests.fakes import make_query, make_tool

HALF = {"language": 0.5, "licence": 0.5, "gpu": 0.1}


def wish(kind, value, strength="wanted"):
    return Wish(kind=kind, value=value, text=f"in {value}", strength=strength)


CLASSICAL = "no deep learning"
PYTHON, NO_FIJI = wish("language", "Python"), wish("tool", "Fiji", "unwanted")


@pytest.mark.parametrize(
    ("facts", "asked", "verdict"),
    [
        ({"languages": ("Python",)}, PYTHON, "pass"),
        ({"languages": ("C++",), "interfaces": ("Python",)}, PYTHON, "pass"),
        ({"languages": ("R",)}, PYTHON, "fail"),
        ({"interfaces": ("desktop",)}, PYTHON, "unknown"),
        ({"languages": ("R",)}, wish("language", "Python or R"), "pass"),
        ({"languages": ("R",)}, wish("language", "R", "unwanted"), "fail"),
        ({}, wish("language", "R", "unwanted"), "unknown"),
        ({"interfaces": ("web",)}, wish("interface", "graphical"), "pass"),
        ({"interfaces": ("plugin",)}, wish("interface", "graphical"), "unknown"),
        (
            {"interfaces": ("plugin",), "platforms": ("3D Slicer", "Linux")},
            wish("interface", "graphical"),
            "pass",
        ),
        (
            {"interfaces": ("plugin",), "platforms": ("MONAI",)},
            wish("interface", "graphical"),
            "unknown",
        ),
        ({"tasks": ("model inference",)}, wish("method", CLASSICAL), "fail"),
        ({"requires_tool": ("nnunet",)}, wish("method", CLASSICAL), "fail"),
        ({"keywords": ("convolutional neural network",)}, wish("method", CLASSICAL), "fail"),
        ({"keywords": ("watershed",)}, wish("method", CLASSICAL), "unknown"),
        ({"platforms": ("Fiji",)}, wish("host", "Fiji"), "pass"),
        ({"requires_tool": ("3d_slicer",)}, wish("host", "3D Slicer"), "pass"),
        ({"platforms": ("Linux",)}, wish("host", "Fiji"), "fail"),
        ({"interfaces": ("web",)}, wish("interface", "desktop"), "fail"),
        ({"languages": ("TypeScript",)}, wish("language", "JavaScript"), "pass"),
        ({"languages": ("Java",)}, wish("language", "JavaScript"), "fail"),
        ({"interfaces": ("desktop",)}, wish("interface", "desktop"), "pass"),
        ({"interfaces": ("plugin",)}, wish("interface", "desktop"), "unknown"),
        (
            {
                "compatible_with": ("fiji", "napari"),
                "interfaces": ("plugin",),
                "platforms": ("napari",),
            },
            wish("host", "Fiji"),
            "unknown",
        ),
        ({"compatible_with": ("fiji",)}, wish("host", "Fiji"), "unknown"),
        (
            {"compatible_with": ("fiji",), "interfaces": ("plugin",)},
            wish("host", "Fiji"),
            "pass",
        ),
        (
            {"interfaces": ("web",), "platforms": ("Linux",)},
            wish("system", "Windows"),
            "unknown",
        ),
        (
            {"license": "LicenseRef-Apache-2.0-with-Commons-Clause"},
            wish("licence", "Apache"),
            "fail",
        ),
        ({"platforms": ("Linux",)}, wish("system", "Windows"), "fail"),
        ({"interfaces": ("web",)}, wish("system", "Windows"), "pass"),
        ({"platforms": ("browser",)}, wish("system", "iOS"), "pass"),
        (
            {"platforms": ("Linux",), "interfaces": ("container",)},
            wish("system", "Android"),
            "fail",
        ),
        (
            {"platforms": ("browser",), "interfaces": ("web", "JavaScript")},
            wish("interface", "browser", "unwanted"),
            "fail",
        ),
        ({"gpu": "required"}, wish("gpu", "GPU", "unwanted"), "fail"),
        ({"gpu": "recommended"}, wish("gpu", "GPU", "unwanted"), "pass"),
        ({"gpu": "none"}, wish("gpu", "GPU"), "fail"),
        ({"license": "MIT"}, wish("licence", "permissive"), "pass"),
        ({"license": "LGPL-3.0-only"}, wish("licence", "GPL", "unwanted"), "fail"),
        ({"license": "LGPL-3.0-only"}, wish("licence", "LGPL"), "pass"),
        ({"license": "GPL-3.0-only"}, wish("licence", "LGPL"), "fail"),
        ({"license": "AGPL-3.0-only"}, wish("licence", "LGPL"), "fail"),
        ({"license": "GPL-3.0-only"}, wish("licence", "LGPL", "unwanted"), "fail"),
        ({"license": "MIT"}, wish("licence", "LGPL", "unwanted"), "pass"),
        ({"license": "MIT OR GPL-3.0-only"}, wish("licence", "GPL", "unwanted"), "pass"),
        ({"license": "CC-BY-NC-4.0"}, wish("purpose", "commercial"), "fail"),
        (
            {"license": "MIT", "license_weights": "CC-BY-NC-4.0"},
            wish("purpose", "commercial"),
            "fail",
        ),
        ({}, wish("purpose", "commercial"), "unknown"),
        ({"last_release": "2023-05"}, wish("since", "2022"), "pass"),
        ({"last_release": "2020-05"}, wish("since", "2022"), "fail"),
        ({"license": "MIT"}, wish("licence", "free of charge"), "pass"),
        ({"license": "LicenseRef-Unheard-Of"}, wish("licence", "free of charge"), "unknown"),
        (
            {"last_release": "2025-03", "checked_on": date(2026, 1, 1)},
            wish("since", "maintained"),
            "pass",
        ),
        (
            {"last_release": "2018-03", "checked_on": date(2026, 1, 1)},
            wish("since", "maintained"),
            "unknown",
        ),
        (
            {"last_commit": date(2019, 1, 1), "checked_on": date(2026, 1, 1)},
            wish("since", "maintained"),
            "unknown",
        ),
        ({"interfaces": ("plugin",), "platforms": ("Fiji",)}, NO_FIJI, "fail"),
        ({"requires_tool": ("fsl",)}, wish("tool", "FSL", "unwanted"), "fail"),
        ({}, wish("tool", "FSL", "unwanted"), "pass"),
        ({"interfaces": ("web",)}, wish("offline", "offline"), "fail"),
        ({"interfaces": ("web", "command line")}, wish("offline", "offline"), "unknown"),
        ({"interfaces": ("web", "REST", "Python")}, wish("offline", "offline"), "fail"),
        (
            {"interfaces": ("REST", "Python"), "languages": ("Python",)},
            wish("offline", "offline"),
            "unknown",
        ),
        (
            {"interfaces": ("web", "REST"), "platforms": ("Linux",)},
            wish("offline", "offline"),
            "unknown",
        ),
        ({"interfaces": ("web",), "keywords": ("no upload",)}, wish("offline", "offline"), "pass"),
        ({"description": "Runs on the CPU, locally."}, wish("offline", "offline"), "pass"),
        ({"description": "A model in the cloud or locally."}, wish("offline", "offline"), "pass"),
        ({"description": "Usable without internet."}, wish("offline", "offline"), "pass"),
        ({"description": "Sharpens a map locally."}, wish("offline", "offline"), "unknown"),
        (
            {"description": "Runs locally, with alignments from a public server."},
            wish("offline", "offline"),
            "unknown",
        ),
        (
            {"description": "Sorts in an offline or online mode."},
            wish("offline", "offline"),
            "unknown",
        ),
        ({"needs": Needs(gpu_gb=8)}, wish("memory", "6 GB GPU"), "fail"),
        ({"needs": Needs(gpu_gb=8)}, wish("memory", "6 GB"), "unknown"),
        ({"needs": Needs(ram_gb=8)}, wish("memory", "16 GB"), "pass"),
    ],
)
def test_a_record_passes_fails_or_states_nothing(facts, asked, verdict):
    assert wish_fit(make_tool("one", **facts), asked).verdict == verdict


LINUX, NO_LINUX = wish("system", "Linux"), wish("system", "Linux", "unwanted")


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"platforms": ("Linux", "Windows", "macOS")}, "pass"),
        ({"platforms": ("Linux", "macOS")}, "pass"),
        ({"platforms": ("Windows",)}, "pass"),
        ({"interfaces": ("web",)}, "pass"),
        ({"platforms": ("browser", "Linux")}, "pass"),
        ({"platforms": ("Linux",)}, "fail"),
        ({"platforms": ("Linux",), "interfaces": ("container",)}, "unknown"),
        ({"platforms": ("Linux", "Neurodesk")}, "unknown"),
        ({"platforms": ("Neurodesk",)}, "unknown"),
        ({"platforms": ("Fiji",)}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_a_system_is_ruled_out_only_for_tools_that_run_on_nothing_else(facts, verdict):
    assert wish_fit(make_tool("one", **facts), NO_LINUX).verdict == verdict


def test_of_two_systems_that_are_ruled_out_another_one_has_to_be_stated():
    neither = wish("system", "Linux or macOS", "unwanted")
    assert wish_fit(make_tool("one", platforms=("Linux", "macOS")), neither).verdict == "fail"
    assert wish_fit(make_tool("one", platforms=("Linux", "Windows")), neither).verdict == "pass"


def test_the_badge_of_a_tool_for_the_system_alone_says_that_it_is_for_nothing_else():
    summary = summary_of([wish_fit(make_tool("one", platforms=("Linux",)), NO_LINUX)])
    assert summary is not None
    assert summary.text == "For Linux only"


def test_a_stated_language_that_is_unwanted_fails_beside_others():
    unwanted = wish("language", "R", "unwanted")
    assert wish_fit(make_tool("one", languages=("R", "Python")), unwanted).verdict == "fail"


@pytest.mark.parametrize(
    ("unwanted", "interfaces", "verdict"),
    [
        # Who cannot type commands needs windows; a library may or may not serve.
        ("command line", ("command line", "desktop"), "pass"),
        ("command line", ("command line", "web"), "pass"),
        ("command line", ("command line", "Python"), "fail"),
        ("command line", ("Python",), "unknown"),
        ("container", ("container", "Python", "command line"), "pass"),
        ("container", ("container", "command line"), "unknown"),
        ("container", ("container",), "fail"),
        ("container", ("command line",), "pass"),
        ("browser", ("web", "desktop"), "pass"),
        ("browser", ("web",), "fail"),
        ("browser", ("web", "REST"), "fail"),
        ("graphical", ("desktop", "command line"), "pass"),
        ("graphical", ("desktop", "web"), "fail"),
        ("notebook", ("notebook", "Python"), "pass"),
        ("notebook", ("notebook",), "fail"),
        ("container", (), "unknown"),
    ],
)
def test_an_unwanted_interface_fails_only_tools_that_cannot_be_used_otherwise(
    unwanted, interfaces, verdict
):
    """TotalSegmentator runs without the container that it also comes as."""
    tool = make_tool("one", interfaces=interfaces)
    assert wish_fit(tool, wish("interface", unwanted, "unwanted")).verdict == verdict


@pytest.mark.parametrize(
    ("name", "unwanted", "verdict"),
    [
        ("ITKElastix", "elastix", "fail"),
        ("ANTsPy", "ANTs", "fail"),
        ("QuPath StarDist extension", "StarDist", "fail"),
        ("HD-BET", "BET", "pass"),
        ("Giants", "ANTs", "pass"),
        ("Elasticity", "elastix", "pass"),
    ],
)
def test_a_tool_with_the_name_of_an_unwanted_one_in_its_own_is_of_it(name, unwanted, verdict):
    assert (
        wish_fit(make_tool("one", name=name), wish("tool", unwanted, "unwanted")).verdict == verdict
    )


def test_a_tool_without_the_unwanted_interface_stands_before_one_that_offers_it_beside_others():
    no_browser = wish("interface", "browser", "unwanted")
    assert is_direct(make_tool("one", interfaces=("desktop",)), no_browser)
    assert not is_direct(make_tool("two", interfaces=("desktop", "web")), no_browser)


def test_who_rules_out_the_command_line_is_met_by_windows_that_stand_beside_it():
    no_commands = wish("interface", "command line", "unwanted")
    assert is_direct(make_tool("one", interfaces=("desktop", "command line")), no_commands)


def test_the_badge_names_the_interfaces_of_which_it_is_open_whether_they_serve():
    no_commands = wish("interface", "command line", "unwanted")
    summary = summary_of([wish_fit(make_tool("one", interfaces=("Python",)), no_commands)])
    assert summary is not None
    assert (summary.verdict, summary.text) == ("unknown", "Interface: Python")


@pytest.mark.parametrize("system", ["Linux", "Windows", "macOS"])
@pytest.mark.parametrize("platforms", [("Neurodesk",), ("Neurodesk", "MATLAB")])
def test_a_record_that_states_neurodesk_alone_is_unknown_for_every_system(system, platforms):
    tool = make_tool("one", platforms=platforms)
    assert wish_fit(tool, wish("system", system)).verdict == "unknown"


def test_a_container_of_neurodesk_may_run_on_a_system_that_the_record_does_not_name():
    tool = make_tool("one", platforms=("Neurodesk", "Linux", "macOS"))
    assert wish_fit(tool, wish("system", "Windows")).verdict == "unknown"
    assert wish_fit(tool, LINUX).verdict == "pass"


def test_evidence_about_another_program_never_says_none_where_the_record_is_silent():
    fsl = wish("tool", "FSL", "unwanted")
    assert wish_fit(make_tool("one", name="One"), fsl).tool == "name: One"
    assert wish_fit(make_tool("one", name="One", suite="SPM"), fsl).tool == "name: One, SPM"


def listed():
    tools = (
        make_tool("silent"),
        make_tool("r", languages=("R",)),
        make_tool("python", languages=("Python",)),
    )
    return tuple(Candidate(tool=t, score=0.9 - n / 10) for n, t in enumerate(tools))


def after(*asked, hides=True):
    state = State(query=make_query("segment", wishes=asked), candidates=listed())
    return WishStage({"language": 1.0}, hides=hides).run(state)


def ids(result):
    return [c.tool.id for c in result.state.candidates]


def test_what_fails_sinks_below_what_is_unknown_and_that_below_what_passes():
    assert ids(after(PYTHON)) == ["python", "silent", "r"]


def test_a_requirement_hides_what_states_otherwise_and_says_how_many():
    result = after(wish("language", "Python", "required"))
    assert ids(result) == ["python", "silent"]
    assert "1 hidden" in result.note
    assert "1 lower" in result.note


@pytest.mark.parametrize(("story", "first"), [(True, "silent"), (False, "python")])
def test_in_a_story_a_wish_orders_tools_that_serve_about_as_well(story, first):
    scores = {"silent": 1.0, "r": 0.9, "python": 0.2, "else": 0.0}
    tools = {c.tool.id: c.tool for c in listed()} | {"else": make_tool("else")}
    candidates = tuple(Candidate(tool=tools[name], score=score) for name, score in scores.items())
    state = State(query=make_query("segment", wishes=(PYTHON,)), candidates=candidates)
    stage = WishStage({"language": 1.0}, is_story=lambda text: story)
    assert ids(stage.run(state))[0] == first


def test_a_judged_run_hides_nothing():
    assert ids(after(wish("language", "R", "unwanted"), hides=False)) == ["python", "silent", "r"]


def test_without_a_wish_the_list_is_the_same_object():
    state = State(query=make_query("segment"), candidates=listed())
    result = WishStage(HALF).run(state)
    assert result.state is state
    assert not result.listed


def test_wishes_that_contradict_each_other_change_no_rank_and_are_named():
    both = (PYTHON, wish("language", "Python", "unwanted"))
    result = after(*both)
    assert ids(result) == ["silent", "r", "python"]
    assert "Python" in result.note
    assert not result.listed


def test_each_verdict_keeps_what_was_asked_and_what_the_record_states():
    fit = after(PYTHON).state.candidates[0].fit[0]
    assert (fit.scan, fit.tool, fit.asked) == (None, "languages: Python", "Python, wanted")


def test_shares_count_the_records_that_state_a_field():
    tools = [make_tool("a", languages=("R",)), make_tool("b"), make_tool("c"), make_tool("d")]
    shares = stated_shares(tools)
    assert (shares["language"], shares["host"], shares["tool"]) == (0.25, 0.0, 1.0)
    assert wish_effect(after(), ()) is None


def test_a_second_look_replaces_the_verdicts_and_still_tells_what_was_hidden():
    stage, asked = WishStage({"language": 1.0}), (wish("language", "Python", "required"),)
    first = stage.run(State(query=make_query("x", wishes=asked), candidates=listed()))
    again = stage.run(first.state)
    assert ids(again) == ["python", "silent"]
    assert [len(c.fit) for c in again.state.candidates] == [1, 1]
    assert wish_effect(replace(again, children=(first, again)), asked).hidden == 1


def test_silence_on_what_is_required_stands_below_what_passes():
    few_say_it = WishStage({"language": 0.1})

    def ranked_for(strength):
        asked = (wish("language", "Python", strength),)
        return ids(few_say_it.run(State(query=make_query("x", wishes=asked), candidates=listed())))

    assert ranked_for("wanted")[0] == "silent"
    assert ranked_for("required") == ["python", "silent"]


def test_silence_on_what_hardly_any_record_speaks_of_costs_little_where_it_is_required():
    asked = (wish("language", "Python", "required"),)
    state = State(query=make_query("x", wishes=asked), candidates=listed())
    assert ids(WishStage({"language": 0.02}).run(state)) == ["silent", "python"]


@pytest.mark.parametrize(
    ("asked", "itself", "also"),
    [
        (wish("system", "Windows"), {"platforms": ("Windows",)}, {"platforms": ("browser",)}),
        (
            wish("interface", "graphical"),
            {"interfaces": ("desktop",)},
            {"interfaces": ("plugin",), "platforms": ("Fiji",)},
        ),
        (wish("interface", "graphical"), {"interfaces": ("desktop",)}, {"interfaces": ("web",)}),
        (wish("gpu", "GPU", "unwanted"), {"gpu": "none"}, {"gpu": "recommended"}),
        (wish("gpu", "GPU", "unwanted"), {"gpu": "optional"}, {"gpu": "recommended"}),
    ],
)
def test_what_is_stated_itself_stands_above_what_does_as_well(asked, itself, also):
    tools = make_tool("also", **also), make_tool("itself", **itself), make_tool("silent")

    def result_of(*scores):
        candidates = [Candidate(tool=t, score=s) for t, s in zip(tools, scores, strict=True)]
        state = State(query=make_query("segment", wishes=(asked,)), candidates=tuple(candidates))
        return WishStage({asked.kind: 1.0}).run(state)

    result = result_of(1.0, 0.9, 0.2)
    assert ids(result) == ["itself", "also", "silent"]
    assert {fit.verdict for c in result.state.candidates[:2] for fit in c.fit} == {"pass"}
    assert "met by" in result.state.candidates[1].why[-1].text
    # Not where the task speaks for the other one.
    assert ids(result_of(1.0, 0.4, 0.2)) == ["also", "itself", "silent"]


@pytest.mark.parametrize(
    ("text", "first"), [("Java library", "library"), ("in Java", "server"), ("Java API", "library")]
)
def test_a_wish_for_a_library_is_met_best_by_what_is_called_from_the_language(text, first):
    server = make_tool("server", languages=("Java",), interfaces=("web",))
    library = make_tool("library", languages=("Java",), interfaces=("Java",))
    java = Wish(kind="language", value="Java", text=text, strength="wanted")
    candidates = (Candidate(tool=server, score=1.0), Candidate(tool=library, score=0.9))
    other = Candidate(tool=make_tool("other", languages=("C++",)), score=0.2)
    state = State(query=make_query("x", wishes=(java,)), candidates=(*candidates, other))
    assert ids(WishStage({"language": 1.0}).run(state))[0] == first


def test_hosts_with_windows_state_a_desktop_program_in_the_shipped_catalog():
    tools = load_catalog(Settings(_env_file=None).catalog).tools
    states = {tool.name.casefold().replace(" ", ""): tool.interfaces for tool in tools}
    assert all("desktop" in states[host] for host in WINDOWED_HOSTS)


@pytest.mark.parametrize("system", ["iOS", "Android"])
def test_what_runs_in_a_browser_loses_nothing_where_a_telephone_is_wished(system):
    assert is_direct(make_tool("viewer", platforms=("browser",)), wish("system", system))


@pytest.mark.parametrize("value", GOALS)
def test_a_purpose_in_words_is_judged_as_the_panel_judges_it_for_every_shipped_record(value):
    for tool in load_catalog(Settings(_env_file=None).catalog).tools:
        verdicts = {fit.verdict for fit in licence_fit(tool, GOALS[value])}
        worst = next(one for one in ("fail", "unknown", "pass") if one in verdicts)
        assert wish_fit(tool, wish("purpose", value)).verdict == worst, tool.id


def test_weights_without_a_stated_licence_cost_less_than_code_without_one():
    plain = {"tasks": ("model inference",)}
    tools = [
        make_tool("silent"),
        make_tool("weights", license="MIT", **plain),
        make_tool("both", license="MIT", license_weights="MIT", **plain),
        make_tool("forbidden", license="CC-BY-NC-4.0"),
    ]
    candidates = [Candidate(tool=one, score=1 - n / 10) for n, one in enumerate(tools)]
    wishes = (wish("purpose", "commercial"),)
    state = State(query=make_query("segment", wishes=wishes), candidates=tuple(candidates))
    result = WishStage({"purpose": 1.0}).run(state)
    assert ids(result) == ["weights", "both", "silent", "forbidden"]
    assert result.state.candidates[0].fit[0].verdict == "unknown"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_in_words_is_judged_as_the_panel_judges_it_for_every_shipped_record(system):
    for tool in load_catalog(Settings(_env_file=None).catalog).tools:
        [fit] = [f for f in machine_fit(tool, Machine(system=system)) if f.fact == "system"]
        assert wish_fit(tool, wish("system", system)).verdict == fit.verdict, tool.id


def test_a_tool_for_something_else_is_told_beside_its_wishes_and_keeps_its_place():
    state = State(query=make_query("segment", wishes=(PYTHON,)), candidates=listed())
    beside = ["x" if c.tool.id == "python" else "" for c in listed()]
    result = WishStage({"language": 1.0}, beside=lambda text, ids: beside).run(state)
    assert ids(result) == ids(WishStage({"language": 1.0}).run(state))
    python = result.state.candidates[0]
    assert [(f.fact, f.tool) for f in python.fit] == [
        ("language", "languages: Python"),
        ("task", "x"),
    ]
    assert result.metrics["wishes_unstated"] == 1


def test_a_language_that_no_candidate_states_leaves_the_order():
    julia = wish("language", "Julia")
    state = State(query=make_query("segment", wishes=(julia,)), candidates=listed())
    result = WishStage({"language": 1.0}).run(state)
    assert [(c.tool.id, c.score) for c in result.state.candidates] == [
        (c.tool.id, c.score) for c in listed()
    ]
    assert [c.fit[0].verdict for c in result.state.candidates] == ["unknown", "fail", "fail"]
    assert result.note == "no tool here states Julia: the order stays"
    assert result.metrics["wishes_unstated"] == 0


def test_only_what_a_wish_lowered_is_counted_as_lower():
    wishes = (PYTHON, wish("host", "Blender"))
    state = State(query=make_query("segment", wishes=wishes), candidates=listed())
    result = WishStage({"language": 1.0, "host": 1.0}).run(state)
    assert result.metrics["wishes_unstated"] == 1
    assert "weighed Python (wanted); no tool here states Blender" in result.note


def test_those_that_state_nothing_are_counted_of_all_that_were_found():
    state = State(query=make_query("segment", wishes=(PYTHON,)), candidates=listed())
    result = WishStage({"language": 1.0}).run(state)
    cut = replace(result.state, candidates=result.state.candidates[:1])
    shown = replace(result, state=cut, children=(result,))
    text = wish_effect(shown, (PYTHON,)).text
    assert text == f"1 of {len(listed())} tools found states nothing about it and stands lower."


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("maintained in 2025", "pass"),
        ("last updated after 2024", "pass"),
        ("2025 aktualisiert", "pass"),
        ("mis à jour en 2025", "pass"),
        ("actualizado en 2025", "pass"),
        ("released in 2025", "fail"),
        ("published since 2025", "fail"),
    ],
)
def test_a_commit_counts_where_a_year_of_upkeep_is_wished(text, verdict):
    asked = Wish(kind="since", value="2025", text=text, strength="wanted")
    tool = make_tool("one", last_release="2020-05", last_commit=date(2025, 9, 8))
    assert wish_fit(tool, asked).verdict == verdict
    old = make_tool("old", last_commit=date(2021, 9, 8))
    assert wish_fit(old, asked).verdict == "unknown"


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"interfaces": ("web", "container"), "platforms": ("browser",)}, "pass"),
        ({"interfaces": ("REST", "web"), "platforms": ("Linux",)}, "pass"),
        ({"interfaces": ("web", "REST", "plugin"), "languages": ("Java",)}, "unknown"),
        ({"interfaces": ("web", "REST")}, "fail"),
        ({"interfaces": ("desktop",)}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_a_server_that_one_can_put_up_meets_a_wish_to_host_it(facts, verdict):
    texts = ("self hosted", "auf unserem Server gehostet", "auto hébergé", "autoalojado", "自托管")
    for text in texts:
        asked = Wish(kind="offline", value="offline", text=text, strength="wanted")
        assert wish_fit(make_tool("one", **facts), asked).verdict == verdict


def test_a_server_that_one_can_put_up_says_nothing_of_offline_use():
    asked = Wish(kind="offline", value="offline", text="without internet", strength="wanted")
    assert wish_fit(make_tool("one", interfaces=("web", "container")), asked).verdict == "unknown"


def test_what_does_as_well_costs_nothing_where_no_tool_for_the_task_states_the_thing_itself():
    web = make_tool("web", interfaces=("web",))
    tools = (make_tool("other", interfaces=("desktop",)), web, make_tool("none"))
    scores = zip(tools, (0.65, 0.7, 0.0), strict=True)
    candidates = tuple(Candidate(tool=tool, score=score) for tool, score in scores)
    wishes = (wish("interface", "graphical"),)
    state = State(query=make_query("segment", wishes=wishes), candidates=candidates)

    def order(*words):
        stage = WishStage({"interface": 1.0}, beside=lambda text, ids: words)
        return ids(stage.run(state))

    assert order("", "", "") == ["other", "web", "none"]
    assert order("its tasks: other", "", "") == ["web", "other", "none"]
