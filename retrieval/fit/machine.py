"""Whether a tool runs on the visitor's machine: graphics card, memory, operating system."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Literal

from retrieval.core import Fit, ScanInfo, Tool
from retrieval.fit.verdict import field, judged

System = Literal["Linux", "macOS", "Windows"]
SYSTEMS: tuple[System, ...] = ("Linux", "macOS", "Windows")

CONTAINER_HOSTS = frozenset({"Neurodesk"})
"""Platforms of records that are collections of containers: they are used on every system, through
Docker, Apptainer or a browser (Renton and others 2024)."""

VOXEL_BYTES = 4
"""A voxel in memory as a 32-bit number, the smallest size that tools commonly use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The visitor's machine; None where they did not state a value. Memory in gigabytes."""

    gpu: bool | None = None
    gpu_gb: float | None = None
    ram_gb: float | None = None
    system: System | None = None


def machine_fit(tool: Tool, machine: Machine, scan: ScanInfo | None = None) -> tuple[Fit, ...]:
    """Graphics card, its memory, main memory and system, each pass, fail or unknown.

    In that order. Memory is in units of 10^9 bytes; the image alone must fit into main memory.
    """
    card = None if machine.gpu is None else "with GPU" if machine.gpu else "no GPU"
    holds = tool.gpu != "required" or machine.gpu
    return (
        judged("GPU", holds, card, field("gpu", [tool.gpu] if tool.gpu else ())),
        _gpu_memory(tool, machine),
        _memory(tool, machine, scan),
        _system(tool, machine.system),
    )


def image_gb(scan: ScanInfo) -> float | None:
    """The memory that the voxels of a scan take, None when its size is unknown.

    In units of 10^9 bytes, every voxel and channel as a 32-bit number. A whole slide is opened
    tile by tile.
    """
    if not scan.shape or not scan.dimension or "whole-slide" in scan.notes:
        return None
    return prod(scan.shape) * (scan.channels or 1) * VOXEL_BYTES / 1e9


def _gpu_memory(tool: Tool, machine: Machine) -> Fit:
    needed, available = tool.needs.gpu_gb, 0.0 if machine.gpu is False else machine.gpu_gb
    stated = field("requirements.gpu_gb", [f"{needed:g} GB"] if needed else ())
    is_spared = machine.gpu is False and tool.gpu in ("optional", "recommended")
    if tool.gpu == "none" or is_spared:
        return judged("GPU memory", True, "not used", field("gpu", [tool.gpu]))
    amount = None if available is None else f"{available:g} GB"
    enough = (available or 0.0) >= (needed or 0.0)
    return judged("GPU memory", enough, amount, stated)


def _memory(tool: Tool, machine: Machine, scan: ScanInfo | None) -> Fit:
    available, needed = machine.ram_gb, tool.needs.ram_gb
    amount = None if available is None else f"{available:g} GB"
    image = image_gb(scan) if scan else None
    if available is not None and image is not None and image > available:
        return judged("memory", False, amount, f"the image alone takes {image:.1f} GB")
    stated = field("requirements.ram_gb", [f"{needed:g} GB"] if needed else ())
    return judged("memory", (available or 0.0) >= (needed or 0.0), amount, stated)


def _system(tool: Tool, system: System | None) -> Fit:
    holds, stated = runs_on(tool, system or "")
    return judged("system", holds, system, stated)


def runs_on(tool: Tool, system: str) -> tuple[bool | None, str | None]:
    """Whether a tool runs on a system, and what its record states of it."""
    stated = field("platforms", tool.platforms)
    systems = [p for p in tool.platforms if p in SYSTEMS]
    is_web = "web" in tool.interfaces
    if "browser" in tool.platforms or (is_web and not systems):
        return True, stated or field("interfaces", tool.interfaces)
    holds: bool | None = system in systems
    # A container, the program that hosts a plug-in, or a server that one uses from afar may do; no
    # container runs on a telephone.
    if not holds and (not systems or is_web or (system in SYSTEMS and in_container(tool))):
        holds = None
    return holds, stated


def in_container(tool: Tool) -> bool:
    """Whether the record states that the tool comes as a container, alone or among others."""
    return "container" in tool.interfaces or not CONTAINER_HOSTS.isdisjoint(tool.platforms)
