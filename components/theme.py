"""Colours and fonts of the page: Gradio's default theme with contrast that passes WCAG AA."""

from __future__ import annotations

import gradio as gr

FONTS = ("-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif")
TYPE = gr.themes.Size(
    name="type", xxs="12px", xs="12px", sm="13.5px", md="15px", lg="17px", xl="20px", xxl="26px"
)
RADII = gr.themes.Size(
    name="radii", xxs="8px", xs="8px", sm="8px", md="8px", lg="12px", xl="12px", xxl="12px"
)
"""The sizes and radii of ``assets/css/base.css``, so that Gradio's own parts have no others."""
MONO = ("ui-monospace", "Menlo", "Consolas", "Liberation Mono", "monospace")
"""Fonts of the system: nothing is downloaded."""


def theme() -> gr.themes.Base:
    """Gradio's default theme with the system's fonts and contrast that passes."""
    base = gr.themes.Default(
        primary_hue="emerald",
        neutral_hue="slate",
        text_size=TYPE,
        radius_size=RADII,
        font=FONTS,
        font_mono=MONO,
    )
    return base.set(
        button_primary_background_fill="#047857",
        button_primary_background_fill_hover="#065f46",
        button_primary_background_fill_dark="#047857",
        button_primary_background_fill_hover_dark="#065f46",
        button_primary_text_color="#ffffff",
        body_text_color_subdued="#4b5563",
        body_text_color_subdued_dark="#b6bdc9",
        block_label_text_size="*text_sm",
        block_title_text_size="*text_sm",
        block_info_text_size="*text_sm",
        input_text_size="*text_md",
        checkbox_label_text_size="*text_sm",
        checkbox_background_color_dark="#0d1311",
        checkbox_background_color_hover_dark="#0d1311",
        checkbox_background_color_focus_dark="#0d1311",
        checkbox_border_color="#7c8a84",
        checkbox_border_color_dark="#74827c",
        checkbox_border_color_hover_dark="#b4c1bb",
        checkbox_label_background_fill_dark="#1b2521",
        checkbox_label_background_fill_hover_dark="#27322d",
        checkbox_label_background_fill_selected_dark="#1c3329",
        checkbox_label_border_color_dark="#2b3833",
        code_background_fill_dark="#1b2521",
        block_label_text_color="#374151",
        block_label_text_color_dark="#d1d5db",
        block_info_text_color="#4b5563",
        block_info_text_color_dark="#b6bdc9",
        body_background_fill="#f5f7f6",
        body_background_fill_dark="#0d1311",
        background_fill_primary_dark="#151d1a",
        background_fill_secondary_dark="#1b2521",
        block_background_fill_dark="#151d1a",
        block_label_background_fill_dark="#1b2521",
        block_border_color="#d5ddd9",
        block_border_color_dark="#2b3833",
        border_color_primary="#d5ddd9",
        border_color_primary_dark="#2b3833",
        input_background_fill_dark="#0d1311",
        input_border_color="#7c8a84",
        input_border_color_dark="#74827c",
        button_secondary_background_fill="#ffffff",
        button_secondary_background_fill_dark="#1b2521",
        button_secondary_background_fill_hover="#eef2f0",
        button_secondary_background_fill_hover_dark="#27322d",
        button_secondary_border_color="#d5ddd9",
        button_secondary_border_color_dark="#2b3833",
        button_border_width="1px",
        input_placeholder_color="#6b7280",
        input_placeholder_color_dark="#9ca3af",
    )
