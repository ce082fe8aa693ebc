"""Which requests are let in, and what may be said of them in a log."""
