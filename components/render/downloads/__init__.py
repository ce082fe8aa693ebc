"""Files a visitor keeps: citations, tables, reports."""
