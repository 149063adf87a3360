"""The package as users see it: messages, reprs, docstrings, stubs, metadata."""

import ast
import enum
import inspect
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import planner_ccd
from planner_ccd import InputError, Verdict


def test_errors_are_value_errors_that_say_what_is_wrong(robot, checker, fender, tmp_path):
    assert issubclass(InputError, ValueError)
    with pytest.raises(InputError, match="q1: a configuration has 2 entries; the robot has 6: joint1, joint2"):
        checker.is_free(fender[0], [1, 2])
    with pytest.raises(InputError, match="q0: must have 1 dimension, not 2"):
        checker.is_free(fender, fender)
    with pytest.raises(InputError, match="q0: must be numbers"):
        checker.is_free("no numbers", fender[0])
    with pytest.raises(InputError, match="q0: holds a number that is not finite"):
        checker.is_free(np.full(6, np.nan), fender[0])
    with pytest.raises(InputError, match="starts has 2 rows, ends 3"):
        checker.check_edges(fender[:2], fender[:3])
    with pytest.raises(InputError, match="edge 1: a configuration holds a number that is not finite"):
        checker.check_edges(fender[:2], np.vstack([fender[0], np.full(6, np.inf)]))
    with pytest.raises(InputError, match="there is no 'guess'"):
        checker.is_free(fender[0], fender[1], planner_ccd.EdgeOptions(method="guess"))
    with pytest.raises(InputError, match="tolerance"):
        checker.is_free(fender[0], fender[1], planner_ccd.EdgeOptions(tolerance=-1))
    with pytest.raises(InputError, match="nowhere.urdf: no such file"):
        planner_ccd.Robot(tmp_path / "nowhere.urdf")
    with pytest.raises(InputError, match="the robot has no link 'x'"):
        robot.exclude("x", "gripper")
    with pytest.raises(InputError, match="margin"):
        planner_ccd.PathChecker(robot, margin=-1)
    scene = planner_ccd.Scene()
    with pytest.raises(InputError, match="must have 3 entries"):
        scene.add_box("b", [1, 2])
    with pytest.raises(InputError, match="4 x 4"):
        scene.add_sphere("b", 1, np.eye(3))
    with pytest.raises(InputError):
        scene.add_sphere("b", 1, 2 * np.eye(4) - np.diag([0, 0, 0, 1]))
    with pytest.raises(InputError):
        scene.add_sphere("b", -1)
    with pytest.raises(InputError, match="no object 'b'"):
        scene.remove("b")
    assert len(scene) == 0, "what was refused is not in the scene"


def test_reprs_can_be_read(robot, scene, checker, fender):
    assert repr(robot) == "<planner_ccd.Robot 'puma': 8 links, 6 coordinates>"
    assert re.fullmatch(r"<planner_ccd.Scene: \d+ objects>", repr(scene))
    assert repr(checker) == "<planner_ccd.PathChecker of 'puma', 6 coordinates>"
    result = checker.check_path(fender)
    assert re.fullmatch(
        r"<planner_ccd.PathResult of 5 segments: in segment 3: contact of gripper and car at t = [\d.]+>", repr(result)
    )
    assert repr(result.edge).startswith("<planner_ccd.EdgeResult: contact of gripper and car at t = ")
    assert repr(checker.check_edges(fender[:2], fender[1:3])) == "<planner_ccd.EdgeResults: 2 of 2 edges free>"
    assert repr(checker.clearance(fender[0])).startswith("<planner_ccd.NearestPair: ")


