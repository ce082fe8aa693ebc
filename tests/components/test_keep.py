"""What a visitor keeps: citations, the report, and the comparison of chosen tools."""

import re

import yaml
from building import HOSTILE, Filters, Fit, answer, candidate, stage, tool
from markdown_it import MarkdownIt
from msgspec import structs

from components.data import Data
from components.panels.results.card_actions import toggled
from components.panels.results.exports import CITED, cited
from components.render.downloads.export import as_bibtex, as_cff
from components.render.downloads.report import as_markdown, methods
from components.render.results.compare import MOST, chosen_panel, rows_of
from retrieval.core import Needs, Wish

FSL = tool(
    "fsl_bet",
    name="FSL & BET_2",
    url="https://fsl.example/bet",
    license="GPL-3.0-only",
    citation="https://doi.org/10.1002/hbm.10062.",
    last_release="2024-05-01",
)
BARE = tool("bare tool")


def test_a_bibtex_entry_holds_what_the_record_states_and_nothing_else():
    entry = as_bibtex([FSL])
    assert entry.startswith("@software{fsl_bet,\n")
    assert "title = {{FSL \\& BET\\_2}}" in entry
    assert "note = {Licence: GPL-3.0-only; last release: 2024-05-01}" in entry
    assert re.findall(r"^  (\w+) =", as_bibtex([BARE]), re.M) == ["author", "title"]


def test_the_doi_of_a_paper_is_no_doi_of_the_software():
    software, work = as_bibtex([FSL]).split("\n\n")
    assert "doi" not in software
    assert "year = {2024}" in software
    assert work.startswith("@misc{fsl_bet_work,\n")
    assert "doi = {10.1002/hbm.10062}" in work
    archived = tool("tool", citation="10.5281/zenodo.1213240", last_release="2023-01")
    assert re.findall(r"^@(\w+)", as_bibtex([archived]), re.M) == ["software"]
    assert "doi = {10.5281/zenodo.1213240}" in as_bibtex([archived])


def test_no_catalog_text_ends_a_bibtex_entry():
    evil = tool("x}@", name="A}, note={B", license="L}\n@book{x,", url="https://a.example/{x}")
    entry = as_bibtex([evil])
    assert entry.count("{") == entry.count("}")
    assert len(re.findall(r"^@", entry, re.M)) == 1


def test_a_citation_file_is_yaml_with_each_tool_and_the_work_it_asks_to_cite():
    told = yaml.safe_load(as_cff([FSL, BARE]))
    assert told["cff-version"] == "1.2.0"
    first, work, second = told["references"]
    assert "doi" not in first
    assert first["year"] == 2024
    assert (work["type"], work["doi"]) == ("generic", "10.1002/hbm.10062")
    assert first["license"] == "GPL-3.0-only"
    assert "url" not in second
    assert all(one["authors"] and one["title"] for one in told["references"])


def test_the_report_shows_hostile_text_literally_and_links_only_to_the_web():
    found = candidate(
        tool("x", name=HOSTILE, description=f"[a](javascript:1) **{HOSTILE}**", url="javascript:2")
    )
    page = MarkdownIt("commonmark", {"html": True}).enable("table")
    html = page.render(as_markdown(answer(stage("fused", found), text=HOSTILE)))
    assert "<script" not in html
    assert "<img" not in html
    assert "href=" not in html
    assert "<strong>" not in html


def test_the_report_names_tools_stages_and_the_chosen_ones():
    found = answer(stage("fused", candidate(FSL)), stage("rerank", candidate(FSL)))
    told = as_markdown(found, [FSL])
    assert "### 1. FSL \\& BET\\_2" in told
    assert "| Combined | ok | 1 |" in told
    assert "doi:10.1002/hbm.10062" in told


