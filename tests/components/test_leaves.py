import inspect
from typing import Any

import gradio as gr
from gradio.server_messages import ProcessGeneratingMessage
from gradio.utils import diff, is_prop_update
from gradio_client.utils import is_file_obj_with_meta, traverse

from components.events import SAME, Sealed, Update, sealed


def sent(value: object) -> Any:
    """What becomes of a value in the message that goes to the browser."""
    return ProcessGeneratingMessage(output={"data": [value]}, success=True).model_dump()["output"]


def test_what_stays_is_told_as_gradio_tells_it():
    assert sent(SAME) == {"data": [gr.skip()]}


def test_an_update_holds_the_properties_it_changes():
    assert sent(Update(interactive=True)) == {"data": [{"__type__": "update", "interactive": True}]}


def test_gradio_neither_makes_a_component_for_a_leaf_nor_looks_into_it():
    for leaf in (SAME, Update(visible=True), Sealed.model_construct({"path": [1]})):
        assert not is_prop_update(leaf)
        assert traverse(leaf, lambda _: None, is_file_obj_with_meta) is leaf


def test_nothing_is_sent_of_what_stays_twice():
    assert diff(SAME, SAME) == diff(Update(visible=True), Update(visible=True)) == []
    assert diff(SAME, Update(visible=True)) != []


def test_a_sealed_endpoint_keeps_its_name_its_types_and_its_answer():
    def recommend(text: str, top_k: int = 15) -> dict[str, Any]:
        """Tools."""
        return {"text": text, "tools": [{"rank": top_k}]}

    shut = sealed(recommend)
    assert (shut.__name__, shut.__doc__) == ("recommend", "Tools.")
    assert inspect.signature(shut) == inspect.signature(recommend)
    assert sent(shut("lungs", top_k=2)) == {"data": [{"text": "lungs", "tools": [{"rank": 2}]}]}
