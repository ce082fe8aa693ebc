"""Wishes of clauses that speak of software in other words than a phrase of the grammar."""
