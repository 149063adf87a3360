#!/usr/bin/env python3
"""campaign.py EXAMPLES WORK: runs examples/campaign.yaml as its README says, and checks that the examples show all that a scene can say and that
the README names every file."""

import json
import pathlib
import shutil
import subprocess
import sys

import yaml

EXAMPLES, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def keys_of(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def check_scene():
    schema = json.loads((EXAMPLES / "../planner_ccd/io/scene.schema.json").read_text())
    kinds = {"mesh", "box", "sphere", "cylinder", "capsule", "convex", "cloud", "height_field", "octomap"}
    assert kinds <= set(schema["definitions"])
    wanted = set(schema["properties"]) | kinds | {"shapes", "scale", "pose", "pose_error", "rpy", "quaternion", "rotation", "touch_links"}
    missing = wanted - keys_of(yaml.safe_load((EXAMPLES / "cell.yaml").read_text()))
    assert not missing, f"examples/cell.yaml does not show {missing}"
    readme = (EXAMPLES / "README.md").read_text()
    unnamed = [file.name for file in EXAMPLES.iterdir() if f"({file.name})" not in readme and file.name != "README.md"]
    assert not unnamed, f"examples/README.md does not name {unnamed}"


def campaign(*words):
    command = [sys.executable, "-m", "planner_ccd.campaign", *words, str(EXAMPLES / "campaign.yaml"), "--out", str(WORK)]
    done = subprocess.run(command, text=True, capture_output=True)
    assert done.returncode == 0, f"{command}\nexits with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


shutil.rmtree(WORK, ignore_errors=True)
check_scene()
campaign("run")
campaign("merge")
report = json.loads(campaign("report"))
assert report["verdict"] == "free" and report["edges"] == 3 + 1000 + 50 * 3 and not report["missing"], report
