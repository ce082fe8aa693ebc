"""Scans: files to closed facts, read in a child process with limits."""

from retrieval.scans.front import read_cohort, read_each, read_scans
from retrieval.scans.limits import Limits
from retrieval.scans.notes import Note
from retrieval.scans.upload import (
    ROLE_TASKS,
    Finding,
    Ledger,
    Preview,
    Refusal,
    Role,
    Upload,
    View,
)

__all__ = [
    "ROLE_TASKS",
    "Finding",
    "Ledger",
    "Limits",
    "Note",
    "Preview",
    "Refusal",
    "Role",
    "Upload",
    "View",
    "read_cohort",
    "read_each",
    "read_scans",
]
