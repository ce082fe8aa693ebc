"""What a visitor says of purpose and machine, and the badges that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from components.data import Data, Profile
from components.events import EVENT_DEFAULTS
from components.render.results.cards import cards
from components.tool_detail import detail_of
from retrieval import PURPOSES, SYSTEMS, Engine, Machine

if TYPE_CHECKING:
    from components.parts import Parts


ANY = "not said"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePanel:
    """The components, in the order in which profile_of takes them."""

    purpose: gr.Dropdown
    gpu: gr.Radio
    gpu_gb: gr.Number
    ram_gb: gr.Number
    system: gr.Dropdown

    @property
    def all(self) -> list[Any]:
        """Every component, in order."""
        return [self.purpose, self.gpu, self.gpu_gb, self.ram_gb, self.system]


def layout() -> ProfilePanel:
    """One row in an accordion that starts closed."""
    with gr.Accordion("My purpose and machine", open=False, elem_id="mine"), gr.Row():
        return ProfilePanel(
            purpose=gr.Dropdown(
                [ANY, *PURPOSES], value=ANY, label="Purpose", elem_id="purpose", min_width=180
            ),
            gpu=gr.Radio([ANY, "yes", "no"], value=ANY, label="GPU", elem_id="gpu", min_width=160),
            # Without bounds, outside which Gradio answers with a fault: `profile_of` reads all.
            gpu_gb=gr.Number(None, label="GPU memory, GB", min_width=130),
            ram_gb=gr.Number(None, label="Memory, GB", min_width=120, elem_id="ram"),
            system=gr.Dropdown(
                [ANY, *SYSTEMS], value=ANY, label="System", elem_id="system", min_width=130
            ),
        )


def profile_of(
    purpose: object, gpu: object, gpu_gb: object, ram_gb: object, system: object
) -> Profile:
    """What was said, with everything of no sense left out.

    Amounts are in GB (10^9 bytes); zero, a negative one and what is no number count as not said.
    A machine of which nothing is said is None.
    """
    machine = Machine(
        gpu=gpu == "yes" if gpu in ("yes", "no") else None,
        gpu_gb=_amount(gpu_gb),
        ram_gb=_amount(ram_gb),
        system=next((one for one in SYSTEMS if one == system), None),
    )
    stated_purpose = next((one for one in PURPOSES if one == purpose), None)
    return Profile(purpose=stated_purpose, machine=None if machine == Machine() else machine)


def _amount(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and value > 0 else None


def events(parts: Parts, engine: Engine) -> None:
    """Every change marks cards and detail anew; nothing is searched again."""

    def mark(*values: Any) -> tuple[Data, Any, Any]:  # noqa: ANN401 - component values
        *answers, data, on_page, looking = values
        changed = replace(data, profile=profile_of(*answers))
        if on_page.answer is None:
            return changed, gr.skip(), gr.skip()
        first = on_page.answer.candidates[0].tool.id if on_page.answer.candidates else ""
        tool = engine.catalog.get(looking or first)
        panel = detail_of(tool, on_page.answer, changed, engine.catalog)
        return changed, cards(on_page.answer, changed, on_page.form), panel

    inputs = [*parts.profile.all, parts.data, parts.shown, parts.looking]
    outputs = [parts.data, parts.results.cards, parts.results.detail]
    triggers = [one.change for one in parts.profile.all]
    gr.on(triggers, mark, inputs, outputs, trigger_mode="always_last", **EVENT_DEFAULTS)
