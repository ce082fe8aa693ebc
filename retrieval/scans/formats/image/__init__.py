"""Microscopy and picture formats, one file per format."""
