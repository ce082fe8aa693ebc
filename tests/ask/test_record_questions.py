"""Questions of citing, installing, selling, needing and choosing are answered from the record."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.ask.linker import squash
from retrieval.core.types import Tool
from retrieval.settings import Settings
from retrieval.wiring.questions.question_engine import QuestionEngine, open_question_engine
from retrieval.wiring.questions.response import Response

HOW_TO_CITE = {
    "en": "How do I cite {}?",
    "de": "Wie zitiere ich {}?",
    "fr": "Comment citer {} ?",
    "es": "¿Cómo cito {}?",
    "pt": "Como citar {}?",
    "zh": "如何引用 {}？",
    "ja": "{} の引用はどうすればいいですか",
}
HOW_TO_INSTALL = {
    "en": "How do I install {}?",
    "de": "Wie installiere ich {}?",
    "fr": "Comment installer {} ?",
    "es": "¿Cómo instalo {}?",
    "pt": "Como instalar {}?",
    "zh": "怎么安装 {}？",
    "ja": "{} をインストールするには？",
}
EACH = 12
"""Tools that every language is asked about."""


def texts(asked: Response) -> list[str]:
    return [one.text for one in asked.evidence.answer]


@pytest.mark.parametrize("language", HOW_TO_CITE)
def test_a_citation_is_that_of_the_record_in_every_language(
    language: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    for tool in [t for t in shipped.values() if t.citation][:EACH]:
        asked = asking.ask(HOW_TO_CITE[language].format(tool.name))
        assert asked.language == language
        assert str(tool.citation) in " ".join(texts(asked)), tool.name


@pytest.mark.parametrize("language", HOW_TO_INSTALL)
def test_installing_gives_the_lines_of_the_record(
    language: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    for tool in [t for t in shipped.values() if t.install][:EACH]:
        asked = asking.ask(HOW_TO_INSTALL[language].format(tool.name))
        given = squash(texts(asked)[0])
        assert all(squash(line) in given for _, line, _ in tool.install), tool.name


def test_an_answer_from_a_record_names_the_address_it_has_the_fact_from(
    asking: QuestionEngine,
) -> None:
    (fact,) = asking.ask("How do I cite TotalSegmentator?").evidence.facts
    assert fact.steps[0][1] == "cite_as"
    assert "(https://" in fact.source


def test_without_a_citation_that_is_told_with_the_page_instead(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    assert shipped["weasis"].citation is None
    first, second = texts(asking.ask("How do I cite Weasis?"))
    assert first.startswith("The catalog does not state that")
    assert second == "The page of Weasis is https://github.com/nroduit/Weasis."


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("3D Slicer", "is allowed."),
        ("FSL", "is ruled out."),
        ("FreeSurfer", "is not classified."),
        ("elastix", "is allowed."),
    ],
)
def test_commercial_use_is_judged_by_the_stated_licence(
    name: str, verdict: str, asking: QuestionEngine
) -> None:
    licence, use = texts(asking.ask(f"May I use {name} commercially?"))
    assert licence.startswith(f"The licence of {name} is ")
    assert use.endswith(verdict)
    assert "stated for the code" in use


def test_what_a_tool_needs_is_all_that_its_record_states(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    told = " ".join(texts(asking.ask("What does HD-GLIO need?")))
    tool = shipped["hd_glio"]
    for value in (*tool.platforms, str(tool.python_version), "4 GB", "required", "nnU-Net"):
        assert value in told


def test_the_data_and_the_plane_that_a_tool_needs_are_part_of_what_it_needs(
    asking: QuestionEngine,
) -> None:
    for name, needs in (
        ("PyRadiomics", ("data: image and label map",)),
        ("SpineNet", ("data: image", "orientation: sagittal slices")),
    ):
        told = " ".join(texts(asking.ask(f"What does {name} need?")))
        assert all(need in told for need in needs), told


def test_a_release_is_dated_by_the_record(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    date = str(shipped["monai"].last_release)
    for question in ("When was MONAI released?", "Wann wurde MONAI veröffentlicht?"):
        assert date in texts(asking.ask(question))[0]


def test_a_choice_names_which_of_the_tools_state_the_task(asking: QuestionEngine) -> None:
    both = asking.ask("ANTs or elastix for registration?")
    assert texts(both)[0] == "Of these, 2: ANTs, elastix."
    assert "The licence of ANTs is Apache-2.0." in texts(both)
    neither = asking.ask("Cellpose or StarDist for reading CZI?")
    assert texts(neither)[0] == "Of none of these does the catalog state that."


@pytest.mark.parametrize("question", ["COVID-19 variant", "Which tools find the COVID-19 variant?"])
def test_a_word_after_a_disease_is_no_relation_to_a_gene(
    question: str, asking: QuestionEngine
) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer == ()
    assert "variant" in asked.refused


@pytest.mark.model
@pytest.mark.parametrize("question", ["COVID-19 variant", "Which tools detect the MERS variant?"])
def test_such_a_word_is_no_relation_by_its_meaning_either(
    question: str, model_settings: Settings
) -> None:
    asked = open_question_engine(model_settings).ask(question)
    assert asked.evidence.answer == ()
    assert "variant" in asked.refused


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("MERS strain", "strain"),
        ("Which tools find the Zika strain?", "strain"),
        ("Which tools detect the MERS variant?", "variant"),
        ("Welche Werkzeuge finden die MERS-Variante?", "Variante"),
        ("variante du MERS", "variante"),
        ("Que ferramentas leem a variante do MERS?", "variante"),
        ("哪些工具检测MERS变异株？", "变、异"),
        ("MERSの変異株", "変、異"),
    ],
)
def test_a_variant_or_strain_of_an_unknown_name_is_no_relation_to_a_gene(
    question: str, unknown: str, asking: QuestionEngine
) -> None:
    asked = asking.ask(question)
    assert asked.evidence.answer == ()
    assert "MERS" in asked.refused or "Zika" in asked.refused
    assert unknown in asked.refused
    linked = {node for fact in asked.evidence.facts for node in fact.nodes}
    assert linked.isdisjoint({"data:genetic variant", "operation:strain typing"})


@pytest.mark.parametrize(
    "question", ["Which tools call variants from BAM?", "Which tools read VCF variants?"]
)
def test_a_variant_beside_a_name_of_the_catalog_is_one_of_a_gene(
    question: str, asking: QuestionEngine
) -> None:
    assert "GATK" in texts(asking.ask(question))[0]


def test_a_name_that_no_record_states_with_the_rest_is_told_as_left_out(
    asking: QuestionEngine,
) -> None:
    (told,) = texts(asking.ask("Which tools for COVID-19 write OME-Zarr?"))
    assert "No record states this together with COVID-19, which is left out." in told


def test_a_line_for_installing_names_its_source_and_has_no_markdown(asking: QuestionEngine) -> None:
    asked = asking.ask("How do I install QuPath?")
    assert "**" not in texts(asked)[0]
    assert "https://github.com/qupath/qupath/releases/latest" in texts(asked)[0]
    assert "](" not in texts(asked)[0]
    assert all("https://github.com/qupath/" in fact.source for fact in asked.evidence.facts)


def test_where_no_release_is_stated_the_last_change_is_given_and_called_that(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    tool = next(t for t in shipped.values() if t.last_commit and not t.last_release)
    asked = asking.ask(f"When was {tool.name} released?")
    told = " ".join(texts(asked))
    assert "does not state that" in told
    assert f"last recorded change of its source code is of {tool.last_commit}" in told
    assert "last recorded release" not in told


def test_a_tool_that_needs_no_gpu_is_said_to_need_none(asking: QuestionEngine) -> None:
    assert "For greedy a GPU is not needed." in texts(asking.ask("What does greedy need?"))


COMPARE = {
    "en": "Compare {} and {}",
    "de": "Was ist der Unterschied zwischen {} und {}?",
    "fr": "Quelle est la différence entre {} et {} ?",
    "es": "¿Cuál es la diferencia entre {} y {}?",
    "pt": "Qual é a diferença entre {} e {}?",
    "zh": "{} 和 {} 有什么区别？",
    "ja": "{} と {} の違いは何ですか",
}
SINCE = {
    "en": "Which tools for tractography were released since 2025?",
    "de": "Welche Werkzeuge für Traktographie sind nicht älter als 2025?",
    "fr": "Quels outils de tractographie depuis 2025 ?",
    "es": "¿Qué herramientas de tractografía hay desde 2025?",
}


@pytest.mark.parametrize("language", COMPARE)
def test_two_tools_are_compared_by_what_both_records_state(
    language: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask(COMPARE[language].format("FSL", "SPM"))
    assert asked.language == language
    answer = " ".join(texts(asked))
    for tool in (shipped["fsl"], shipped["spm"]):
        assert str(tool.license) in answer
        assert str(tool.last_release) in answer or tool.last_release is None
        assert all(str(modality) in answer for modality in tool.modalities)


def test_a_comparison_cuts_no_list_of_a_record_short(asking: QuestionEngine) -> None:
    facts = asking.ask("3D Slicer vs ITK-SNAP").evidence.facts
    relations = {step[1] for fact in facts for step in fact.steps}
    asked = asking.ask("What formats does 3D Slicer read?").evidence.facts
    assert ("accepts" in relations) == (asked[-1].id in {fact.id for fact in facts})


def test_tools_that_compare_images_are_no_comparison_of_tools(asking: QuestionEngine) -> None:
    assert " in the catalog: " in texts(asking.ask("tools to compare images"))[0]


@pytest.mark.parametrize("language", SINCE)
def test_a_year_holds_against_the_last_recorded_release(
    language: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask(SINCE[language])
    tools = [shipped[node.removeprefix("tool:")] for node in asked.evidence.facts[0].nodes]
    assert tools
    assert all(t.last_release and t.last_release >= "2025" for t in tools)
    assert all("tractography" in t.tasks for t in tools)


def test_a_year_that_no_record_reaches_lists_no_tool(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools released since 2031 read DICOM?")
    assert not asked.evidence.answer
    assert asked.evidence.refusal
