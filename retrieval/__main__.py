"""The command line: ``python -m retrieval COMMAND``; ``--help`` lists the commands."""

from retrieval.cli import exit_now, main

if __name__ == "__main__":
    exit_now(main())
