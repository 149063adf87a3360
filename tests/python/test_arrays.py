"""Many edges and many states at once: arrays, without a loop in Python."""

import numpy as np
import pytest

from planner_ccd import EdgeResults, InputError, Verdict


@pytest.fixture(scope="module")
def edges(fender):
    random = np.random.default_rng(7)
    starts = fender[random.integers(len(fender), size=120)] + random.uniform(-0.3, 0.3, (120, 6))
    return starts, starts + random.uniform(-0.4, 0.4, (120, 6))


@pytest.fixture(scope="module")
def results(checker, edges):
    found = checker.check_edges(*edges, first_contact=True)
    assert 10 < found.free.sum() < 110
    return found


def test_arrays_say_what_the_results_say(results):
    assert results.verdict.dtype == np.uint8
    for i, edge in enumerate(results):
        assert Verdict(results.verdict[i]) == edge.verdict and results.free[i] == edge.free
        assert results.t_free[i] == edge.t_free and results.evaluations[i] == edge.evaluations


def test_contacts_are_an_array(results):
    contacts = results.contacts
    assert list(contacts["edge"]) == [i for i, e in enumerate(results) if e.contact]
    for row in contacts:
        contact = results[int(row["edge"])].contact
        for field in contacts.dtype.names[1:]:
            assert np.array_equal(row[field], getattr(contact, field)), field
    assert contacts.dtype["q"].shape == (6,)
    assert len(np.unique(contacts["a"])) > 1, "several links were hit"


def test_no_contact_is_an_empty_array(checker, fender):
    nothing = checker.check_edges(fender[:1], fender[:1]).contacts
    assert len(nothing) == 0 and nothing["q"].shape == (0, 6)
    assert checker.check_edges(np.empty((0, 6)), np.empty((0, 6))).contacts.dtype == nothing.dtype


def test_results_can_be_sliced(results):
    part = results[10:40:3]
    assert isinstance(part, EdgeResults) and len(part) == 10
    assert [e for e in part] == [results[i] for i in range(10, 40, 3)]
    assert np.array_equal(results[::-1].t_free, results.t_free[::-1])
    assert len(results[500:]) == 0 and results[-1] == results[119] and results[:] == results
    with pytest.raises(IndexError, match="there are 120 edges"):
        results[120]
    with pytest.raises(ValueError):
        results[::0]


def test_many_states_give_what_one_by_one_gives(checker, edges):
    states = np.vstack(edges)
    hits = checker.in_contact(states)
    assert hits.dtype == bool and hits.shape == (240,) and 5 < hits.sum() < 235
    near = checker.clearance(states)
    for i in range(0, 240, 7):
        assert hits[i] == checker.in_contact(states[i])
        alone = checker.clearance(states[i])
        for field in ("lower", "upper", "a", "b", "point_a", "point_b"):
            assert np.array_equal(near[field][i], getattr(alone, field)), field
    assert np.array_equal(near.lower, near["lower"]) and np.all(near.lower[~hits] > 0)
    for threads in (1, 2):
        assert np.array_equal(checker.in_contact(states, threads=threads), hits)
        assert np.array_equal(checker.clearance(states, threads=threads), near)
    assert isinstance(checker.in_contact(states[0]), bool)


def test_states_are_looked_at_before_they_are_checked(checker, fender):
    with pytest.raises(InputError, match="q: row 1 holds a number that is not finite"):
        checker.in_contact([fender[0], np.full(6, np.inf)])
    with pytest.raises(InputError, match="has 2 entries; the robot has 6"):
        checker.clearance(np.zeros((3, 2)))
    with pytest.raises(InputError, match="threads"):
        checker.in_contact(fender, threads=-1)
    with pytest.raises(InputError, match="dimension"):
        checker.in_contact(np.zeros((2, 2, 6)))
    assert len(checker.clearance(np.empty((0, 6)))) == 0
