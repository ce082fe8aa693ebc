"""Starts the page: settings, engine, page. ``demo`` stands at module level for Spaces."""

from __future__ import annotations

import gc

from retrieval.offline import switch_off

switch_off()  # before any library is imported that reports or looks up

# What starting makes stays: to look through it all for garbage takes a quarter of the start.
gc.disable()

from components.page import build_page  # noqa: E402
from components.serve import monitored, serve  # noqa: E402
from retrieval import RetrievalError, apply_log_level, open_engine, read_settings  # noqa: E402

try:
    settings = read_settings()
    apply_log_level(settings)
    engine = open_engine(settings, background=True)
except RetrievalError as exc:
    raise SystemExit(str(exc)) from None
demo = build_page(engine, settings)

gc.freeze()
gc.enable()
# A search makes tens of thousands of objects and no cycle: looking through them after every 700,
# as Python does, takes 1.2 ms of a search's 21; after every 20,000 it takes .5 ms.
gc.set_threshold(20_000, 20, 50)

if __name__ == "__main__":
    serve(demo, settings, modes=engine.modes, up=engine.load, monitored=monitored(engine, settings))
else:
    engine.load()
