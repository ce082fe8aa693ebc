"""Responses to questions, database forms, cohorts as HTML."""
