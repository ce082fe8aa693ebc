"""Starts the page: settings, engine, page. ``demo`` stands at module level for Spaces."""

import gc
import sys

from retrieval.offline import switch_off

switch_off()  # before any library is imported that reports or looks up

# What starting makes stays: to look through it all for garbage takes a quarter of the start.
gc.disable()

try:
    from components.page import build_page
    from components.serve import monitored, serve
    from retrieval import RetrievalError, apply_log_level, open_engine, read_settings
    from retrieval.wiring import collect_rarely

    try:
        settings = read_settings()
        apply_log_level(settings)
        engine = open_engine(settings, background=True)
    except RetrievalError as exc:
        raise SystemExit(str(exc)) from None
    demo = build_page(engine, settings)
except KeyboardInterrupt:
    sys.stderr.write("\nstopped before the page was there\n")
    raise SystemExit(130) from None

gc.freeze()
gc.enable()
collect_rarely()

if __name__ == "__main__":
    serve(demo, settings, modes=engine.modes, up=engine.load, monitored=monitored(engine, settings))
else:
    engine.load()
