"""Robots that are not part of the project: where their files are found, each by its SHA-256 (recipes.json).

    python3 recipes.py fetch DIR [NAME...]     downloads them below DIR/recipes, where generate.py and reader.py look first
"""

import hashlib
import json
import os
import pathlib
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = json.loads((pathlib.Path(__file__).resolve().parent / "recipes.json").read_text())


def _is_there(folder, files):
    return all((folder / f).is_file() and hashlib.sha256((folder / f).read_bytes()).hexdigest() == h for f, h in files.items())


def folder_of(name, suite):
    """Where all files of a recipe are, with the right content; None: nowhere. Looks below the suite's folder, then in the shared data."""
    data = pathlib.Path(os.environ.get("PLANNER_CCD_DATA") or ROOT.parent / "shared/data")
    for folder in (pathlib.Path(suite) / "recipes" / name, data / "robots" / name):
        if _is_there(folder, RECIPES[name]["files"]):
            return folder
    return None


def fetch(suite, name, source=None):
    """Downloads a recipe's files; none is kept whose content is not the one expected."""
    recipe = RECIPES[name]
    for file, expected in recipe["files"].items():
        with urllib.request.urlopen((source or recipe["source"]) + file) as answer:
            data = answer.read()
        if hashlib.sha256(data).hexdigest() != expected:
            raise ValueError(f"{recipe['source']}{file}: has another content than expected")
        path = pathlib.Path(suite, "recipes", name, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "fetch":
        sys.exit(__doc__)
    for wanted in sys.argv[3:] or RECIPES:
        fetch(sys.argv[2], wanted)
        print(f"{wanted}: {RECIPES[wanted]['licence']}")
