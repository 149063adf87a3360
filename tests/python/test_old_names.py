"""Old names work for one minor version, answer what the new ones do, and say what is to be written now."""

import pickle
import warnings

import numpy as np
import pytest

import planner_ccd
from planner_ccd import EdgeOptions, PathChecker, Roadmap, Scene, Trajectory, TrajectoryOptions


def old(says, call):
    """What `call` returns; it warns once, at this test's line."""
    with pytest.warns(DeprecationWarning) as warned:
        answer = call()
    (one,) = warned
    assert str(one.message).startswith("planner_ccd: ") and says in str(one.message) and one.filename == __file__, str(one.message)
    return answer


def same(one, other):
    """The same answer; what it cost may depend on what was asked before."""
    return repr(one) == repr(other) and np.array_equal(np.array(one.t_free), np.array(other.t_free))


def test_names(robot, scene, checker, fender):
    assert old("is now TrajectoryResult", lambda: planner_ccd.PathReport) is planner_ccd.TrajectoryResult
    assert old("check_path(path)", lambda: planner_ccd.check)(robot, fender, scene).edge.contact == checker.check_path(fender).edge.contact
    assert old("is now check_path", lambda: checker.check(fender)).edge.contact == checker.check_path(fender).edge.contact
    assert old("is now open_surfaces", lambda: checker.without_inside) == checker.open_surfaces
    undecided = checker.first_contact(fender[3], fender[4], EdgeOptions(max_evaluations=3))
    assert undecided.undecided_pair and old("is now undecided_pair", lambda: undecided.open) == undecided.undecided_pair
    for thing in (checker, undecided, planner_ccd):
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            thing.nothing
        assert not hasattr(thing, "nothing")


def test_scenes(robot, fender):
    ours, theirs = Scene(), Scene()
    for scene in (ours, theirs):
        scene.add_cloud("seen", [[0.0, 0.0, 0.1], [3.0, 0.0, 0.0]], radius=0.01)
        scene.add_box("box", [1, 1, 1])
    ours.set_pose_error("box", position=0.003, angle=0.01)
    old("position", lambda: theirs.set_pose_error("box", xyz=0.003, angle=0.01))
    assert ours == theirs
    robot_filter = planner_ccd.RobotFilter(robot)
    assert old("is now drop_robot", lambda: robot_filter.drop(theirs, "seen", fender[0], within=0.02)) == 1
    assert robot_filter.drop_robot(ours, "seen", fender[0], within=0.02) == 1 and ours == theirs


def test_keywords_of_searches(robot, scene, checker, fender):
    a, b = fender[3], fender[4]
    for words in ({"tolerance": 0.05}, {"max_evaluations": 3}, {"method": "c2a"}, {"leaf": "cubic", "angles": "wrap"}):
        options, says = EdgeOptions(**words), "EdgeOptions(" + ", ".join(words) + ")"
        assert same(old(says, lambda: checker.first_contact(a, b, **words)), checker.first_contact(a, b, options))
        assert old(says, lambda: checker.is_free(a, b, **words)) == checker.is_free(a, b, options)
        assert same(old(says, lambda: checker.check_path(fender, **words)).edge, checker.check_path(fender, options).edge)
        assert old(says, lambda: checker.in_contact(a, **words)) == checker.in_contact(a, options)
        assert same(old(says, lambda: checker.check_edges([a], [b], **words)), checker.check_edges([a], [b], options))
        assert same(old(says, lambda: checker.check_fan(a, [b], **words)), checker.check_fan(a, [b], options))
    theirs = old("max_evaluations", lambda: Roadmap(robot, scene, max_evaluations=1))
    ours, usual = Roadmap(robot, scene, EdgeOptions(max_evaluations=1)), Roadmap(robot, scene)
    for roadmap in (theirs, ours, usual):
        roadmap.add(fender[:-1], fender[1:])
    assert np.array_equal(theirs.verdict, ours.verdict) and not np.array_equal(ours.verdict, usual.verdict)
    for wrong in (lambda: checker.is_free(a, b, tolerence=1e-3), lambda: checker.is_free(a, b, EdgeOptions(), tolerance=1e-3),
                  lambda: checker.check_path(fender, margin=0.1), lambda: Roadmap(robot, angles="wrap"), lambda: checker.is_free(a, b, 1e-3)):
        with pytest.raises(TypeError):
            wrong()


