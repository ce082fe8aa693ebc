"""The databases on the web."""
