"""Proofs as files: written by a checker, judged without one."""

import base64
import hashlib
import pathlib
import re
import subprocess
import zlib

import numpy as np
import pytest

import planner_ccd


@pytest.fixture(scope="module")
def window(robot, root):
    return robot.load_path(root / "models/paths/puma_window.csv")


@pytest.fixture(scope="module")
def certificate(checker, window, tmp_path_factory):
    file = tmp_path_factory.mktemp("certificates") / "window.pccd"
    return file, checker.certify(window, file, title="through the window")


def test_a_free_path_is_certified_and_the_file_verified(certificate):
    file, made = certificate
    assert made.proved and not made.obstacle and made.leaves > 0
    assert made.size == file.stat().st_size
    assert made.sha256 == hashlib.sha256(file.read_bytes()).hexdigest() and made.sha256 in repr(made)
    assert "proved twice" in planner_ccd.verify([file, file]).reason
    for named in (file, str(file), [file], (file,)):
        told = planner_ccd.verify(named)
        assert told and told.verified and told.readable and not told.reason
    assert "CLAIM: " in told.statement and "through the window" in told.statement
    assert "not checked: base_link and shoulder (adjacent" in told.statement
    assert told.statement_sha256 in told.statement and len(told.statement_sha256) == 64
    assert repr(told) == "<planner_ccd.Verification: verified>"


def test_a_path_that_hits_gets_no_file(checker, fender, tmp_path):
    assert not checker.check(fender).free
    made = checker.certify(fender, tmp_path / "fender.pccd")
    assert not made.proved and "in segment 3" in made.obstacle and made.obstacle in repr(made)
    assert not made.sha256 and made.size == made.leaves == 0
    assert not (tmp_path / "fender.pccd").exists()


def test_what_was_changed_is_refused(certificate, tmp_path):
    data = bytearray(certificate[0].read_bytes())
    data[200] ^= 1
    changed = tmp_path / "changed.pccd"
    changed.write_bytes(data)
    told = planner_ccd.verify(changed)
    assert not told and not told.verified and told.reason
    changed.write_bytes(b"PCCDCERT and no more")
    told = planner_ccd.verify(changed)
    assert not told.verified and not told.readable and not told.statement
    assert repr(told).startswith("<planner_ccd.Verification: unreadable: ")
    for nothing in (tmp_path / "nowhere.pccd", tmp_path, []):
        assert not planner_ccd.verify(nothing).readable


def test_inputs_must_be_those_of_the_certificate(certificate, root):
    told = planner_ccd.verify(certificate[0], root / "urdf/puma.urdf")  # Python gives no inputs: none is known
    assert not told.verified and told.readable and "puma.urdf is not the file" in told.reason


def test_the_files_a_motion_comes_from_stand_in_its_certificate(checker, window, root, tmp_path):
    files = {"robot": root / "urdf/puma.urdf", "srdf": root / "urdf/puma.srdf", "scene": root / "models/scenes/puma_car.yaml",
             "mesh": sorted((root / "models").glob("puma/*.stl"))[:2]}
    assert checker.certify(window, tmp_path / "x.pccd", inputs=files).proved
    told = planner_ccd.verify(tmp_path / "x.pccd", [*[f for r, f in files.items() if r != "mesh"], *files["mesh"]])
    assert told.verified and hashlib.sha256(files["scene"].read_bytes()).hexdigest() in told.statement
    changed = tmp_path / "puma.urdf"
    changed.write_text(files["robot"].read_text() + "<!-- -->")
    assert "puma.urdf is not the file" in planner_ccd.verify(tmp_path / "x.pccd", changed).reason
    with pytest.raises(planner_ccd.InputError, match="no such file"):
        checker.certify(window, tmp_path / "y.pccd", inputs={"robot": tmp_path / "nowhere"})
    assert not (tmp_path / "y.pccd").exists()


def test_splines_are_certified_as_they_are(checker, robot, window, tmp_path):
    rest = np.zeros_like(window)
    spline = planner_ccd.Trajectory(robot, window, times=np.arange(len(window)), velocities=rest, accelerations=rest)
    assert checker.certify(spline, tmp_path / "spline.pccd").proved
    assert checker.certify(window, tmp_path / "line.pccd").proved
    told = [planner_ccd.verify(tmp_path / f"{name}.pccd") for name in ("spline", "line")]
    assert all(told) and told[0].statement_sha256 != told[1].statement_sha256, "another motion through the same points"
    other = planner_ccd.Robot.from_string('<robot name="post"><link name="post"/></robot>')
    with pytest.raises(planner_ccd.InputError, match="whose joints are not those"):
        planner_ccd.PathChecker(other).certify(spline, tmp_path / "z.pccd")


def test_the_page_of_the_command_gives_the_hash_of_the_certificate(root, tmp_path):
    command = pathlib.Path(planner_ccd.__file__).parents[2] / "bin/planner_ccd"
    if not command.exists():
        pytest.skip("the command is not built beside the module")
    words = ["--robot", "urdf/puma.urdf", "--srdf", "urdf/puma.srdf", "--scene", "models/scenes/puma_car.yaml", "--path",
             "models/paths/puma_window.csv"]
    page, run = tmp_path / "run.html", tmp_path / "run.pccd"
    subprocess.run([command, "check", *words, "--certificate", run, "--html", page], cwd=root, check=True, capture_output=True)
    packed = re.search(r'id="data">([^<]+)<', page.read_text())[1]
    shown = zlib.decompress(base64.b64decode(packed), -15)
    assert b"SHA-256 of the certificate" in shown and hashlib.sha256(run.read_bytes()).hexdigest().encode() in shown
    subprocess.run([command, "check", *words, "--html", page], cwd=root, check=True, capture_output=True)
    packed = re.search(r'id="data">([^<]+)<', page.read_text())[1]
    assert b"certificate" not in zlib.decompress(base64.b64decode(packed), -15)


def test_arguments_are_looked_at(checker, window, tmp_path):
    with pytest.raises(planner_ccd.InputError, match="a configuration has 2 entries"):
        checker.certify(np.zeros((3, 2)), tmp_path / "x.pccd")
    with pytest.raises(planner_ccd.InputError, match="cannot be written"):
        checker.certify(window, tmp_path / "no folder" / "x.pccd")
    with pytest.raises(TypeError):
        checker.certify(window, None)
