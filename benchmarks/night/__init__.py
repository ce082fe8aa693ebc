"""A long night of mixed traffic on the page, and what it leaves behind."""
