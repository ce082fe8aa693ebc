"""The way to every part of an answer."""

import re
from pathlib import Path

from components.panels import boxes
from components.panels.results import results
from components.render.search.form import PARTS, parts_of_an_answer


def test_every_part_has_a_button_and_is_an_element_of_the_results():
    html = parts_of_an_answer()
    assert re.findall(r'data-goto="(\w+)"', html) == list(PARTS)
    laid_out = "".join(Path(one.__file__).read_text("utf-8") for one in (results, boxes))
    assert all(f'"{place}"' in laid_out for place in PARTS)
