"""What a tool costs is answered by the class of its licence, and by nothing else."""

from __future__ import annotations

import pytest

from retrieval.wiring.questions.question_engine import QuestionEngine


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("Is Fiji free?", "An open licence lets anyone use the software free of charge."),
        ("Do I have to pay for 3D Slicer?", "An open licence lets anyone use"),
        ("Ist QuPath kostenlos?", "Eine offene Lizenz erlaubt jedem die kostenlose Nutzung."),
        ("Est-ce que Fiji est gratuit ?", "Une licence ouverte permet à chacun"),
        ("QuPath 是免费的吗？", "开放许可证允许任何人免费使用。"),
        ("Is FreeSurfer free of charge?", "That is no open licence, and what the software costs"),
    ],
)
def test_the_licence_says_whether_a_tool_is_free(
    question: str, last: str, asking: QuestionEngine
) -> None:
    evidence = asking.ask(question).evidence
    assert evidence.answer[-1].text.startswith(last)
    relations = {step[1] for fact in evidence.facts for step in fact.steps}
    assert relations == {"has_license", "license_is", "commercial_use"}


def test_a_licence_that_is_not_classified_is_said_to_be(asking: QuestionEngine) -> None:
    texts = [one.text for one in asking.ask("Is FreeSurfer free?").evidence.answer]
    assert any("not classified" in text for text in texts)


@pytest.mark.parametrize("question", ["Is cryoSPARC free?", "Do I have to pay for cryoSPARC?"])
def test_a_tool_without_a_licence_is_not_said_to_be_free(
    question: str, asking: QuestionEngine
) -> None:
    assert asking.ask(question).refused == "The catalog states nothing about this."


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("Which free tools read CZI?", "Which open tools read CZI?"),
        ("Welche kostenlosen Programme lesen CZI?", "Which open tools read CZI?"),
        ("Which tools are free and require FSL?", "Which open-source tools require FSL?"),
    ],
)
def test_free_tools_are_those_under_an_open_licence(
    question: str, others: str, asking: QuestionEngine
) -> None:
    def tools(text: str) -> frozenset[str]:
        return frozenset(asking.ask(text).evidence.facts[0].nodes)

    assert tools(question) == tools(others)


@pytest.mark.parametrize(
    "question",
    ["Which tools cost money?", "Which tools are paid?"],
)
def test_what_is_no_licence_is_refused(question: str, asking: QuestionEngine) -> None:
    assert asking.ask(question).refused
