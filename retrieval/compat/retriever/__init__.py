"""The AI Imaging Agent's package ``retriever`` over this library's parts."""
