"""Install lines, GPU needs, citations and releases from texts."""

from __future__ import annotations

NAMED = '[project]\nname = "lung-cut"\n'


def test_only_commands_that_install_the_tool_are_proposed(facts):
    readme = "pip install torch\n\n```\npip install lung_cut\n```\nconda install -c x numpy\n"
    files = {"pyproject.toml": NAMED, "README.md": readme}
    assert facts("install", files) == [("pip install lung_cut", "README.md", 4, False)]


def test_a_package_name_alone_is_no_install_line(facts):
    assert facts("install", {"pyproject.toml": NAMED, "README.md": "A tool.\n"}) == []


def test_quotation_marks_stay_in_pairs(facts):
    readme = "    pip install 'lungcut[gui]'\n"
    assert facts("install", {"README.md": readme})[0][0] == "pip install 'lungcut[gui]'"


def test_a_citation_of_bundled_software_is_left_out(facts):
    assert facts("software_citation", {"bundled/CITATION.cff": "title: Other\n"}) == []


def test_container_and_r_commands_name_their_kind(harvest):
    readme = "    docker pull lab/lungcut:1.2\n    remotes::install_github('lab/lungcut')\n"
    rows = [p for p in harvest({"README.md": readme}).proposals if p.field == "install"]
    assert [(p.note, p.line) for p in rows] == [("docker", 1), ("R", 2)]


def test_a_sentence_on_the_gpu_is_quoted_and_not_decided(harvest):
    readme = "It runs on CPU.\nAn NVIDIA GPU with 8 GB of memory is required.\n"
    gpu, memory = (
        next(p for p in harvest({"README.md": readme}).proposals if p.field == field)
        for field in ("gpu", "requirements.gpu_gb")
    )
    assert (gpu.value, gpu.line, gpu.hint) == ("required", 2, True)
    assert gpu.quote == "An NVIDIA GPU with 8 GB of memory is required."
    assert (memory.value, memory.hint) == ("8", True)


def test_systems_are_read_where_the_line_speaks_of_support(facts):
    readme = "Windows of 3 slices are averaged.\nTested on Ubuntu and macOS.\n"
    assert [row[0] for row in facts("platforms", {"README.md": readme})] == ["macOS", "Linux"]


def test_the_paper_and_the_software_are_told_apart(harvest):
    text = """\
cff-version: 1.2.0
title: LungCut
date-released: 2026-02-01
doi: 10.5281/zenodo.1
authors:
  - {family-names: Mori, given-names: Ken-ichi}
preferred-citation:
  type: article
  title: Cutting lungs
  year: 2024
  doi: 10.1000/cut.7
  authors: [{family-names: Silva, given-names: Ana}]
"""
    rows = {p.field: p for p in reversed(harvest({"CITATION.cff": text}).proposals)}
    assert str(rows["software_citation"].value) == "Mori Ki (2026). LungCut. doi:10.5281/zenodo.1"
    assert str(rows["paper_citation"].value) == "Silva A (2024). Cutting lungs. doi:10.1000/cut.7"
    assert (rows["citation"].value, rows["citation"].line) == ("10.1000/cut.7", 11)
    assert rows["last_release"].value == "2026-02-01"


def test_a_bibtex_entry_is_a_hint_with_its_line(facts):
    readme = "# Cite\n\n@article{x,\n  title = {Cutting {L}ungs},\n  year = {2024},\n"
    readme += "  author = {Silva, Ana and Mori, K.},\n  doi = {10.1000/cut.7}\n}\n"
    files = {"README.md": readme}
    assert facts("paper_citation", files) == [
        ("Silva, Ana, Mori, K. (2024). Cutting Lungs. doi:10.1000/cut.7", "README.md", 3, True)
    ]
    assert facts("citation", files) == [("10.1000/cut.7", "README.md", 7, True)]


def test_a_doi_of_training_data_is_no_citation(facts):
    readme = "Please cite us. Download the dataset (https://doi.org/10.5281/zenodo.9).\n"
    assert facts("citation", {"README.md": readme}) == []


def test_the_newest_dated_release_is_read_from_changes_and_git_facts(facts):
    changes = {"CHANGELOG.md": "# Changes\n\n## 2.1.0 (2026-05-06)\n\n## 2.0.0 (2025-01-01)\n"}
    assert facts("last_release", changes) == [("2026-05-06", "CHANGELOG.md", 3, False)]
    git = '{"date": "2026-06-07T10:00:00+02:00",\n "tags": [{"name": "nightly", "date": '
    git += '"2026-06-07"},\n {"name": "v2.1.0", "date": "2026-05-05"}]}'
    files = {"facts.json": git, "CHANGELOG.md": ""}
    assert facts("last_release", files) == [("2026-05-05", "facts.json", 3, False)]
    assert facts("last_commit", files)[0][0] == "2026-06-07"
