"""Rows of catalogs in the spellings of other systems."""

from __future__ import annotations

DOCS = {
    "@type": "SoftwareSourceCode",
    "name": ["Lung Seg", "LS"],
    "description": "Segments lungs.",
    "url": "https://lung.example",
    "codeRepository": "git+https://github.com/a/lung.git",
    "programmingLanguage": "py",
    "license": ["MIT", "Apache-2.0"],
    "keywords": "lung, CT",
    "applicationCategory": "Radiology",
    "operatingSystem": ["Linux", "mac"],
    "supportingData": {
        "modalities": ["CT", "MR"],
        "dimensions": ["3-d", "12 bit"],
        "formats": ["DICOM (.dcm), NIfTI", "quux"],
        "tasks": ["segmentation"],
        "demo_url": "https://huggingface.co/spaces/u/lung",
        "paper_url": "https://doi.org/10.1000/example",
    },
}
LOADER = {
    "name": "Cell Seg",
    "description": "Segments cells.",
    "imagingModality": ["microscopy"],
    "featureList": ["segmentation"],
    "isPluginModuleOf": "napari",
    "requiresGPU": "yes",
    "supportingData": [
        {"datasetFormat": [" DCM ", "nii.GZ", "dcm", ""], "hasDimensionality": [3, "timeseries"]},
        {"bodySite": ["lungs", "tail"], "imagingModality": "PET/CT", "hasDimensionality": "stack"},
    ],
}
BIOTOOLS = {
    "name": "needle",
    "description": "Aligns two sequences.",
    "homepage": "https://needle.example",
    "biotoolsID": "needle",
    "toolType": ["Command-line tool", "Suite"],
    "topic": [{"uri": "http://edamontology.org/topic_0622", "term": "Genomics"}],
    "operatingSystem": ["Linux", "Mac"],
    "language": ["C", "Python"],
    "license": "GPL-3.0",
    "collectionID": ["EMBOSS"],
    "function": [
        {
            "operation": [
                {"uri": "http://edamontology.org/operation_0492", "term": "MSA"},
                {"uri": "http://edamontology.org/operation_9999", "term": "Odd Thing"},
            ],
            "input": [
                {
                    "data": {"uri": "http://edamontology.org/data_2976", "term": "Proteins"},
                    "format": [
                        {"uri": "http://edamontology.org/format_1929", "term": "FASTA"},
                        {"uri": "http://edamontology.org/format_3158", "term": "MIF"},
                    ],
                }
            ],
            "output": [
                {"format": [{"uri": "http://edamontology.org/format_2330", "term": "Text"}]}
            ],
        }
    ],
    "link": [{"url": "https://github.com/e/needle", "type": ["Repository"]}],
    "documentation": [{"url": "https://needle.example/doc", "type": ["Manual"]}],
    "publication": [{"doi": "10.1093/nar/gkv1116"}],
}
CSV = (
    "\ufeffName;Description;Formats;Modality;Licence;Mood\r\n"
    '"Tool; A";"two\r\nlines";DICOM (.dcm), NIfTI;CT|MRI;GPL-3.0;glad\r\n'
    "B;plain;quux;;;\r\n"
)


def own(**facts):
    return {"id": "a", "name": "A", "description": "what A does", **facts}


def texts(catalog):
    return [note.text for note in catalog.notes]
