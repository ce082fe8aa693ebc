"""The other pages: catalog, cohort, ask, about."""
