"""Proofs as files: written by a checker, judged without one."""

import hashlib
import pathlib
import subprocess

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
    assert "not checked: 'base_link' and 'shoulder', 'adjacent" in told.statement
    assert told.statement_sha256 in told.statement and len(told.statement_sha256) == 64
    assert repr(told) == "<planner_ccd.Verification: verified>"


def test_a_path_that_hits_gets_no_file(checker, fender, tmp_path):
    assert not checker.check_path(fender).free
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
    shown = page.read_text()
    assert "SHA-256 of the certificate" in shown and hashlib.sha256(run.read_bytes()).hexdigest() in shown
    subprocess.run([command, "check", *words, "--html", page], cwd=root, check=True, capture_output=True)
    assert "of the certificate" not in page.read_text()


def test_arguments_are_looked_at(checker, window, tmp_path):
    with pytest.raises(planner_ccd.InputError, match="a configuration has 2 entries"):
        checker.certify(np.zeros((3, 2)), tmp_path / "x.pccd")
    with pytest.raises(planner_ccd.InputError, match="cannot be written"):
        checker.certify(window, tmp_path / "no folder" / "x.pccd")
    with pytest.raises(TypeError):
        checker.certify(window, None)


def test_many_motions_are_certified_together_each_by_itself(checker, window, fender, root, tmp_path):
    """They need not follow each other; one that hits is named."""
    motions = np.stack([window[1:3][::-1], window[:2], [window[0], window[0]]])
    made = checker.certify(motions, tmp_path / "three.pccd")
    assert made.proved and planner_ccd.verify(tmp_path / "three.pccd").verified
    assert subprocess.run(["python3", root / "planner_ccd/certificate/verify.py", tmp_path / "three.pccd"]).returncode == 0
    hit = fender[3:5]
    assert not checker.is_free(*hit)
    made = checker.certify(np.stack([motions[0], hit, motions[1]]), tmp_path / "none.pccd")
    assert not made.proved and "in segment 1" in made.obstacle
    curves = np.stack([[q[0], 0.5 * (q[0] + q[1]), q[1]] for q in motions])
    assert checker.certify(curves, tmp_path / "curves.pccd").proved
    with pytest.raises(planner_ccd.InputError, match="a configuration has 3 entries"):
        checker.certify(np.zeros((2, 2, 3)), tmp_path / "x.pccd")


def test_a_certificate_holds_for_joint_errors(checker, window, fender, root, tmp_path):
    """What is stated is the tube, and none is proved in which there is a contact."""
    line = window[:2]
    made = checker.certify(line, tmp_path / "tube.pccd", segment_errors=[[0.001] * 6])
    assert made.proved
    told = planner_ccd.verify(tmp_path / "tube.pccd")
    assert told.verified and told.statement.count("within 0.001") == 6
    assert subprocess.run(["python3", root / "planner_ccd/certificate/verify.py", tmp_path / "tube.pccd"]).returncode == 0
    seen = 0
    for q in (fender[0], fender[2], window[0], window[-1]):
        hit = next(p for p in (fender[3] + s * (fender[4] - fender[3]) for s in np.linspace(0, 1, 101)) if checker.in_contact(p))
        proved = [checker.certify([q, q], tmp_path / "wide.pccd", segment_errors=[s * abs(hit - q)]).proved for s in (1.0, 0.3, 0.1, 0.01)]
        assert not proved[0] and proved[-1]
        seen += sum(proved)
    assert seen > 4, "some tubes are proved that have a tenth of the way to a contact"
    for errors, message in (
        ([[0.1] * 6] * 2, "the motion has 1 segments, and errors of 2"),
        ([[0.1, -0.1, 0, 0, 0, 0]], "must be a number >= 0 for each coordinate"),
        ([[np.nan] * 6], "must be a number >= 0 for each coordinate"),
        ([[np.inf] * 6], "must be a number >= 0 for each coordinate"),
        ([[0.1] * 5], "must be a row for each segment"),
    ):
        with pytest.raises(planner_ccd.InputError, match=message):
            checker.certify(line, tmp_path / "x.pccd", segment_errors=errors)
    floating = planner_ccd.Robot.from_string(
        '<robot name="f"><link name="u"/><link name="v"/><joint name="j" type="floating"><parent link="u"/><child link="v"/></joint></robot>')
    with pytest.raises(planner_ccd.InputError, match="belongs to a floating joint"):
        planner_ccd.PathChecker(floating).certify(np.zeros((2, 7)) + [0, 0, 0, 1, 0, 0, 0], tmp_path / "x.pccd", segment_errors=[[0.1] * 7])
