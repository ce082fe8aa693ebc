"""Gradio's own scripts and style sheets, as few requests as a page can be opened with."""
