"""The kind of acquisition of a DICOM file, where it is stated."""

from __future__ import annotations

from pydicom.dataset import Dataset

from retrieval.core import Modality, PulseSequence
from retrieval.scans.dicom.values import number, word, words
from retrieval.scans.words import sequence_in, whole_words

#: PS3.3 C.8.13.3.1, Acquisition Contrast defined terms.
_CONTRAST = {
    "T1": PulseSequence.T1,
    "T2": PulseSequence.T2,
    "T2_STAR": PulseSequence.T2STAR,
    "PROTON_DENSITY": PulseSequence.PD,
    "DIFFUSION": PulseSequence.DWI,
    "FLUID_ATTENUATED": PulseSequence.FLAIR,
    "TOF": PulseSequence.ANGIOGRAPHY,
}
_IMAGE_TYPE = {
    "LOCALIZER": PulseSequence.LOCALIZER,
    "DIFFUSION": PulseSequence.DWI,
    "ADC": PulseSequence.DWI,
    "TRACEW": PulseSequence.DWI,
    "ASL": PulseSequence.ASL,
    "FMRI": PulseSequence.BOLD,
    "SWI": PulseSequence.SWI,
    "ANGIO": PulseSequence.ANGIOGRAPHY,
}
_MR_ONLY = frozenset(PulseSequence) - {
    PulseSequence.LOCALIZER,
    PulseSequence.ANGIOGRAPHY,
    PulseSequence.CONTRAST,
    PulseSequence.CONTRAST_ARTERIAL,
    PulseSequence.CONTRAST_VENOUS,
    PulseSequence.CONTRAST_DELAYED,
    PulseSequence.NON_CONTRAST,
}


def sequence_of(values: Dataset, modality: Modality | None, contrast: bool) -> PulseSequence | None:
    """From defined terms first, then closed words of the description, then the timing.

    Terms are ImageType, DiffusionBValue and AcquisitionContrast; timing decides for MRI alone.
    Kinds that exist only in MRI are dropped for other modalities.
    """
    typed = next((_IMAGE_TYPE[t] for t in words(values, "ImageType") if t in _IMAGE_TYPE), None)
    if typed is None and number(values, "DiffusionBValue"):
        typed = PulseSequence.DWI
    stated = typed or _CONTRAST.get(word(values, "AcquisitionContrast"))
    stated = stated or sequence_in(_descriptions(values))
    if modality == Modality.MRI:
        return stated or _by_timing(values)
    if stated in _MR_ONLY:
        stated = None
    return stated or (PulseSequence.CONTRAST if contrast and modality == Modality.CT else None)


def _descriptions(values: Dataset) -> str:
    names = ("SeriesDescription", "ProtocolName", "SequenceName")
    return " ".join(" ".join(words(values, name)) for name in names)


def is_localizer(values: Dataset) -> bool:
    """Whether the image type, or the description in so many words, says localizer."""
    if "LOCALIZER" in words(values, "ImageType"):
        return True
    described = whole_words(_descriptions(values))
    return bool(described & {"localizer", "localiser", "scout", "topogram", "scanogram", "surview"})


def _by_timing(values: Dataset) -> PulseSequence | None:
    """Spin-echo ranges only; gradient echoes overlap too much to tell.


    T1: TR below 1000 and TE below 30 ms. T2: TR above 2000 and TE above 60 ms. FLAIR: TR above
    4000, TE above 60 and TI above 1500 ms, which nulls water. What lies between is not named.
    """
    echo, repetition = number(values, "EchoTime"), number(values, "RepetitionTime")
    inversion = number(values, "InversionTime") or 0.0
    kinds = words(values, "ScanningSequence")
    if echo is None or repetition is None or "EP" in kinds or not {"SE", "IR"} & set(kinds):
        return None
    if inversion > 1500 and repetition > 4000 and echo > 60:
        return PulseSequence.FLAIR
    if repetition < 1000 and echo < 30:
        return PulseSequence.T1
    return PulseSequence.T2 if repetition > 2000 and echo > 60 and inversion == 0 else None
