"""Exit code 0 where the installed torch is a CUDA build, which needs the packages of cuda.txt."""

from importlib.metadata import version
from sys import platform

# The CPU build of Linux names itself in its version; macOS and Windows have no CUDA in theirs.
raise SystemExit(0 if platform == "linux" and "+cpu" not in version("torch") else 1)
