"""Questions that are no requests: what an empty text asks, and what no software answers."""
