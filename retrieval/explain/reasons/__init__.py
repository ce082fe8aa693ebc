"""What a record says of the parts of a request, in words for a reason."""
