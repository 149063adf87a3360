"""Proofs as files: written by a checker, judged without one."""

import hashlib

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


def test_arguments_are_looked_at(checker, window, tmp_path):
    with pytest.raises(planner_ccd.InputError, match="a configuration has 2 entries"):
        checker.certify(np.zeros((3, 2)), tmp_path / "x.pccd")
    with pytest.raises(planner_ccd.InputError, match="cannot be written"):
        checker.certify(window, tmp_path / "no folder" / "x.pccd")
    with pytest.raises(TypeError):
        checker.certify(window, None)
