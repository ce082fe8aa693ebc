"""Words that change what is asked: *only*, *not both*, *stated*, needs, and what is not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine

SYSTEMS = frozenset({"Linux", "macOS", "Windows"})
Holds = Callable[[Tool], bool]


def systems(tool: Tool) -> set[str]:
    return {str(one) for one in tool.platforms} & SYSTEMS


def reads(tool: Tool) -> set[str]:
    return {str(one) for one in tool.formats_in}


def only_reads(tool: Tool, code: str) -> bool:
    return reads(tool) == {code} and {str(c.before) for c in tool.converts} <= {code}


def one_of(tool: Tool, *codes: str) -> bool:
    return len(reads(tool) & set(codes)) == 1


def installs(tool: Tool, name: str) -> bool:
    return any(name in re.findall(r"\w+", line.casefold()) for _, line, _ in tool.install)


SETS: list[tuple[str, Holds]] = [
    ("Which packages are available for Windows only?", lambda t: systems(t) == {"Windows"}),
    ("Which tools only run on Linux?", lambda t: systems(t) == {"Linux"}),
    ("Which tools need Linux?", lambda t: systems(t) == {"Linux"}),
    ("Quels outils ne tournent que sous Linux ?", lambda t: systems(t) == {"Linux"}),
    ("哪些工具只能在Linux上运行？", lambda t: systems(t) == {"Linux"}),
    ("Linuxでのみ動作するツールはどれですか？", lambda t: systems(t) == {"Linux"}),
    ("Which tools accept DICOM and nothing else?", lambda t: only_reads(t, "DICOM")),
    ("Welche Werkzeuge lesen nur DICOM?", lambda t: only_reads(t, "DICOM")),
    ("Which tools read CZI or LIF but not both?", lambda t: one_of(t, "CZI", "LIF")),
    ("¿Qué herramientas leen CZI o ND2 pero no ambos?", lambda t: one_of(t, "CZI", "ND2")),
    ("How many tools have no licence stated?", lambda t: not t.license),
    ("Wie viele Werkzeuge haben keine Lizenz?", lambda t: not t.license),
    ("How many tools state a citation?", lambda t: bool(t.citation)),
    ("How many tools lack a citation?", lambda t: not t.citation),
    ("Which tools state no license?", lambda t: not t.license),
    ("Which tools state no license or citation?", lambda t: not (t.license or t.citation)),
    ("Which DICOM tools state no license?", lambda t: "DICOM" in reads(t) and not t.license),
    (
        "Which tools whose license is not stated read DICOM?",
        lambda t: "DICOM" in reads(t) and not t.license,
    ),
    ("Which tools with no citation read NIfTI?", lambda t: "NIfTI" in reads(t) and not t.citation),
    ("Which tools with a license read DICOM?", lambda t: "DICOM" in reads(t) and bool(t.license)),
    ("Which tools require a container?", lambda t: list(t.interfaces) == ["container"]),
    ("Welche Werkzeuge brauchen Docker?", lambda t: list(t.interfaces) == ["container"]),
    ("How many GPU-only tools are there?", lambda t: t.gpu == "required"),
    ("Which tools are only for mice?", lambda t: list(t.species) == ["mouse"]),
    ("Which tools work on humans only?", lambda t: list(t.species) == ["human"]),
    ("Welche Werkzeuge sind nur für Mäuse?", lambda t: list(t.species) == ["mouse"]),
    ("Which tools have a plugin?", lambda t: "plugin" in t.interfaces),
    ("Which tools are available as plugins?", lambda t: "plugin" in t.interfaces),
    ("Which plug-ins read CZI?", lambda t: "plugin" in t.interfaces and "CZI" in reads(t)),
    (
        "Which tools have a plugin but no command line?",
        lambda t: "plugin" in t.interfaces and "command line" not in t.interfaces,
    ),
    (
        "Which tools have neither a plugin nor a command line?",
        lambda t: not {"plugin", "command line"} & set(t.interfaces),
    ),
    ("哪些工具有插件？", lambda t: "plugin" in t.interfaces),
    ("How to read CZI files?", lambda t: "CZI" in reads(t)),
    ("Which tools state a licence of their weights?", lambda t: bool(t.license_weights)),
    ("Which tools state no licence for their weights?", lambda t: not t.license_weights),
    ("Which tools have only a command line?", lambda t: list(t.interfaces) == ["command line"]),
    (
        "Which tools that read DICOM have only a command line?",
        lambda t: "DICOM" in reads(t) and list(t.interfaces) == ["command line"],
    ),
    ("I only have DICOM. Which tools read it?", lambda t: "DICOM" in reads(t)),
    (
        "Welche Werkzeuge sind in Java oder C++ geschrieben?",
        lambda t: bool({"Java", "C++"} & set(t.languages)),
    ),
    (
        "Welche Werkzeuge sind weder in Python noch in C++ geschrieben?",
        lambda t: not {"Python", "C++"} & set(t.languages),
    ),
    ("PythonまたはC++で書かれたツールは？", lambda t: bool({"Python", "C++"} & set(t.languages))),
    (
        "Which tools written in C++ have a Python interface?",
        lambda t: "C++" in t.languages and "Python" in t.interfaces,
    ),
    ("哪些工具既支持Windows又支持macOS？", lambda t: {"Windows", "macOS"} <= systems(t)),
    ("Which tools can be installed with conda?", lambda t: installs(t, "conda")),
    (
        "Which tools can be installed with pip or conda?",
        lambda t: installs(t, "pip") or installs(t, "conda"),
    ),
    ("Welche Werkzeuge lassen sich mit pip installieren?", lambda t: installs(t, "pip")),
    ("哪些工具可以用pip安装？", lambda t: installs(t, "pip")),
    (
        "Welche Werkzeuge können sowohl CZI als auch ND2 lesen?",
        lambda t: {"CZI", "ND2"} <= reads(t),
    ),
    ("¿Qué herramientas leen tanto CZI como ND2?", lambda t: {"CZI", "ND2"} <= reads(t)),
    ("Quels outils lisent à la fois CZI et ND2 ?", lambda t: {"CZI", "ND2"} <= reads(t)),
    # What runs in a host that is named is a plugin of it.
    ("Which plugins are there for napari?", lambda t: "napari" in t.platforms),
    ("Which tools read files with the extension czi?", lambda t: "CZI" in reads(t)),
    ("Which tools read CZI except QuPath?", lambda t: "CZI" in reads(t) and t.id != "qupath"),
    ("Which tools other than BioIO read ND2?", lambda t: "ND2" in reads(t) and t.id != "bioio"),
    ("Welche Werkzeuge außer BioIO lesen ND2?", lambda t: "ND2" in reads(t) and t.id != "bioio"),
    ("Which tools do not need BioIO?", lambda t: "bioio" not in t.requires_tool),
    ("Which tools read none of CZI and ND2?", lambda t: not {"CZI", "ND2"} & reads(t)),
    ("Which tools read anything but CZI?", lambda t: "CZI" not in reads(t)),
    (
        "Which tools read CZI unless they need a GPU?",
        lambda t: "CZI" in reads(t) and t.gpu in ("none", "optional"),
    ),
    (
        "Besides BioIO and QuPath, which tools read CZI?",
        lambda t: "CZI" in reads(t) and t.id not in ("bioio", "qupath"),
    ),
    ("Which tools apart from BioIO read ND2?", lambda t: "ND2" in reads(t) and t.id != "bioio"),
    # Here the word says nothing of a record.
    ("Which tools read CZI besides ND2?", lambda t: {"CZI", "ND2"} <= reads(t)),
    ("Only list tools that read CZI", lambda t: "CZI" in reads(t)),
    ("What are the only tools that read nd2?", lambda t: "ND2" in reads(t)),
    ("Which tools read both CZI and ND2?", lambda t: {"CZI", "ND2"} <= reads(t)),
    ("Which tools offer a Docker image?", lambda t: "container" in t.interfaces),
]


@pytest.mark.parametrize(("question", "holds"), SETS, ids=[question for question, _ in SETS])
def test_a_word_that_bounds_a_set_bounds_the_answer(
    question: str, holds: Holds, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    wanted = sum(map(holds, shipped.values()))
    answer = asking.ask(question).evidence.answer[0].text
    assert wanted
    assert str(wanted) in answer.split("：")[0].split(":")[0].split()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("When was the catalog last updated?", "When"),
        ('What does "SM" mean?', "mean"),
        ("Was bedeutet DWI?", "bedeutet"),
        ("Which tools read at least two formats?", "at least two"),
        ("How many more tools read DICOM than NIfTI?", "than"),
        ("Which tools read DICOM and support plugins?", "plugins"),
        ("Are there more tools for CT than for MRI?", "than"),
        ("Gibt es mehr Werkzeuge für CT als für MRT?", "mehr Werkzeuge"),
        ("Do all DICOM tools write NIfTI?", "all"),
        ("What share of the DICOM tools is written in Python?", "What share of"),
        ("Which tools are not just for MRI?", "not just"),
        ("Which tools were last released in May 2025?", "how to read “2025”"),
        ("Which tools convert DICOM to NIfTI or NRRD but not both?", "but not both"),
        ("Which tools state no weights?", "weights"),
        ("Which tools without weights segment the liver?", "weights"),
        ("Which tools are only for research?", "only"),
        ("Which tools without anatomy read DICOM?", "anatomy"),
        ("Which tools read formats apart from DICOM?", "apart from"),
        ("Which tools do not read DICOM unless they need a GPU?", "unless"),
        ("How many tools per licence are there?", "licence"),
        ("Does SPM12 run on Octave?", "SPM12"),
        ("Which tools segment cells without deep learning?", "deep learning"),
        ("Which tools are not for medical images?", "medical images"),
        ("Quais ferramentas segmentam células sem aprendizado profundo?", "aprendizado profundo"),
        ("哪些工具不使用深度学习？", "深度学习"),
        ("Which tools are abandoned?", "no longer looked after"),
    ],
)
def test_what_would_change_the_answer_and_is_not_read_is_refused_by_name(
    question: str, words: str, asking: QuestionEngine
) -> None:
    asked = asking.ask(question)
    assert words in asked.refused
    assert asked.choice.reason != "no word of the question is unknown"


def test_a_need_tells_how_many_offer_it_beside_other_ways(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    offering = [t for t in shipped.values() if "container" in t.interfaces]
    beside = sum(len(t.interfaces) > 1 for t in offering)
    asked = asking.ask("Which tools need Docker?").evidence.answer[0].text
    assert f"{beside} more state it beside other values" in asked
    one = asking.ask("Does fMRIPrep need Docker?").evidence.answer
    assert not one[0].text.startswith("Yes")
    assert "command line, container" in one[1].text


def test_a_clause_that_begins_with_when_asks_no_date(asking: QuestionEngine) -> None:
    asked = asking.ask("When I have DICOM, which tools can convert it to NIfTI?")
    assert "dcm2niix" in asked.evidence.answer[0].text


def test_when_a_named_tool_was_released_is_still_answered(asking: QuestionEngine) -> None:
    assert (
        "last recorded release of SPM"
        in asking.ask("When was SPM last released?").evidence.answer[0].text
    )


@pytest.mark.parametrize(
    "question",
    [
        "Do all tools read DICOM?",
        "What share of tools reads DICOM?",
        "What percentage of the tools reads DICOM?",
        "Welcher Anteil der Werkzeuge liest DICOM?",
    ],
)
def test_a_part_of_all_tools_is_counted_beside_all_of_them(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    reading = sum("DICOM" in reads(tool) for tool in shipped.values())
    said = asking.ask(question).evidence.answer[0].text
    assert {str(reading), str(len(shipped))} <= set(said.partition("(")[0].split())


def test_a_list_of_all_tools_asks_for_no_share(asking: QuestionEngine) -> None:
    said = asking.ask("List all tools that read CZI and run on Windows").evidence.answer[0].text
    assert "%" not in said
