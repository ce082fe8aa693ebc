"""One file per scan format: ``sniff`` says whether bytes are its own, ``read`` gives the facts."""
