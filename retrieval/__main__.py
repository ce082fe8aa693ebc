"""The command line: ``python -m retrieval COMMAND``; ``--help`` lists the commands."""

import sys

if __name__ == "__main__":
    # `main` answers Ctrl-C itself; before it is there, the import of the commands may be stopped.
    try:
        from retrieval.cli import exit_now, main
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")
        raise SystemExit(130) from None
    exit_now(main())
