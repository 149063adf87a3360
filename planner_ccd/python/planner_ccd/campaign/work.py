"""Checking shards: what a worker does. Robots and scenes are loaded and prepared once in each process."""

import collections
import pathlib
import platform
import tempfile
import threading
import time

import numpy as np

from .. import InputError, PathChecker, PreparedRobot
from . import certificates, clearances, perturbations, shards
from .config import open_robot, open_scene, query_of
from .motions import motion_of

_BATCH = 65536  # edges checked at a time: bounds the memory of a shard
_WORLDS = 8  # perturbed scenes kept in memory

_installed = {}
_lock = threading.Lock()


class Inputs:
    """A bundle on this machine, with everything that was made of it."""

    def __init__(self, bundle):
        self._folder = tempfile.TemporaryDirectory(prefix="planner_ccd-")
        bundle.unpack(self._folder.name)
        self._places = bundle.places
        self._robots, self._motions, self._checkers = {}, {}, collections.OrderedDict()
        self._lock = threading.Lock()

    def file(self, name):
        return pathlib.Path(self._places.get(name) or pathlib.Path(self._folder.name) / name)

    def motion(self, spec):
        key = shards.canonical(spec)
        with self._lock:
            if key not in self._motions:
                self._motions[key] = motion_of(spec, self.file)
            return self._motions[key]

    def checker(self, run, sample):
        """PathChecker and joint offsets of a sample."""
        world = {k: run[k] for k in ("robot", "scene", "options", "perturbation")}
        key = (shards.canonical(world), sample)
        with self._lock:
            if key not in self._checkers:
                self._checkers[key] = self._make(run, sample)
            self._checkers.move_to_end(key)
            while len(self._checkers) > _WORLDS:
                self._checkers.popitem(last=False)
            return self._checkers[key]

    def _make(self, run, sample):
        options = run["options"]
        margins = {"margin": options["margin"], "self_margin": options["self_margin"]}
        key = shards.canonical([run["robot"], margins, options["cell_evaluations"]])
        if key not in self._robots:
            robot = open_robot(run["robot"], self._folder.name)
            prepared = PreparedRobot(robot, cell_evaluations=options["cell_evaluations"], **margins)
            self._robots[key] = robot, prepared
        robot, prepared = self._robots[key]
        scene = open_scene(run["scene"], self._folder.name, robot)
        if scene is not None:
            perturbations.apply(run["perturbation"], sample, scene, self.file)
        return PathChecker(prepared, scene, **margins), perturbations.joint_offsets(run["perturbation"], sample, self.file)


def install(bundle):
    """Makes a bundle known to this process; its digest is what tasks call it."""
    with _lock:
        if bundle.digest not in _installed:
            _installed[bundle.digest] = Inputs(bundle)


def installed(digest):
    with _lock:
        if digest not in _installed:
            raise RuntimeError("this worker has not been given the campaign's files")
        return _installed[digest]


def run_shard(spec, inputs, threads=1, certificate=False):
    """The bytes of a shard's file; how long it took: by the clock, of the processor, and of that in check_edges; and what
    certificates.write takes, or None. All but the times depends on `spec` alone."""
    for what, own in shards.VERSIONS.items():
        if spec.get(what) != own:
            raise InputError(f"the shard is for a planner_ccd whose {what} is {spec.get(what)}; here it is {own}")
    began, processor, checking = time.perf_counter(), time.process_time(), 0.0
    answers, nearest, offset, proofs = [], [], 0, ([], []) if certificate else None
    for run_index, sample, motion_index, first, count in spec["pieces"]:
        run = spec["runs"][run_index]
        motion = inputs.motion(run["motions"][motion_index][1])
        checker, offsets = inputs.checker(run, sample)
        if certificate and run["options"]["angles"] != "literal":
            raise InputError(f"{run['name']}: certificates are of literal angles; leave out --certificate, or 'angles: wrap'")
        of_piece = []
        for at in (first, *range(first - first % _BATCH + _BATCH, first + count, _BATCH)):  # whole blocks of motions, but at the ends
            starts, ends = motion.rows(at, min(_BATCH - at % _BATCH, first + count - at))
            if offsets is not None:
                starts, ends = starts + offsets, ends + offsets
            before = time.process_time()
            results = checker.check_edges(starts, ends, threads=threads, **query_of(run["options"]))
            checking += time.process_time() - before
            answers.append(_answers(results, len(starts), offset))
            if "clearance" in run["options"]:
                of_piece.append(clearances.least(checker, starts, ends, results.free, offset, run["options"], threads))
            if certificate:
                for all_parts, part in zip(proofs, certificates.prove(checker, starts, ends, results.free, offset)):
                    all_parts += part
            offset += len(starts)
        nearest += sorted(found for found in of_piece if found is not None)[:1]
    data = shards.encode(spec, *_columns(spec, answers, nearest))
    took = {"seconds": time.perf_counter() - began, "processor": time.process_time() - processor, "checking": checking}
    return data, {**took, "host": platform.node()}, proofs


def _answers(results, count, offset):
    """Columns of one batch, and the names that its bodies are numbers in."""
    if len(results) != count:
        raise RuntimeError(f"{count} edges were asked about, {len(results)} answered")
    *columns, names = results._shard_columns()
    columns = dict(zip(shards.COLUMNS, columns))
    columns["index"] += np.uint64(offset)
    return columns, names


def _columns(spec, answers, nearest):
    """Columns of a shard, and the names that numbers in them stand for."""
    names = sorted({name for _, own in answers for name in own} | {name for found in nearest for name in (found.a, found.b) if name})
    for columns, own in answers:
        numbers = np.array([*(names.index(name) for name in own), -1])  # the last for those without a contact
        for body in ("a", "b"):
            columns[body] = numbers[columns[body]]
    joined = {name: np.concatenate([columns[name] for columns, _ in answers]) for name in shards.COLUMNS}
    number = {"": -1, **{name: k for k, name in enumerate(names)}}
    for name, field in zip(shards.NEAR, ("edge", "lower", "upper", "t", "a", "b")):
        values = [getattr(found, field) for found in nearest]
        joined[name] = [number[value] for value in values] if field in "ab" else values
    return {name: np.asarray(joined[name], dtype=dtype) for name, dtype in shards.columns_of(spec).items()}, names
