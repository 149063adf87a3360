"""Clouds and octomaps: arrays are used without conversion, contacts name the point, values pickle."""

import pickle

import numpy as np
import pytest

import planner_ccd

CAR = """<robot name="car"><link name="world_link"/><link name="car"><collision><geometry><box size="0.2 0.2 0.2"/></geometry>
</collision></link><joint name="slide" type="prismatic"><parent link="world_link"/><child link="car"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" velocity="1" effort="1"/></joint></robot>"""

WALL = np.array([[1.0, 0.01 * i - 0.5, 0.25] for i in range(100)] + [[1.0, 0.0, 0.0]])


@pytest.fixture()
def car(tmp_path):
    (tmp_path / "car.urdf").write_text(CAR)
    return planner_ccd.Robot(tmp_path / "car.urdf")


def scene_of(points, radius=0.004):
    scene = planner_ccd.Scene()
    scene.add_cloud("wall", points, radius)
    return scene


def test_arrays_of_any_strides_and_both_precisions_are_the_same_points(car):
    exact = WALL.astype(np.float32).astype(np.float64)  # representable in both precisions
    same = [
        exact,
        exact.astype(np.float32),
        np.asfortranarray(exact),
        np.repeat(exact, 2, axis=0)[::2],
        np.hstack([exact, exact])[:, :3],
        exact[:, ::-1].copy()[:, ::-1],
        np.ma.masked_array(exact),
        exact.tolist(),
    ]
    first = scene_of(same[0])
    for points in same[1:]:
        assert scene_of(points) == first
    assert scene_of(same[0], 0.005) != first
    assert pickle.loads(pickle.dumps(first)) == first


def test_contacts_name_the_point_and_checks_the_radius(car):
    checker = planner_ccd.PathChecker(car, scene_of(WALL))
    edge = checker.first_contact([0.0], [2.0])
    assert edge.contact.b == "wall" and edge.contact.triangle_b == 100
    assert edge.contact.t == pytest.approx((1.0 - 0.004 - 0.1) / 2.0, abs=1e-4)
    [said] = [a for a in checker.assumptions if a.kind == "cloud_radius"]
    assert "0.004 m" in said.text and said.names == ["wall"]


def test_points_that_are_not_finite_are_left_out_with_a_warning():
    points = WALL.copy()
    points[3] = np.nan
    scene = scene_of(points)
    assert "1 points are not finite" in scene.warnings[0]


@pytest.mark.parametrize("points", [np.zeros((3, 2)), np.zeros(3), np.zeros((0, 3)), [["a", "b", "c"]], np.full((2, 3), 2e7)])
def test_what_is_no_cloud_is_bad_input(points):
    with pytest.raises(planner_ccd.InputError):
        scene_of(points)


def test_octomaps(car, tmp_path):
    file = tmp_path / "room.bt"
    file.write_bytes(b"# Octomap OcTree binary file\nid OcTree\nsize 0\nres 0.1\ndata\n")
    scene = planner_ccd.Scene()
    scene.add_octomap("room", file, region=[[1, -1, -1], [2, 1, 1]])
    checker = planner_ccd.PathChecker(car, scene)
    assert checker.first_contact([0.0], [2.0]).contact.t == pytest.approx(0.45, abs=1e-4)
    assert pickle.loads(pickle.dumps(scene)) == scene
    with pytest.raises(planner_ccd.InputError, match="region"):
        planner_ccd.Scene().add_octomap("room", file)
    with pytest.raises(planner_ccd.InputError, match="unknown"):
        planner_ccd.Scene().add_octomap("room", file, unknown="maybe")


def test_height_fields(car, tmp_path):
    heights = np.full((11, 21), -0.5)
    heights[:, 16:] = 0.0
    pose = np.eye(4)
    pose[1, 3] = -0.5
    scene = planner_ccd.Scene()
    scene.add_height_field("step", heights, 0.1, floor=-0.8, pose=pose)
    assert pickle.loads(pickle.dumps(scene)) == scene
    checker = planner_ccd.PathChecker(car, scene)
    contact = checker.first_contact([0.0], [2.0]).contact
    assert contact.t == pytest.approx(0.7, abs=1e-4)
    assert np.unravel_index(contact.triangle_b, heights.shape)[1] == 15
    [said] = [a for a in checker.assumptions if a.kind == "height_field"]
    assert "from -0.8 m up to the greatest of four neighbours" in said.text and said.names == ["step"]

    heights[:, 16:] = np.nan
    np.save(tmp_path / "step.npy", heights.astype(np.float32))
    scene = planner_ccd.Scene()
    scene.add_height_field_file("step", tmp_path / "step.npy", 0.1, pose=pose)
    assert "55 of 231 heights are missing" in scene.warnings[0] and "an obstacle: 50 columns" in scene.warnings[0]
    checker = planner_ccd.PathChecker(car, scene)
    assert checker.first_contact([0.0], [2.0]).contact.t == pytest.approx(0.7, abs=1e-4)
    [said] = [a for a in checker.assumptions if a.kind == "height_field"]
    assert "where one is missing up to 1.5 m" in said.text

    scene = planner_ccd.Scene()
    scene.add_height_field("step", heights, 0.1, unknown="free", pose=pose)
    checker = planner_ccd.PathChecker(car, scene)
    assert checker.is_free([0.0], [2.0])
    assert "unknown_is_free" in [a.kind for a in checker.assumptions]


