"""The parts of a request: what is a task or a thing of it, and under which words it is named."""

from __future__ import annotations

import pytest

from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool


@pytest.fixture(scope="module")
def judge():
    clicked = ("remove the skull by a click of the mouse",)
    clicking = make_tool("clicking", tasks=("skull stripping",), asked_as=clicked)
    return gap_judge((clicking, make_tool("mice", tasks=("registration",), species=("mouse",))))


def named(judge, text):
    return [(part.kind, part.value) for part in judge.parts(text)]


def test_a_program_named_in_one_word_is_no_task(judge):
    assert named(judge, "track cells with CellProfiler") == named(judge, "track cells")
    assert ("task", "cell profiling") in named(judge, "cell profiling of drug screens")


def test_a_series_in_time_of_cells_is_no_task_and_one_of_signals_is(judge):
    assert not [one for one in named(judge, "time series of fluorescent cells") if one[0] == "task"]
    assert ("task", "time series") in named(judge, "time series of EEG")


def test_an_abbreviation_has_the_capitals_that_were_typed(judge):
    assert ("modality", "EEG") in named(judge, "seizures in EEG")
    assert ("modality", "eeg") in named(judge, "seizures in eeg")
    assert ("modality", "eeg") in named(judge, "SEIZURES IN EEG")


def test_a_record_that_is_clicked_with_a_mouse_states_no_animal(judge):
    (part,) = (part for part in judge.parts("brain extraction of a mouse") if part.value == "mouse")
    assert "clicking" not in judge.stated.ids(judge.strictly(part))
