"""Thin fronts under the source systems' own names."""
