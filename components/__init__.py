"""The Gradio page: panels, pure renderers, and the API that is published beside them."""
