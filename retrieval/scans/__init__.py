"""Scans: files to closed facts, read in a child process with limits."""

from retrieval.scans.front import (
    read_cohort,
    read_each,
    read_scans,
    stream_scans,
    stream_subjects,
)
from retrieval.scans.halt import Halt, on_interrupt
from retrieval.scans.limits import Limits
from retrieval.scans.notes import Note
from retrieval.scans.upload import (
    ROLE_TASKS,
    Finding,
    Ledger,
    Partial,
    Preview,
    Progress,
    Refusal,
    Role,
    Upload,
    View,
)

__all__ = [
    "ROLE_TASKS",
    "Finding",
    "Halt",
    "Ledger",
    "Limits",
    "Note",
    "Partial",
    "Preview",
    "Progress",
    "Refusal",
    "Role",
    "Upload",
    "View",
    "on_interrupt",
    "read_cohort",
    "read_each",
    "read_scans",
    "stream_scans",
    "stream_subjects",
]
