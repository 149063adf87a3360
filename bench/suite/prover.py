"""Which motions of a class are free or hits, and the proof: certificates on one side, exact witnesses on the other."""

import math
import pathlib
import re
import sys
import tempfile

import numpy as np

import exact
import planner_ccd
import worlds

sys.path.insert(0, str(worlds.ROOT / "planner_ccd/certificate"))
import verify  # noqa: E402  the second verifier: Python alone, sharing no code with the library

TOGETHER = 64  # motions of one certificate: it holds the robot and the scene once
BY_PYTHON = 100  # one in so many certificates is verified by both verifiers


class Prover:
    def __init__(self, name, files):
        self.files = files
        self.robot = planner_ccd.Robot(files.urdf, files.srdf, packages=files.packages)
        self.scene = planner_ccd.Scene.load(files.scene, self.robot) if files.scene else None
        self.checker = planner_ccd.PathChecker(self.robot, self.scene)
        self.tick = worlds.TICK[worlds.CLASSES[name][3]]
        self.certificates = {"C++": 0, "Python": 0}
        self._exact = exact.World(files.urdf, files.scene, files.packages)
        self._turn = 0

    def begin(self, block):
        """Which certificates of a block both verifiers see depends on its number alone."""
        self._turn = block

    def found(self, motions):
        """For each motion the time before which it is free, and its contact or None; None if neither is known."""
        out = [None] * len(motions)
        for errors in {None if m.errors is None else m.errors.tobytes(): m.errors for m in motions}.values():
            chosen = [i for i, m in enumerate(motions) if errors is None or np.array_equal(m.errors, errors)]
            named = None if errors is None else dict(zip(self.robot.joints, map(float, errors)))
            options = planner_ccd.EdgeOptions(tracking_error=named)
            asked = planner_ccd.TrajectoryOptions(edge=options, check_limits=False)
            if motions[0].degree == 1:
                starts, ends = (np.array([motions[i].points[k] for i in chosen]) for k in (0, 1))
                results = self.checker.check_edges(starts, ends, options, first_contact=True, threads=1)
            else:
                curves = (planner_ccd.Trajectory.bezier(self.robot, motions[i].points, 0, 1) for i in chosen)
                results = [self.checker.check_trajectory(curve, asked).edge for curve in curves]
            for i, result in zip(chosen, results):
                if result.verdict is not planner_ccd.Verdict.UNDECIDED:
                    out[i] = result.t_free, result.contact
        return out

    def proved(self, motions):
        """Which of the motions have a certificate that is accepted."""
        out = []
        for first in range(0, len(motions), TOGETHER):
            out += self._proved(motions[first : first + TOGETHER])
        return out

    def _proved(self, motions):
        if not motions:
            return []
        errors = None if motions[0].errors is None else [m.errors for m in motions]
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "motions.pccd"
            made = self.checker.certify(np.array([m.points for m in motions]), file, segment_errors=errors)
            if made.proved:  # by the C++ verifier
                self.certificates["C++"] += 1
                if self._turn % BY_PYTHON == 0:
                    verify.verify([str(file)])
                    self.certificates["Python"] += 1
                self._turn += 1
                return [True] * len(motions)
        if len(motions) == 1:
            return [False]
        named = re.search(r"in segment (\d+): ", made.obstacle)
        at, left_out = (int(named[1]), [False]) if named else (len(motions) // 2, [])
        return [*self._proved(motions[:at]), *left_out, *self._proved(motions[at + len(left_out) :])]

    def settle(self, motions, found):
        """For each motion None, or (last time proved free, None, ...) or (that, first time known to be hit, bodies, how they meet,
        errors that they meet with or None)."""
        hits, known = {}, [None] * len(motions)
        todo = []  # number, time until which to prove it free, ticks to go back from there
        for i, (motion, (t_free, contact)) in enumerate(zip(motions, found)):
            if contact is None:
                todo.append((i, 1.0, None))
                continue
            hits[i] = self._witness(motion, contact)
            if hits[i] is not None:
                todo.append((i, self._before(t_free, 1), 1))
        while todo:
            proved = self.proved([motions[i].until(t) for i, t, _ in todo if t > 0.0])
            again = []
            for i, t, back in todo:
                if t <= 0.0 or proved.pop(0):
                    known[i] = (max(0.0, t), *hits.get(i, (None,) * 4))
                elif back is not None:
                    again.append((i, self._before(found[i][0], 4 * back), 4 * back))
            todo = again
        for truth in known:
            if truth is not None and truth[1] is not None and truth[1] < truth[0]:
                raise RuntimeError(f"a witness contradicts a certificate: {truth}")
        return known

    def _before(self, t, ticks):
        return self.tick * (math.floor(t / self.tick) - ticks)

    def _witness(self, motion, contact):
        """Time, bodies, how they meet, and joint errors: of an instant at which two bodies are certain to intersect."""
        if motion.errors is None:
            return self._hit_after(motion, contact, None)
        offsets = self._offsets(motion, contact)
        results = self.checker.check_edges(*(motion.points[k] + offsets for k in (0, 1)), first_contact=True, threads=1)
        with_contact = [(r.contact.t, k, r.contact) for k, r in enumerate(results) if r.contact is not None]
        for _, k, nearest in sorted(with_contact, key=lambda c: c[:2]):
            hit = self._hit_after(motion, nearest, offsets[k])
            if hit is not None:
                return hit
        return None

    def _offsets(self, motion, contact):
        """Joint errors worth trying: none; those that bring the nearest bodies nearer at some instants; and corners of the tube."""
        chosen, dof = [np.zeros(len(motion.errors))], len(motion.errors)
        draws = worlds.uniform(2026, "corners", 0, 16 * dof).reshape(16, dof)
        chosen += [np.where(u < 0.5, -motion.errors, motion.errors) for u in draws]
        for t in (contact.t, *np.arange(17) / 16.0):
            q, step = motion.at(t), 1e-4 * np.eye(dof)
            distance = self.checker.clearance(np.concatenate([q + step, q - step]), threads=1).upper
            chosen.append(np.where(distance[:dof] > distance[dof:], -motion.errors, motion.errors))
        return np.unique(chosen, axis=0)

    def _hit_after(self, motion, contact, offset):
        """The first of a few instants, at increasing distance from the contact, at which the two bodies intersect."""
        first, bodies = math.ceil(contact.t / self.tick), (contact.a, contact.b)
        for step in (0, *(2**k for k in range(18))):
            t = min(1.0, self.tick * (first + step))
            q = motion.at(t) if offset is None else motion.at(t) + offset
            how = self._exact.meet(*bodies, self._exact.frames(self.robot.joints, q, bodies))
            if how is not None:
                return t, bodies, how, offset
            if t == 1.0:
                return None
        return None

    def brief(self, motions):
        """Which motions, without errors, are proved to be free of contact at sixteen instants and the end."""
        if not motions:
            return []
        states = np.concatenate([m.at(np.arange(17) / 16.0) for m in motions])
        return list(~self.checker.in_contact(states, threads=1).reshape(len(motions), 17).any(axis=1))
