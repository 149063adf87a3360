"""Answers equal those of the C++ library, on NumPy arrays."""

import pickle
import threading
import time

import numpy as np
import pytest

import planner_ccd
from planner_ccd import EdgeOptions, TrajectoryOptions, Verdict


def pose(x, y, z):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def test_a_path_that_hits_names_the_links(robot, checker, fender):
    result = checker.check_path(fender)
    assert result.verdict == Verdict.CONTACT and not result.free
    assert result.segments == len(fender) - 1
    contact = result.edge.contact
    assert {contact.a, contact.b} == {"gripper", "car"}
    assert 0 <= result.edge.t_free <= contact.t <= 1
    assert contact.distance <= 1e-4 and np.isclose(np.linalg.norm(contact.normal), 1)
    start, end = fender[result.segment], fender[result.segment + 1]
    assert np.allclose(contact.q, start + contact.t * (end - start))
    assert checker.in_contact(contact.q)
    near = checker.clearance(contact.q)
    assert near.lower <= near.upper <= 1.01e-4


def test_a_checker_goes_over_to_a_changed_scene(robot, root):
    scene = planner_ccd.Scene.load(root / "models/scenes/puma_car.yaml", robot)
    before = planner_ccd.PathChecker(robot, scene)
    fender = robot.load_path(root / "models/paths/puma_fender.csv")
    assert not before.check_path(fender).free
    scene.move("car", pose(50, 0, 0))
    now = before.with_scene(scene)
    assert now.check_path(fender).free and not before.check_path(fender).free
    assert now.check_edges(fender[:-1], fender[1:]).free.all()
    assert now == planner_ccd.PathChecker(robot, scene) and now != before
    scene.add_sphere("everywhere", 3.0)
    last = now.with_scene(scene)
    assert last.in_contact(fender[0]) and last.clearance(fender[0]).lower == 0
    assert not now.in_contact(fender[0])
    scene.add_sphere("gripper", 1.0)
    with pytest.raises(planner_ccd.InputError, match="gripper"):
        last.with_scene(scene)
    assert len(last.scene) == 4, "a checker keeps the scene that it was asked for with"


def test_a_free_path_is_proved(robot, scene, checker, root):
    window = robot.load_path(root / "models/paths/puma_window.csv")
    assert checker.check_path(window).free
    assert planner_ccd.PathChecker(robot, scene, margin=0.5).check_path(window).verdict == Verdict.CONTACT
    assert all(checker.is_free(a, b) for a, b in zip(window[:-1], window[1:]))
    assert checker.first_contact(window[0], window[1]).contact is None
    assert checker.clearance(window[0]).lower > 0


def test_margins_are_to_the_world_and_self_margins_within_the_robot(robot, root, fender):
    q = fender[0]
    scene = planner_ccd.Scene.load(root / "models/scenes/puma_car.yaml", robot)
    assert planner_ccd.PathChecker(robot, margin=5.0).is_free(q, q), "nothing is around it"
    assert not planner_ccd.PathChecker(robot, self_margin=5.0).is_free(q, q)
    assert planner_ccd.PathChecker(robot, scene).is_free(q, q)
    contact = planner_ccd.PathChecker(robot, scene, margin=5.0).first_contact(q, q).contact
    assert contact.margin == 5.0 and 0 < contact.distance <= 5.0 and "margin 5 m" in repr(contact)
    scene.set_padding("gripper", 5.0)
    assert not planner_ccd.PathChecker(robot, scene).is_free(q, q)
    scene.set_padding("gripper", 0.0)
    assert planner_ccd.PathChecker(robot, scene).is_free(q, q)
    prepared = planner_ccd.PreparedRobot(robot, self_margin=0.001, cell_evaluations=100)
    assert prepared.self_margin == 0.001


def test_many_edges_give_what_one_by_one_gives(checker, fender):
    random = np.random.default_rng(5)
    starts = fender[random.integers(len(fender), size=200)] + random.uniform(-0.3, 0.3, (200, 6))
    ends = fender[random.integers(len(fender), size=200)] + random.uniform(-0.3, 0.3, (200, 6))
    results = checker.check_edges(starts, ends, first_contact=True, threads=2)
    assert len(results) == 200
    assert results.free.dtype == bool and 20 < results.free.sum() < 180
    assert np.array_equal(results.free, checker.check_edges(starts, ends).free)
    for i in range(0, 200, 9):
        alone = checker.first_contact(starts[i], ends[i])
        assert results[i].verdict == alone.verdict and results[i].t_free == alone.t_free == results.t_free[i]
        assert checker.is_free(starts[i], ends[i]) == results.free[i]
    assert len(checker.check_edges(np.empty((0, 6)), np.empty((0, 6)))) == 0


