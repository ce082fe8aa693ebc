"""Facts that packaging files state, with their lines."""

from __future__ import annotations

import pytest

PYPROJECT = """\
[project]
name = "lungcut"
requires-python = ">=3.10"
license = "BSD-3-Clause"
classifiers = [
    "Operating System :: POSIX :: Linux",
    "Operating System :: MacOS",
]
dependencies = ["numpy", "torch>=2.1"]
[project.scripts]
lungcut = "lungcut.cli:main"
[project.entry-points."napari.manifest"]
lungcut = "lungcut:napari.yaml"
"""
SETUP = """\
import os
os.system("touch EXECUTED")
open("EXECUTED", "w")
from setuptools import setup
setup(
    name="lungcut",
    version=os.environ["V"],
    python_requires=">=3.8",
    license="MIT",
    entry_points={"console_scripts": ["lungcut = lungcut:main"]},
)
"""


def test_pyproject_states_names_lines_and_interfaces(facts):
    files = {"pyproject.toml": PYPROJECT}
    assert facts("python_version", files) == [(">=3.10", "pyproject.toml", 3, False)]
    assert facts("license", files) == [("BSD-3-Clause", "pyproject.toml", 4, False)]
    assert [row[:3] for row in facts("platforms", files)] == [
        ("Linux", "pyproject.toml", 6),
        ("macOS", "pyproject.toml", 7),
        ("napari", "pyproject.toml", 12),
    ]
    assert [(row[0], row[3]) for row in facts("interfaces", files)] == [
        ("Python", True),
        ("plugin", False),
        ("command line", False),
    ]


def test_a_dependency_on_a_learning_library_decides_nothing_about_the_gpu(facts):
    files = {"pyproject.toml": PYPROJECT}
    assert facts("gpu", files) == [("undecided", "pyproject.toml", 9, True)]


def test_setup_py_is_parsed_and_not_executed(facts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert facts("python_version", {"setup.py": SETUP}) == [(">=3.8", "setup.py", 8, False)]
    assert facts("license", {"setup.py": SETUP}) == [("MIT", "setup.py", 9, False)]
    assert not list(tmp_path.rglob("EXECUTED"))


def test_a_licence_classifier_names_its_spdx_licence(facts):
    text = "[metadata]\nname = x\nclassifiers =\n"
    text += "    License :: OSI Approved :: GNU General Public License v3 (GPLv3)\n"
    assert facts("license", {"setup.cfg": text}) == [("GPL-3.0-only", "setup.cfg", 4, False)]


def test_a_licence_family_is_not_proposed(facts):
    assert facts("license", {"setup.cfg": "[metadata]\nname = x\nlicense = BSD\n"}) == []


def test_r_julia_and_javascript_manifests_give_languages_and_licences(facts):
    description = "Package: lungcut\nLicense: GPL (>= 2)\nDate: 2026-03-04\n"
    assert facts("license", {"DESCRIPTION": description}) == [
        ("GPL-2.0-or-later", "DESCRIPTION", 2, False)
    ]
    assert facts("last_release", {"DESCRIPTION": description})[0][0] == "2026-03-04"
    julia = 'name = "LungCut"\nuuid = "0"\n'
    assert ("Julia", "Project.toml", 1, False) in facts("interfaces", {"Project.toml": julia})
    package = '{"name": "lungcut", "bin": "x.js",\n "license": "MIT"}'
    assert ("MIT", "package.json", 2, False) in facts("license", {"package.json": package})


def test_a_scijava_project_is_proposed_as_a_fiji_plugin(facts):
    pom = '<project xmlns="http://maven.apache.org/POM/4.0.0">\n<parent>\n'
    pom += "<artifactId>pom-scijava</artifactId></parent></project>"
    assert facts("platforms", {"pom.xml": pom}) == [("Fiji", "pom.xml", 3, True)]


def test_a_base_image_with_cuda_is_a_hint(facts):
    files = {"Dockerfile": "# build\nFROM nvidia/cuda:12.4.1-base\nRUN true\n"}
    assert facts("interfaces", files) == [("container", "Dockerfile", 2, False)]
    assert facts("gpu", files) == [("undecided", "Dockerfile", 2, True)]


def test_languages_are_those_with_most_bytes(facts):
    files = {"a.py": "x" * 800, "b.cpp": "x" * 190, "c.js": "x" * 10, "tests/d.m": "x" * 900}
    assert facts("languages", files) == [("Python", "a.py", 1, False), ("C++", "b.cpp", 1, False)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project\n"),
        ("setup.cfg", "no section\n"),
        ("setup.py", "def (:\n"),
        ("setup.py", "-" * 100_000 + "1"),
        ("CITATION.cff", "a: [b\n"),
        ("CITATION.cff", "[" * 50_000),
        ("codemeta.json", "[" * 100_000),
        ("package.json", "{"),
        ("Project.toml", "="),
        ("pom.xml", "<a>"),
        ("pom.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    ],
)
def test_a_broken_file_is_one_line_of_problem(harvest, name, text):
    result = harvest({name: text, "README.md": "`pip install lungcut`"})
    problems = [p for p in result.problems if p.startswith(f"{name}: ")]
    assert len(problems) == 1
    assert "\n" not in problems[0]
    assert "install" in {p.field for p in result.proposals}


@pytest.mark.parametrize("text", ["null", "[]", '{"tags": 5}', '{"tags": [{"name": 1}]}', "{"])
def test_git_facts_of_another_shape_are_ignored(facts, text):
    assert facts("last_release", {"facts.json": text}) == []
