"""Wishes about software against what records state."""
