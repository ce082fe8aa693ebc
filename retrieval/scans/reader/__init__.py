"""Inside the reader process: from paths to facts."""
