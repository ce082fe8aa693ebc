"""One file per web and literature search backend."""
