"""Scan formats: a ``sniff`` says whether first bytes are its own, a ``read`` gives the facts."""