def test_methods_and_options_are_honoured(checker, fender):
    taylor = checker.first_contact(fender[3], fender[4])
    assert taylor.verdict == Verdict.CONTACT
    c2a = checker.first_contact(fender[3], fender[4], EdgeOptions(method="c2a"))
    assert c2a.verdict == taylor.verdict and c2a.evaluations != taylor.evaluations
    assert checker.first_contact(fender[3], fender[4], EdgeOptions(max_evaluations=3)).verdict == Verdict.UNDECIDED
    for leaf in ("cubic", "space_time", "plucker"):
        by_leaf = checker.first_contact(fender[3], fender[4], EdgeOptions(leaf=leaf))
        assert by_leaf.verdict == taylor.verdict and abs(by_leaf.contact.t - taylor.contact.t) < 1e-3
        with pytest.raises(ValueError, match="leaf"):
            checker.is_free(fender[3], fender[4], EdgeOptions(method="hca", leaf=leaf))
    with pytest.raises(ValueError, match="cubic"):
        checker.is_free(fender[3], fender[4], EdgeOptions(leaf="guess"))
    wide = checker.first_contact(fender[3], fender[4], EdgeOptions(tolerance=0.05))
    assert wide.contact.t <= taylor.contact.t and wide.contact.distance <= 0.05


def test_other_threads_run_while_a_batch_is_checked(checker, fender):
    starts, ends = np.repeat(fender[:1], 4000, 0), np.repeat(fender[2:3], 4000, 0)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    checker.check_edges(starts, ends, threads=1)
    ended = time.monotonic()
    stop.set()
    thread.join()
    during = [t for t in ticks if began < t < ended]
    assert len(during) >= 3 or ended - began < 0.02


def test_threads_may_share_a_checker(checker, fender):
    expected = [checker.first_contact(a, b).t_free for a, b in zip(fender[:-1], fender[1:])]
    wrong = []

    def ask():
        for _ in range(20):
            if [checker.first_contact(a, b).t_free for a, b in zip(fender[:-1], fender[1:])] != expected:
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_progress_is_told_and_can_end_a_batch(checker, fender):
    starts, ends = np.repeat(fender[:1], 300, 0), np.repeat(fender[2:3], 300, 0)
    told = []
    checker.check_edges(starts, ends, progress=lambda done, edges: told.append((done, edges)))
    assert told[-1] == (300, 300) and told == sorted(told)

    def enough(done, edges):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checker.check_edges(starts, ends, progress=enough)


def test_a_scene_made_in_python(robot, fender):
    scene = planner_ccd.Scene()
    scene.add_box("table", [4, 4, 0.1], pose(0, 0, -0.6))
    scene.add_sphere("ball", 0.1, pose(0, 0, 3))
    scene.add_cylinder("pipe", 0.1, 1.0, pose(2, 0, 0))
    scene.add_capsule("bar", 0.1, 1.0, pose(2, 1, 0))
    scene.add_mesh("sheet", [[2, 2, 0], [3, 2, 0], [2, 3, 0]], [[0, 1, 2]])
    assert scene.names == ["table", "ball", "pipe", "bar", "sheet"] and len(scene) == 5
    free = planner_ccd.PathChecker(robot, scene)
    q = robot.neutral()
    assert not free.in_contact(q)
    near = free.clearance(q)
    scene.move("ball", pose(*near.point_a))
    scene.allow("base_link", "table")
    assert planner_ccd.PathChecker(robot, scene).in_contact(q)
    assert not free.in_contact(q), "a checker keeps the scene it was made with"
    scene.attach("ball", "gripper", pose(0, 0, 0.5), ["flange"])
    scene.detach("ball", pose(0, 0, 3))
    scene.set_margin("ball", "*", 0.01)
    scene.remove("ball")
    assert "ball" not in scene.names


def test_a_prepared_robot_serves_many_scenes(robot, scene, fender):
    prepared = planner_ccd.PreparedRobot(robot, margin=0.01, cell_evaluations=2000)
    assert prepared.margin == 0.01 and "puma" in repr(prepared)
    for surroundings in (scene, planner_ccd.Scene(), None):
        fresh = planner_ccd.PathChecker(robot, surroundings, margin=0.005)
        shared = planner_ccd.PathChecker(prepared, surroundings, margin=0.005)
        for a, b in zip(fender[:-1], fender[1:]):
            assert shared.is_free(a, b) == fresh.is_free(a, b)
    with pytest.raises(TypeError):
        planner_ccd.PathChecker(None)


