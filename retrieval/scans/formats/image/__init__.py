"""Microscopy and picture formats."""
