"""A task that names no image is searched with the kind of image that it is done on."""

from __future__ import annotations

import pytest

from retrieval.wiring.concepts import implied_images, lexicon


@pytest.mark.parametrize("text", ["count cells", "cell counting", "contare le cellule"])
def test_cells_are_counted_on_images_of_a_microscope(text):
    assert implied_images().reworded(text) == f"{text} microscopy images"


@pytest.mark.parametrize(
    "text",
    [
        "count cells in flow cytometry",
        "cell counting in H&E",
        "count cells in CZI",
        "segment lungs",
    ],
)
def test_a_text_that_says_of_which_field_it_is_stays(text):
    assert implied_images().reworded(text) == text


def test_every_task_of_the_table_is_a_concept():
    assert set(implied_images().words) <= set(lexicon().parents)
