"""BioChatter's module and class names over this library's rooms."""
