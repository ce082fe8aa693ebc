"""Which saved index and which stores serve a catalog, and bringing them in step."""
