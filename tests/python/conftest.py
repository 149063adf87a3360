import pathlib

import pytest

import planner_ccd

ROOT = pathlib.Path(__file__).resolve().parents[2]


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
