"""What the source code says of a graphics card: no library that uses one, or a way without it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from retrieval.catalog.harvest.findings import Findings
from retrieval.catalog.harvest.folder import MAX_BYTES, SourceFile, SourceFolder

MAX_SOURCES = 5_000
_CODE = {
    *(".py", ".pyx", ".ipynb", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hxx", ".txx"),
    *(".cu", ".cl", ".java", ".kt", ".groovy", ".m", ".r", ".jl", ".rs", ".js", ".ts", ".tsx"),
    *(".jsx", ".cs", ".go", ".nf", ".sh"),
}
_SOURCE_SUFFIXES = _CODE | {".toml", ".cfg", ".txt", ".yml", ".yaml", ".xml", ".gradle", ".cmake"}
_USES = re.compile(
    # Not within a word: "occupy", "separatorChar" and "openClose" name no library.
    r"cuda|(?<![a-z])cupy|(?<![a-z])gpu|(?<![a-z])(py)?torch(?!ar)|tensorflow|keras|\bjax\b"
    r"|opencl(?!o)|clesperanto|openacc|sycl|metal\.h|onnxruntime|openvino|tensorrt|paddle|mxnet"
    r"|theano|webgl|webgpu|vulkan|directml"
    # Tools that bring such a library with them.
    r"|nnunet|monai|cellpose|stardist|totalsegmentator|synthstrip",
    re.IGNORECASE,
)
_FALLBACK = re.compile(r"cuda\.is_available\(\)\s*else\b")


def read_gpu_code(folder: SourceFolder, findings: Findings) -> None:
    """Propose ``optional`` where the code goes on without a card, ``none`` where no file names one.

    Both are hints: they say what the code does, not what its authors promise. Nothing is proposed
    without source code, or where a file is too large or too many are there to read them all.
    """
    sources = [file for file in folder.files if _suffix(file) in _SOURCE_SUFFIXES]
    all_read = len(sources) <= MAX_SOURCES and all(file.size <= MAX_BYTES for file in sources)
    uses = not any(_suffix(file) in _CODE for file in sources)
    for file in sources[:MAX_SOURCES]:
        source = folder.read(file.path)
        if match := _FALLBACK.search(source.text):
            line, note = source.line_at(match.start()), "the code asks for a card, and has an else"
            findings.add("gpu", "optional", source, line, hint=True, note=note)
            return
        uses = uses or bool(_USES.search(source.text))
    if all_read and not uses:
        largest = folder.read(max(sources, key=lambda file: file.size).path)
        note = f"none of {len(sources)} files names a library for graphics cards"
        findings.add("gpu", "none", largest, 1, hint=True, note=note)


def _suffix(file: SourceFile) -> str:
    return PurePosixPath(file.path).suffix.lower()
