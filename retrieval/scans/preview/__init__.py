"""Mid-slices of a scan as small pictures."""