def test_keywords_of_trajectories(checker, fender):
    motion = Trajectory(checker.robot, fender, times=range(len(fender)))
    words = {"all_contacts": True, "check_limits": False, "clearance_accuracy": 1e-2}
    theirs = old("TrajectoryOptions(", lambda: checker.check_trajectory(motion, tolerance=1e-3, **words))
    ours = checker.check_trajectory(motion, TrajectoryOptions(edge=EdgeOptions(tolerance=1e-3), **words))
    assert theirs.findings == ours.findings and theirs.clearance == ours.clearance and ours.clearance
    for wrong in (lambda: checker.check_trajectory(motion, angles="wrap"), lambda: checker.check_trajectory(motion, TrajectoryOptions(), all_contacts=True)):
        with pytest.raises(TypeError):
            wrong()


def test_tracking(robot, scene, checker, fender):
    motion = Trajectory(robot, fender[:4], times=range(4))
    limit = checker.max_tracking_error(motion)
    found, (a, b, segment) = old(".proved", lambda: tuple(limit))
    assert (found, segment) == (limit.proved, limit.segment) and {a, b} == {limit.edge.contact.a, limit.edge.contact.b}
    assert old(".proved", lambda: limit[0]) == limit.proved
    assert old("tracking_delay", lambda: checker.max_tracking_error(motion, tracking_delay=1.0)).proved is None
    late = Trajectory(robot, fender[:4], times=np.arange(4) + 3.0)
    theirs = old("tracking_delay", lambda: checker.deviation(motion, late, -2.9, tracking_delay=0.2))
    assert theirs == checker.deviation(motion, late, -2.9, TrajectoryOptions(tracking_delay=0.2)) != checker.deviation(motion, late, -2.9)


def test_errors_of_checkers(robot, scene, checker, fender):
    """They were a checker's; now they are the options' of each query, as in C++."""
    way = fender[:4]
    motion = Trajectory(robot, way, times=range(4))
    limit = checker.max_tracking_error(motion).proved
    for share, free in ((0.99, True), (1.1, False)):
        words = {"tracking_error": share * limit}
        theirs = old("EdgeOptions", lambda: PathChecker(robot, scene, **words))
        options = EdgeOptions(**words)
        assert theirs != checker and pickle.loads(pickle.dumps(theirs)) == theirs
        for one in (theirs, pickle.loads(pickle.dumps(theirs)), theirs.with_scene(scene)):
            assert same(one.check_path(way).edge, checker.check_path(way, options).edge) and one.check_path(way).free == free
            assert one.check_trajectory(motion).free == free and one.check_edges(way[:-1], way[1:]).free.all() == free
        with pytest.raises(planner_ccd.InputError, match="by the options alone"):
            theirs.check_path(way, options)
        with pytest.raises(planner_ccd.InputError, match="certificate"):
            theirs.certify(way, "none.pccd")
    by_base = old("base_error", lambda: PathChecker(robot, scene, base_error={"gripper": (1.0, 0.1)}))
    assert not by_base.is_free(way[0], way[1]) and not checker.is_free(way[0], way[1], EdgeOptions(base_error={"gripper": (1.0, 0.1)}))
    for wrong in ({"tracking_error": {"elbow?": 0.1}}, {"base_error": {"nothing": 0.1}}, {"tracking_error": -1.0}):
        with pytest.raises(planner_ccd.InputError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            PathChecker(robot, scene, **wrong)
    with pytest.raises(TypeError):
        PathChecker(robot, scene, tracking=0.1)
