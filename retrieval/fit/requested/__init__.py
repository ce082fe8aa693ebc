"""Verdicts that rest on what a request asks as well as on the files."""
