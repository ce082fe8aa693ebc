"""Uploads: taken, counted, stored, read and removed."""
