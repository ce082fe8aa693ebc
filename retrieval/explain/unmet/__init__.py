"""What no record states of a request, with how many state each part."""
