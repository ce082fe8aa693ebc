"""Starts the page: settings, engine, page. ``demo`` stands at module level for Spaces."""

from __future__ import annotations

from components.page import build_page
from components.serve import serve
from retrieval import open_engine, read_settings

settings = read_settings()
demo = build_page(open_engine(settings), settings)

if __name__ == "__main__":
    serve(demo, settings)