def test_the_report_begins_with_the_chosen_tools_and_names_what_was_typed():
    other = candidate(tool("o", description="about the other"))
    found = answer(stage("fused", other, candidate(FSL)), text="skull strip in Python")
    found = structs.replace(found, query=structs.replace(found.query, text="skull strip"))
    told = as_markdown(found, [FSL])
    places = ("## Chosen", "### 2. FSL", "## Other tools, best first", "### 1. O")
    assert sorted(places, key=told.index) == list(places)
    assert told.count("### ") == 2
    assert told.startswith("# Software for: skull strip in Python\n")
    assert 'the task "skull strip in Python"' in methods(found, [])
    assert "## Tools, best first" in as_markdown(found)


SET = {
    "filters": Filters(licenses=frozenset({"MIT", "LicenseRef-own"}), gpu=frozenset({"none"})),
    "wishes": (Wish(kind="interface", value="Python", text="in Python", strength="required"),),
    "off": frozenset({"graph"}),
    "rerank": False,
    "liked": ("fsl_bet",),
    "top_k": 30,
}


def test_the_report_names_each_choice_that_made_its_list_otherwise_than_by_default():
    found = answer(stage("fused", candidate(FSL)), **SET)
    lines = as_markdown(structs.replace(found, sizes={"hops": 3})).split("\n")
    assert "- Licence: own (own terms) or MIT" in lines
    for line in (
        "- GPU: none",
        "- Wishes: only Python",
        "- Stages switched off: Graph",
        "- Re-ranking: off",
        "- Taste: tools chosen and excluded before",
        "- Tools listed: 30",
        "- Graph depth: 3",
    ):
        assert line in lines
    told = methods(found, [])
    assert "The search was set to Licence: " in told
    assert "; Wishes: only Python; Stages switched off: Graph; Re-ranking: off" in told


def test_the_methods_paragraph_counts_the_values_of_a_long_filter():
    many = Filters(licenses=frozenset(f"L{n}" for n in range(28)))
    found = answer(stage("fused", candidate(FSL)), filters=many)
    assert "Licence: one of 28. " in methods(found, [])
    assert "L3 or L4" in as_markdown(found)


def test_a_search_by_default_names_no_setting():
    found = answer(stage("fused", candidate(FSL)))
    assert "was set to" not in methods(found, [])
    assert as_markdown(found).split("\n")[2:4] == ["- Mode: hybrid", ""]


def test_the_methods_paragraph_names_mode_catalog_and_rank():
    told = methods(answer(stage("fused", candidate(FSL))), [FSL])
    assert "mode hybrid" in told
    assert "catalog sha256 000000000000" in told
    assert "FSL & BET_2 (rank 1, licence GPL-3.0-only, doi:10.1002/hbm.10062)" in told


def test_the_first_tools_are_cited_when_none_is_chosen():
    found = answer(stage("fused", *(candidate(tool(f"t{n}")) for n in range(9))))
    assert len(cited(found, ())) == CITED
    assert cited(found, [BARE]) == [BARE]


def test_choosing_twice_takes_a_tool_out_and_a_fifth_choice_changes_nothing():
    data = Data()
    for n in range(MOST):
        data = toggled(data, f"t{n}")
    assert data.chosen == tuple(f"t{n}" for n in range(MOST))
    assert toggled(data, "another") == data
    assert "t1" not in toggled(data, "t1").chosen


def test_a_choice_beyond_the_most_is_refused_in_words():
    tools = [tool(f"t{n}") for n in range(MOST)]
    assert "not added" not in chosen_panel(tools, None)
    html = chosen_panel(tools, None, tool("z", name=HOSTILE))
    assert f"was not added: {MOST} tools can be compared." in html
    assert "<script" not in html


def test_rows_that_differ_are_marked_and_facts_nobody_states_are_left_out():
    one, two = tool("a", gpu="optional", suite="S"), tool("b", gpu="required", suite="S")
    html = chosen_panel([one, two], None)
    assert dict(rows_of([one, two])) == {"GPU": ("optional", "required"), "Suite": ("S", "S")}
    assert html.count('class="differs"') == 1
    shown, folded = html.split("<details>")
    assert [part.count(">Remove<") for part in (shown, folded)] == [2, 0]
    assert "GPU" in shown
    assert "Suite" not in shown
    assert "1 more row" in folded
    assert "Suite" in folded


