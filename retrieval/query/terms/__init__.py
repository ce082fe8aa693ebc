"""Terms that are added to what was typed: near ones of the catalog, and those learned from use."""
