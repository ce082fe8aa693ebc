"""Cards, detail, stages, comparisons, plans and recipes as HTML."""
