"""One file per web or literature service."""
