"""The expansion as a drawable graph."""
