"""Roadmaps, fans, suggested pairs, leaf queries; runs the examples in docstrings."""

import doctest
import inspect

import numpy as np
import pytest

import planner_ccd
from planner_ccd import InputError, Roadmap, Scene, Verdict

from test_checks import pose


def test_a_roadmap_stays_true(robot, scene, checker, fender):
    roadmap = Roadmap(robot, scene)
    assert roadmap.add(fender[:-1], fender[1:]) == 0 and roadmap.add(fender[:1], fender[2:3]) == 5
    assert len(roadmap) == 6 and repr(roadmap) == "<planner_ccd.Roadmap: 6 edges>"
    assert np.array_equal(roadmap.verdict[:5], checker.check_edges(fender[:-1], fender[1:]).verdict)
    update = roadmap.change_scene(Scene())
    assert list(update.turned) == [3, 4] and roadmap.free.all() and update.checked >= 1
    far = Scene()
    far.add_sphere("ball", 0.1, pose(50, 0, 0))
    update = roadmap.change_scene(far)
    assert update.kept_far == 6 and update.checked == 0 and not len(update.turned)
    near = Scene()
    near.add_sphere("ball", 0.1, pose(*checker.clearance(fender[0]).point_a))
    update = roadmap.change_scene(near)
    assert 0 in update.turned and roadmap.verdict[0] == Verdict.CONTACT.value
    with pytest.raises(InputError, match="starts has 1 rows, ends 2"):
        roadmap.add(fender[:1], fender[:2])
    with pytest.raises(InputError, match="6 entries"):
        roadmap.add(fender[:, :2], fender[:, :2])
    prepared = Roadmap(planner_ccd.PreparedRobot(robot), scene)
    prepared.add(fender[:-1], fender[1:])
    assert list(prepared.change_scene(Scene()).turned) == [3, 4] and prepared.free.all()


def test_a_fan_is_its_edges(checker, fender):
    fan = checker.check_fan(fender[3], fender, first_contact=True)
    edges = checker.check_edges(np.repeat(fender[3:4], 6, 0), fender, first_contact=True)
    assert np.array_equal(fan.free, edges.free) and not fan.free.all()
    assert [e.contact and (e.contact.a, e.contact.b) for e in fan] == [e.contact and (e.contact.a, e.contact.b) for e in edges]
    hit = edges[4].contact.q
    assert not checker.check_fan(hit, fender).free.any()


def test_pairs_are_suggested(root):
    bare = planner_ccd.Robot(root / "urdf/puma.urdf")
    checker = planner_ccd.PathChecker(bare)
    pairs = checker.suggest_pairs(samples=300)
    assert pairs and pairs == checker.suggest_pairs(samples=300)
    assert {p.reason for p in pairs} <= {"Never", "Always", "Default"}
    proved = {frozenset(pair) for pair in checker.proved_apart}
    for pair in pairs:
        assert {pair.a, pair.b} <= set(bare.links)
        if pair.proved:
            assert pair.reason == "Never" and frozenset((pair.a, pair.b)) in proved
    with pytest.raises(InputError, match="random configurations"):
        checker.suggest_pairs(samples=0)


STILL = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]]


def test_leaf_queries():
    start = np.array([[[0, 0, 1]] + STILL, [[5, 0, 1]] + STILL, [[0, 0, 3]] + STILL], float)
    end = np.array([[[0, 0, -1]] + STILL, [[5, 0, -1]] + STILL, [[0, 0, 1]] + STILL], float)
    answers = [planner_ccd.leaf_queries("vertex_face", start, end, leaf=leaf)
               for leaf in ("inclusion", "cubic", "space_time", "plucker")]
    for hit in answers:
        assert list(hit["verdict"]) == [1, 0, 0] and list(hit["t_hi"][1:]) == [1, 1]
        assert hit["t_lo"][0] <= 0.5 <= hit["t_hi"][0] + 1e-5
    assert np.allclose(answers[0]["point_a"][0], 0, atol=1e-5)
    assert planner_ccd.leaf_queries("vertex_face", start, end, t_max=0.4)["verdict"][0] == 0
    assert planner_ccd.leaf_queries("vertex_face", start, end, min_separation=1.5)["verdict"][2] == 1
    edges = [[[-1, 0, 1], [1, 0, 1], [0, -1, 0], [0, 1, 0]]]
    down = [[[-1, 0, -1], [1, 0, -1], [0, -1, 0], [0, 1, 0]]]
    assert planner_ccd.leaf_queries("edge_edge", edges, down)["verdict"][0] == 1
    pair = np.array([STILL + [[-1, -1, 1], [1, -1, 1], [0, 1, 1]]], float)
    moved = pair.copy()
    moved[0, 3:, 2] = -1
    both = planner_ccd.leaf_queries("triangles", np.repeat(pair, 40, 0), np.repeat(moved, 40, 0), threads=2)
    assert (both["verdict"] == 1).all() and (both == both[0]).all()
    for wrong, text in ((("corners", start, end), "kind"), (("triangles", start, end), "n x 6 x 3"),
                        (("vertex_face", start, end[:1]), "as many")):
        with pytest.raises(InputError, match=text):
            planner_ccd.leaf_queries(*wrong)
    with pytest.raises(InputError, match="tolerance"):
        planner_ccd.leaf_queries("vertex_face", start, end, tolerance=0)


def documented():
    """Every public function and class with its docstring."""
    for name in planner_ccd.__all__:
        thing = getattr(planner_ccd, name)
        if inspect.isclass(thing):
            yield name, thing.__doc__
            for member in vars(thing):
                if not member.startswith("_") or member == "__init__":
                    yield f"{name}.{member}", inspect.getdoc(getattr(thing, member))
        elif callable(thing):
            yield name, thing.__doc__


EXAMPLES = {name: text for name, text in documented() if text and ">>>" in text}


@pytest.mark.parametrize("name, text", EXAMPLES.items(), ids=EXAMPLES)
def test_examples_say_what_they_do(name, text, robot, scene, checker, fender, root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"planner_ccd": planner_ccd, "np": np, "robot": robot, "scene": scene.__copy__(), "checker": checker,
             "path": fender, "root": root}
    example = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    told = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example, out=told.append).failed == 0, "".join(told)


def test_every_function_has_an_example():
    missing = []
    for name in planner_ccd.__all__:
        thing = getattr(planner_ccd, name)
        functions = [(name, thing)] if inspect.isroutine(thing) else []
        if inspect.isclass(thing):
            functions = [(f"{name}.{m}", getattr(thing, m)) for m in vars(thing)
                         if not m.startswith("_") and callable(getattr(thing, m)) and not inspect.isclass(getattr(thing, m))]
        missing += [n for n, f in functions if ">>>" not in (f.__doc__ or "") and not isinstance(f, Verdict)]
    assert not missing