def test_proofs_are_kept_in_a_folder(robot, tmp_path):
    made = planner_ccd.PreparedRobot(robot, cell_evaluations=300, cache=tmp_path)
    kept = list(tmp_path.iterdir())
    assert [k.suffix for k in kept] == [".cells"] and not made.warnings
    again = planner_ccd.PreparedRobot(robot, cell_evaluations=300, cache=tmp_path)
    assert repr(again) == repr(made) and not again.warnings
    data = bytearray(kept[0].read_bytes())
    data[len(data) // 2] ^= 1
    kept[0].write_bytes(data)
    assert "damaged" in planner_ccd.PreparedRobot(robot, cell_evaluations=300, cache=tmp_path).warnings[0]


def test_free_holds_for_all_that_may_happen_within_errors(robot, scene, fender):
    checker = planner_ccd.PathChecker(robot, scene)
    way = fender[:4]
    assert checker.check_path(way).free
    trajectory = planner_ccd.Trajectory(robot, way, times=range(len(way)))
    limit = checker.max_tracking_error(trajectory, each_segment=True)
    assert 0 < limit.proved < limit.failed < 0.5 and 0 <= limit.segment < len(way) and limit.edge.contact
    assert len(limit.by_segment) == len(way) - 1 and abs(limit.by_segment.min() - limit.proved) < 1e-2 * limit.proved
    good, bad = (EdgeOptions(tracking_error=share * limit.proved) for share in (0.99, 1.1))
    assert checker.check_path(way, good).free and checker.check_edges(way[:-1], way[1:], good).free.all()
    assert not checker.check_path(way, bad).free and not checker.check_edges(way[:-1], way[1:], bad).free.all()
    contact = checker.check_path(way, bad).edge.contact
    assert 0 < contact.error and contact.distance <= contact.margin + contact.error + 1e-4
    named = EdgeOptions(tracking_error={name: bad.tracking_error for name in robot.joints})
    assert checker.check_path(way, named).edge.contact == contact
    assert not checker.check_path(way, EdgeOptions(base_error=1.0)).free
    assert not checker.check_path(way, EdgeOptions(base_error={"gripper": (1.0, 0.1)})).free
    with pytest.raises(planner_ccd.InputError, match="errors"):
        checker.check_path(way, EdgeOptions(method="hca", tracking_error=0.01))
    for wrong in ({"tracking_error": -1.0}, {"tracking_error": float("nan")}, {"tracking_error": "much"}, {"base_error": (1, 2, 3)},
                  {"base_error": 1e308}):
        with pytest.raises(planner_ccd.InputError):
            EdgeOptions(**wrong)
    for wrong in ({"tracking_error": {"elbow?": 0.1}}, {"base_error": {"nothing": 0.1}}):
        with pytest.raises(planner_ccd.InputError, match="elbow|nothing"):
            checker.check_path(way, EdgeOptions(**wrong))


def test_errors_of_trajectories(robot, scene, fender):
    checker = planner_ccd.PathChecker(robot, scene)
    way = fender[:4]
    trajectory = planner_ccd.Trajectory(robot, way, times=range(len(way)))
    limit = checker.max_tracking_error(trajectory)
    good, bad = (TrajectoryOptions(edge=EdgeOptions(tracking_error=share * limit.proved)) for share in (0.99, 1.1))
    assert checker.check_trajectory(trajectory, good).verdict == Verdict.FREE
    assert checker.check_trajectory(trajectory, bad).verdict == Verdict.CONTACT
    assert checker.check_trajectory(trajectory, TrajectoryOptions(tracking_delay=1.0)).verdict == Verdict.CONTACT
    assert checker.max_tracking_error(trajectory, bad).proved is None, "on top of the options' own"
    errors = np.full((len(way) - 1, robot.dof), 0.99 * limit.proved)
    assert checker.check_trajectory(trajectory, TrajectoryOptions(segment_errors=errors)).verdict == Verdict.FREE
    errors[limit.segment] = 1.1 * limit.proved
    assert checker.check_trajectory(trajectory, TrajectoryOptions(segment_errors=errors)).verdict == Verdict.CONTACT
    for wrong, text in ((errors[:-1], "segments, and errors of"), (errors[0], "a row for each segment"), (errors[:, :5], "a row for each segment")):
        with pytest.raises(planner_ccd.InputError, match=text):
            checker.check_trajectory(trajectory, TrajectoryOptions(segment_errors=wrong))
    late = planner_ccd.Trajectory(robot, way, times=[t + 3 for t in range(len(way))])
    deviation = checker.deviation(trajectory, late, -3, good)
    assert deviation["within"] and deviation["complete"]
    assert not checker.deviation(trajectory, late, -2.9, good)["within"]


def test_options_are_values(robot):
    edge = EdgeOptions(tolerance=1e-3, angles="wrap", tracking_error={"joint1": 0.01}, base_error=0.02)
    assert edge == pickle.loads(pickle.dumps(edge)) != EdgeOptions() and hash(edge) == hash(pickle.loads(pickle.dumps(edge)))
    assert (edge.tolerance, edge.angles, edge.tracking_error, edge.base_error) == (1e-3, "wrap", {"joint1": 0.01}, (0.02, 0.0))
    again = eval(repr(edge))
    assert again == edge and repr(EdgeOptions()) == "planner_ccd.EdgeOptions()"
    limits = planner_ccd.MotionLimits(robot)
    options = TrajectoryOptions(edge=edge, limits=limits, profile_step=0.5, segment_errors=[[0.0] * 6])
    assert options == pickle.loads(pickle.dumps(options)) != TrajectoryOptions()
    assert options.edge == edge and options.limits == limits and options.segment_errors.shape == (1, 6)
    assert repr(TrajectoryOptions(all_contacts=True)) == "planner_ccd.TrajectoryOptions(all_contacts=True)"
    for wrong in ({"angles": "degrees"}, {"method": "guess"}, {"leaf": "guess"}):
        with pytest.raises(planner_ccd.InputError, match="guess|wrap"):
            EdgeOptions(**wrong)
    with pytest.raises(AttributeError):
        edge.tolerance = 1.0
