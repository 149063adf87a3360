import pathlib

import pytest

import planner_ccd

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_configure(config):
    """What is old is asked on purpose in test_old_names.py, and nowhere else."""
    config.addinivalue_line("filterwarnings", "error:planner_ccd:DeprecationWarning")


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def robot():
    return planner_ccd.Robot(ROOT / "urdf/puma.urdf", ROOT / "urdf/puma.srdf")


@pytest.fixture(scope="session")
def scene(robot):
    return planner_ccd.Scene.load(ROOT / "models/scenes/puma_car.yaml", robot)


@pytest.fixture(scope="session")
def checker(robot, scene):
    return planner_ccd.PathChecker(robot, scene)


@pytest.fixture(scope="session")
def fender(robot):
    return robot.load_path(ROOT / "models/paths/puma_fender.csv")
