"""What the source code itself says: graphics cards, languages, how to get it."""

from __future__ import annotations

import pytest

from retrieval.catalog.harvest import gpu_code

DEEP = "src/main/java/org/lab/tools/imaging/cut/core/Cut.java"


def test_code_that_names_no_library_for_graphics_cards_needs_none(harvest):
    files = {"cut.py": "import numpy\n", "setup.cfg": "[metadata]\nname = lungcut\n"}
    proposal = next(p for p in harvest(files).proposals if p.field == "gpu")
    assert (proposal.value, proposal.hint) == ("none", True)
    assert proposal.note == "none of 2 files names a library for graphics cards"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "torch\n"),
        ("sub/cut.cu", "__global__ void cut() {} // CUDA\n"),
        (DEEP, "import net.haesleinhuepf.clij.clearcl.ClearCL; // OpenCL\n"),
        ("pipeline.sh", "nnUNet_predict -i in -o out\n"),
    ],
)
def test_code_that_names_one_anywhere_decides_nothing(facts, path, text):
    assert facts("gpu", {"cut.py": "import numpy\n", path: text}) == []


@pytest.mark.parametrize("word", ["occupy", "separatorChar", "SelectorChanged", "isOpenClosed"])
def test_a_name_within_another_word_is_no_library_for_graphics_cards(facts, word):
    assert facts("gpu", {"cut.py": f"{word} = 1\n"}) == [("none", "cut.py", 1, True)]


@pytest.mark.parametrize(
    "line", ["import cupy", "use_gpu = 1", "import pytorch_lightning", "x_torch"]
)
def test_a_library_is_known_within_a_name_of_several_words(facts, line):
    assert facts("gpu", {"cut.py": f"{line}\n"}) == []


def test_code_with_a_way_without_a_card_makes_it_optional(facts):
    code = "import torch\n\nd = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
    assert facts("gpu", {"cut.py": code}) == [("optional", "cut.py", 3, True)]


def test_a_folder_without_code_says_nothing_of_a_card(facts):
    assert facts("gpu", {"README.md": "# lungcut\n", "requirements.txt": "numpy\n"}) == []


def test_a_folder_that_is_not_read_whole_says_nothing_of_a_card(facts, monkeypatch):
    monkeypatch.setattr(gpu_code, "MAX_SOURCES", 1)
    assert facts("gpu", {"a.py": "import numpy\n", "b.py": "import numpy\n"}) == []


def test_scripts_of_the_shell_are_a_language(facts):
    files = {"bin/cut.sh": "#!/bin/bash\n" * 20, "view.m": "x = 1;\n"}
    assert [row[0] for row in facts("languages", files)] == ["Bash"]


def test_a_clone_of_the_tool_itself_is_an_install_line(facts):
    readme = "```\ngit clone https://github.com/lab/lungcut.git\n"
    readme += "git clone https://github.com/other/viewer.git\n```\n"
    assert facts("install", {"README.md": readme}) == [
        ("git clone https://github.com/lab/lungcut.git", "README.md", 2, False)
    ]


def test_a_preprint_is_cited_by_the_doi_that_arxiv_gives_it(facts):
    readme = "@article{x,\n  title = {Cutting lungs},\n"
    readme += "  journal = {arXiv preprint arXiv:2101.00042},\n  year = {2021}\n}\n"
    assert facts("citation", {"README.md": readme}) == [
        ("10.48550/arXiv.2101.00042", "README.md", 1, True)
    ]
