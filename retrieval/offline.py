"""The environment of this process and of its children: what libraries report is off in both.

Libraries read these variables when they are imported: ``huggingface_hub`` (which gradio imports)
and ``onnxruntime`` once and for all. ``import retrieval`` therefore sets them first, and so does
every child process, which imports this package or gets ``TELEMETRY_OFF`` from its parent. This
module imports the standard library only, and reads no setting: `retrieval.settings` does.

Telemetry is off whatever the environment says. Look-ups on the Hugging Face Hub are off unless
``HF_HUB_OFFLINE`` has a value already: a command that downloads on explicit request starts a
child process with ``HF_HUB_OFFLINE=0``. Models are loaded from this machine in any case.
"""

from __future__ import annotations

import os

TELEMETRY_OFF = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "DO_NOT_TRACK": "1",
}
"""Set always: reports of use, and questions whether there is a newer version."""

DEFAULTS = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Set where the variable is missing or empty."""


NEEDED = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""What Python needs to start: Windows its folder, others where shared libraries lie."""


def child_environment(*more: str) -> dict[str, str]:
    """The variables of a child process: what Python needs, those named in ``more``, telemetry off.

    No others: the environment of a server may hold keys, and a child reads what strangers send.
    """
    passed = {name: os.environ[name] for name in (*NEEDED, *more) if name in os.environ}
    return {**passed, **TELEMETRY_OFF}


def switch_off() -> None:
    """Set the variables for this process and for the children that inherit its environment."""
    os.environ.update(TELEMETRY_OFF)
    for name, value in DEFAULTS.items():
        os.environ[name] = os.environ.get(name) or value