def test_a_robot_tells_what_it_is(robot, root, fender, tmp_path):
    assert robot.dof == 6 and robot.joints == [f"joint{i}" for i in range(1, 7)]
    assert "gripper" in robot.links and robot.name == "puma"
    assert np.all(robot.lower < robot.upper) and np.all(robot.neutral() >= robot.lower)
    assert ("base_link", "shoulder", "adjacent") in robot.excluded
    assert isinstance(robot.warnings, list)
    other = planner_ccd.Robot(str(root / "urdf/puma.urdf"), str(root / "urdf/puma.srdf"))
    other.exclude("forearm", "gripper")
    assert ("forearm", "gripper", "user") in other.excluded
    robot.save_path(tmp_path / "path.csv", fender)
    assert np.array_equal(robot.load_path(tmp_path / "path.csv"), fender)


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_stubs_name_all_that_there_is_and_nothing_else():
    folder = pathlib.Path(planner_ccd.__file__).parent
    assert (folder / "py.typed").exists()
    stub = ast.parse((folder / "__init__.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert set(classes) | functions | {"__version__"} == set(planner_ccd.__all__)
    for name, node in classes.items():
        told = {item.name for item in node.body if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")}
        told |= {item.targets[0].id for item in node.body if isinstance(item, ast.Assign)}
        type_ = getattr(planner_ccd, name)
        assert told == (set(type_.__members__) if issubclass(type_, enum.Enum) else public(type_)), name


def test_verdicts_are_an_enumeration():
    assert issubclass(Verdict, enum.Enum) and [v.value for v in Verdict] == [0, 1, 2]
    assert repr(Verdict.FREE) == "<Verdict.FREE: 0>" and Verdict(2) is Verdict.UNDECIDED
    assert Verdict.__module__ == "planner_ccd"


def test_stubs_have_the_parameters_of_the_functions():
    stub = ast.parse((pathlib.Path(planner_ccd.__file__).parent / "__init__.pyi").read_text())
    seen = 0
    for cls in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        for item in (i for i in cls.body if isinstance(i, ast.FunctionDef)):
            function = getattr(getattr(planner_ccd, cls.name), item.name)
            signature = (getattr(function, "__doc__", "") or "").split("\n")[0]
            if isinstance(function, property) or "*args" in signature or not signature.startswith(item.name + "("):
                continue
            names = [a.arg for a in item.args.args + item.args.kwonlyargs]
            there = re.findall(r"(?:\(|, )(\w+): ", signature.split(" -> ")[0])
            assert names == there, (cls.name, item.name)
            seen += 1
    assert seen > 20


def test_the_stub_carries_the_docstrings(root):
    done = subprocess.run([sys.executable, root / "planner_ccd/python/backend/stub_docs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_everything_has_a_docstring():
    for name in planner_ccd.__all__:
        if name != "__version__":
            assert getattr(planner_ccd, name).__doc__, name
    missing = []
    for thing in (getattr(planner_ccd, name) for name in planner_ccd.__all__):
        if not inspect.isclass(thing) or issubclass(thing, (Verdict, InputError)):
            continue
        for name in public(thing):
            doc = getattr(thing, name).__doc__ or ""
            # pybind11 puts a line with the signature before that of a function.
            if not doc.strip() or not isinstance(getattr(thing, name), property) and len(doc.strip().split("\n")) < 3:
                missing.append(f"{thing.__name__}.{name}")
    assert not missing


def test_docstrings_name_units():
    """Whatever is a length, an angle or a time says so, where it is documented or in its class."""
    dimension = re.compile(r"distance|depth|margin|radius|tolerance|limits|velocity|acceleration|clearance|time|duration|begin|end|point_[ab]|pose")
    unit = re.compile(r"metre|rad\b|rad/|second|\bs\b|\[0, 1\]|4 x 4|nanosecond|list of|structured array|\b[tu]\b|Seconds|Metres|present at", re.IGNORECASE)
    unsaid, seen = [], 0
    for thing in (getattr(planner_ccd, name) for name in planner_ccd.__all__):
        if not inspect.isclass(thing):
            continue
        for name in public(thing):
            if not isinstance(getattr(thing, name), property) or not dimension.search(name):
                continue
            seen += 1
            if not unit.search(getattr(thing, name).__doc__ + (thing.__doc__ or "")):
                unsaid.append(f"{thing.__name__}.{name}")
    assert seen > 25 and not unsaid


def test_the_reference_has_a_place_for_everything(root):
    told = re.findall(r"^\.\. auto(?:class|function|exception):: planner_ccd\.(\w+)$", (root / "docs/python.md").read_text(), re.MULTILINE)
    assert sorted(told + ["__version__"]) == sorted(planner_ccd.__all__)


def test_metadata_is_valid_and_agrees_with_the_build(root):
    tomllib = pytest.importorskip("tomllib")
    folder = root / "planner_ccd/python"
    data = tomllib.loads((folder / "pyproject.toml").read_text())
    assert data["project"]["name"] == "planner_ccd"
    assert data["project"]["version"] == planner_ccd.__version__
    build = data["build-system"]
    assert (folder / build["backend-path"][0] / f"{build['build-backend']}.py").exists()
    validate = pytest.importorskip("setuptools.config._validate_pyproject")
    assert validate.validate({key: data[key] for key in ("build-system", "project")})
