"""Volume formats, one file per format."""
