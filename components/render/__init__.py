"""Pure renderers: plain data in, escaped HTML out. No Gradio here."""