def test_what_one_record_does_not_state_is_no_difference():
    fits = (Fit(fact="modality", verdict="pass", scan="CT", tool="CT"),)
    none = (Fit(fact="modality", verdict="unknown", scan="CT", tool=None),)
    found = answer(stage("fit", candidate(tool("a"), fit=fits), candidate(tool("b"), fit=none)))
    html = chosen_panel([tool("a", gpu="optional"), tool("b")], found)
    shown, folded = html.split("<details>")
    assert "GPU" not in shown
    assert "GPU" in folded
    # Why the marks in the list are others is one, and stands first.
    assert shown.index("Fit: modality") < shown.index("Rank: Fit")


def test_verdicts_that_all_share_are_folded_but_for_those_against_them():
    unknown = Fit(fact="units", verdict="unknown", scan="HU", tool=None)
    fail = Fit(fact="dimension", verdict="fail", scan="2D", tool="dimensions: 3D")
    chosen = [tool("a"), tool("b")]
    judged = [candidate(one, fit=(unknown, fail)) for one in chosen]
    shown, folded = chosen_panel(chosen, answer(stage("fit", *judged))).split("<details>")
    assert "Fit: dimension" in shown
    assert "Fit: units" in folded


def test_the_comparison_tells_ranks_and_fit():
    fits = (Fit(fact="modality", verdict="fail", scan="MRI", tool="CT"),)
    found = answer(stage("fit", candidate(tool("a"), fit=fits), candidate(tool("b"), fit=())))
    html = chosen_panel([tool("a"), tool("b")], found)
    assert "Rank: Fit" in html
    assert "does not fit" in html


def test_the_comparison_begins_with_facts_and_the_last_rank():
    one, two = candidate(tool("a")), candidate(tool("b"))
    stages = stage("dense", one, two), stage("fused", two, one), stage("fit", one, two)
    html = chosen_panel([tool("a", gpu="optional"), tool("b", gpu="required")], answer(*stages))
    shown, folded = html.split("<details>")
    assert shown.index("GPU") < shown.index("Rank: Fit")
    for name in ("Rank: Meaning", "Rank: Combined"):
        assert name not in shown
        assert name in folded
    assert "2 more rows" in folded
    assert "the ranks of earlier stages" in folded


def test_the_comparison_shows_what_the_input_of_each_has_to_be():
    fits = (Fit(fact="data", verdict="fail", scan="image", tool="requirements.data: label"),)
    chosen = [tool("a", needs=Needs(data=("label",))), tool("b")]
    html = chosen_panel(chosen, answer(stage("fit", candidate(chosen[0], fit=fits))))
    assert "data: label map" in html
    assert "Fit: data" in html


def test_the_fold_of_a_comparison_holds_what_all_state_alike_who_state_it():
    tools = [
        tool("a", suite="S", dimensions=("2D",), gpu="none", formats_in=("NIfTI",)),
        tool("b", dimensions=("2D",), gpu="optional"),
        tool("c", dimensions=("3D",), gpu="none", formats_in=("NIfTI",)),
    ]
    outside, fold = chosen_panel(tools, None).split("<summary>")
    assert "2 more rows: the same in all that state it" in fold
    assert all(f"<th scope='row'>{name}</th>" in fold for name in ("Suite", "Reads"))
    assert all(f"<th scope='row'>{name}</th>" in outside for name in ("Dimension", "GPU"))


def test_the_comparison_shows_hostile_text_literally():
    html = chosen_panel([tool(HOSTILE, name=HOSTILE, license=HOSTILE)], None)
    assert "<script" not in html
    assert "<img" not in html


def test_nothing_chosen_is_no_panel():
    assert chosen_panel([], None) == ""
