"""The AI Imaging Agent's command under its own name: ``python -m retrieval.compat.ai_agent``."""
