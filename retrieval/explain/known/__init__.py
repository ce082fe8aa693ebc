"""Requests that people judged against the records, as evidence for and against a gap."""
