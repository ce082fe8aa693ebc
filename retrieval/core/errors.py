"""Errors a caller may want to catch."""


class RetrievalError(Exception):
    """Base of every error this package raises on purpose; its text is fit to be shown."""


class StageUnavailable(RetrievalError):
    """A stage cannot run here and now; the text says what is missing and how to get it."""


class BadInput(RetrievalError):
    """Something the user gave cannot be used; the text names the field and the remedy."""


class OutsideCallRefused(StageUnavailable):
    """A connection was asked for that nobody switched on."""
