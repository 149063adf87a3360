"""A small campaign for the tests: six shards, some of them free, some full of contacts, and a perturbed run."""

import io
import pathlib
import zipfile

import numpy as np
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


def description():
    paths = ROOT / "models/paths"
    return {
        "campaign": "small",
        "chunk": 700,
        "options": {"cell_evaluations": 0},
        "robots": {"puma": {"urdf": str(ROOT / "urdf/puma.urdf"), "srdf": str(ROOT / "urdf/puma.srdf")}},
        "scenes": {"car": str(ROOT / "models/scenes/puma_car.yaml")},
        "motions": {
            "calm": {"random": {"seed": 1, "edges": 2100, "near": str(paths / "puma_window.csv"), "spread": 0.001, "length": 0.1}},
            "wild": {"random": {"seed": 2, "edges": 1900, "near": str(paths / "puma_fender.csv"), "spread": 0.3, "length": 0.3}},
            "fender": {"path": str(paths / "puma_fender.csv")},
        },
        "perturbations": {
            "moved": {"samples": 20, "seed": 3, "joints": {"joint2": 0.002}, "objects": {"car": {"xyz": [0.02, 0.02, 0], "rotation": 0.02}}}
        },
        "runs": [
            {"name": "drawn", "robot": "puma", "scene": "car", "motions": ["calm", "wild"]},
            {"name": "shaken", "robot": "puma", "scene": "car", "motions": ["fender"], "perturbation": "moved"},
        ],
    }


def write(folder, change=None):
    """The campaign's file in `folder`, after `change(description)`."""
    data = description()
    if change is not None:
        change(data)
    file = pathlib.Path(folder) / "campaign.yaml"
    file.write_text(yaml.safe_dump(data))
    return file


def rewritten(data, column, change):
    """A shard's file with another column and valid ZIP checksums."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            content = old.read(member)
            if member == column + ".npy":
                array = change(np.load(io.BytesIO(content)))
                content = io.BytesIO()
                np.save(content, array)
                content = content.getvalue()
            new.writestr(member, content)
    return out.getvalue()
