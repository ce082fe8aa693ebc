"""What no record states of a request: how many state each part, and in which kind of image."""
