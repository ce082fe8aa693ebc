"""The Gradio page: panels, pure renderers, and the API that is published beside them."""

import retrieval  # noqa: F401 - first: it switches telemetry off before gradio is imported