@pytest.mark.parametrize(
    "heights, options",
    [
        (np.zeros((1, 5)), {}),
        (np.zeros(5), {}),
        (np.full((3, 3), np.nan), {}),
        (np.zeros((3, 3)), {"pixel": 0.0}),
        (np.zeros((3, 3)), {"floor": -0.05}),
        (np.zeros((3, 3)), {"top": -0.05}),
        (np.zeros((3, 3)), {"unknown": "perhaps"}),
    ],
)
def test_what_is_no_height_field_is_bad_input(heights, options):
    with pytest.raises(planner_ccd.InputError):
        planner_ccd.Scene().add_height_field("bin", heights, **{"pixel": 0.1, **options})


def test_the_robot_is_dropped_from_its_picture_and_checks_say_so(car):
    robot_filter = planner_ccd.RobotFilter(car)
    scene = planner_ccd.Scene()
    scene.add_cloud("seen", [[0.5, 0, 0], [0.62, 0, 0], [1.0, 0, 0], [0.4, 0, 0]], radius=0.01)
    assert robot_filter.drop_robot(scene, "seen", [0.5], within=0.05) == 3
    checker = planner_ccd.PathChecker(car, scene)
    assert checker.first_contact([0.0], [2.0]).contact.triangle_b == 2
    [said] = [a for a in checker.assumptions if a.kind == "points_dropped"]
    assert said.text == "3 points of a cloud, in the robot or within 0.05 m of it, were left out" and said.names == ["seen"]
    assert robot_filter.drop_robot(scene, "seen", [0.5], within=0.05) == 0
    assert scene.drop_region("seen", [0.9, -1, -1], [1.1, 1, 1]) == 1
    assert "seen" not in scene  # nothing was left
    for bad in [lambda: robot_filter.drop_robot(scene, "seen", [0.5]), lambda: robot_filter.drop_robot(scene_of(WALL), "wall", [0.5, 1.0]),
                lambda: robot_filter.drop_robot(scene_of(WALL), "wall", [0.5], within=-1), lambda: scene.drop_region("wall", [0, 0, 0], [1, 1, 1])]:
        with pytest.raises(planner_ccd.InputError):
            bad()


def test_what_the_robot_holds_is_dropped_too(car):
    scene = scene_of([[0.5, 0, 0.5], [5.0, 0, 0]])
    scene.add_box("rod", [0.05, 0.05, 1.0])
    scene.attach("rod", "car", touch_links=["car"])
    assert planner_ccd.RobotFilter(car).drop_robot(scene, "wall", [0.5], within=0.01) == 0
    assert planner_ccd.RobotFilter(car, scene).drop_robot(scene, "wall", [0.5], within=0.01) == 1


def test_a_frame_replaced_takes_its_assumptions_with_it(car):
    robot_filter = planner_ccd.RobotFilter(car)
    scene = planner_ccd.Scene()
    checker = planner_ccd.PathChecker(car, scene)
    for count in [1, 2, 0]:
        if "frame" in scene:
            scene.remove("frame")
        scene.add_cloud("frame", [[3.0, 0, 0]] + [[0.5, 0, 0.01 * i] for i in range(count)], radius=0.01)
        assert robot_filter.drop_robot(scene, "frame", [0.5]) == count
        checker = checker.with_scene(scene)
        said = [a.text for a in checker.assumptions if a.kind == "points_dropped"]
        assert said == ([f"{count} points of a cloud, in the robot or within 0 m of it, were left out"] if count else [])


def test_files(tmp_path):
    points = WALL.astype(np.float32)
    np.save(tmp_path / "wall.npy", points)
    np.savetxt(tmp_path / "wall.xyz", points.astype(np.float64), fmt="%.17g")
    for name in ["wall.npy", "wall.xyz"]:
        scene = planner_ccd.Scene()
        scene.add_cloud_file("wall", tmp_path / name, 0.004)
        checker_scene = scene_of(points)
        assert scene.names == checker_scene.names
