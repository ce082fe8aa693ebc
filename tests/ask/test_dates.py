"""Years of a question hold against the releases and changes that records state."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from retrieval.core.types import Tool
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.ask.test_replacements import members


def released(tool: Tool) -> int:
    """The year of the last recorded release; 0 without one."""
    return int((tool.last_release or "0")[:4])


def touched(tool: Tool) -> int:
    """The year of the last recorded release or commit; 0 without either."""
    return max(released(tool), tool.last_commit.year if tool.last_commit else 0)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Which tools were released in 2026?", 2026, 2026),
        ("How many tools were published during 2025?", 2025, 2025),
        ("Which tools had their last release before 2021?", 1, 2020),
        ("Which tools were released after 2024?", 2025, 9999),
        ("¿Qué herramientas se publicaron en 2025?", 2025, 2025),
        ("哪些工具在2025年发布？", 2025, 2025),
        ("Which tools were released between 2020 and 2022?", 2020, 2022),
        ("Welche Werkzeuge wurden zwischen 2020 und 2022 veröffentlicht?", 2020, 2022),
        ("Quais ferramentas foram lançadas de 2020 a 2022?", 2020, 2022),
        ("2020年から2022年に公開されたツールはどれですか？", 2020, 2022),
        ("Which tools were released from 2020 to 2022?", 2020, 2022),
        ("Which tools were released in 2023 or 2024?", 2023, 2024),
        ("Which tools were released in 2022, 2023 and 2024?", 2022, 2024),
        ("Quels outils ont été publiés en 2023 ou 2024 ?", 2023, 2024),
    ],
)
def test_a_year_of_releases_is_that_of_the_last_recorded_one(
    question: str, first: int, last: int, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    found = {n for f in asking.ask(question).evidence.facts for n in f.nodes if n in shipped}
    assert found
    assert found == {t.id for t in shipped.values() if first <= released(t) <= last}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which tools have not been updated since 2020?", 2020),
        ("Which tools are not maintained since 2021?", 2021),
        ("Welche Werkzeuge wurden seit 2022 nicht aktualisiert?", 2022),
    ],
)
def test_what_was_not_updated_since_a_year_states_no_later_date(
    question: str, first: int, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask(question)
    assert members(asked) == {t.id for t in shipped.values() if touched(t) < first}
    silent = sum(not touched(t) for t in shipped.values())
    assert f"{silent} " in asked.evidence.answer[0].text


def test_last_updated_before_a_year_allows_no_later_date(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    asked = asking.ask("Which tools were last updated before 2021?")
    assert members(asked) == {t.id for t in shipped.values() if 0 < touched(t) < 2021}


def test_a_year_joins_with_the_rest_of_the_question(
    asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    found = members(asking.ask("Which tools released in 2024 read DICOM?"))
    assert found == {
        t.id for t in shipped.values() if released(t) == 2024 and "DICOM" in t.formats_in
    }


def test_a_year_of_data_dates_no_release(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools for the 2017 LiTS challenge segment the liver?")
    assert not [f for f in asked.evidence.facts if "last released" in f.text]


def test_a_tool_that_is_kept_up_needs_no_year(asking: QuestionEngine) -> None:
    asked = asking.ask("Which tools for tractography are still maintained?")
    assert "maintenance is kept up" in asked.evidence.facts[0].text


@pytest.mark.parametrize(
    "question", ["In which year was the last release of Weasis?", "What year was Weasis released?"]
)
def test_a_year_that_is_asked_for_is_that_of_the_date(
    question: str, asking: QuestionEngine, shipped: Mapping[str, Tool]
) -> None:
    answer = asking.ask(question).evidence.answer[0].text
    assert answer == f"The last recorded release of Weasis is {shipped['weasis'].last_release}."


@pytest.mark.parametrize(
    "question",
    ["In which year was FSL cited?", "Which MRI tools were released in which year?"],
)
def test_a_year_that_no_date_answers_is_not_left_out(question: str, asking: QuestionEngine) -> None:
    assert "year" in asking.ask(question).refused
