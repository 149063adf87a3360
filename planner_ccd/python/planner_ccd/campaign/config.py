"""A campaign file: read, checked, and turned into plain data that names its inputs by their hashes."""

import dataclasses
import pathlib
import tempfile

import yaml

from .. import EdgeOptions, InputError, PathChecker, Robot, Scene
from . import clearances, motions, perturbations
from .inputs import Bundle, Loader, is_number

_OPTIONS = {
    "margin": 0.0,
    "self_margin": 0.0,
    "cell_evaluations": 10000,
    "first_contact": True,
    "tolerance": 1e-4,
    "max_evaluations": 1000000,
    "angles": "literal",
    "method": "taylor",
    "leaf": "inclusion",
}
_CHUNK = 100000
_MOTION_KEYS = {"path", "edges", "roadmap", "random"}


@dataclasses.dataclass(frozen=True)
class Run:
    """A robot in a scene, perturbed or not, and what it is asked about. `spec` and those of the motions are plain data."""

    name: str
    spec: dict
    motions: tuple  # of (name, spec)

    @property
    def samples(self):
        return 1 if self.spec["perturbation"] is None else self.spec["perturbation"]["samples"]

    @property
    def edges_per_sample(self):
        return sum(spec["edges"] for _, spec in self.motions)


@dataclasses.dataclass(frozen=True)
class Campaign:
    name: str
    chunk: int
    runs: tuple
    bundle: Bundle
    warnings: tuple

    @property
    def edges(self):
        return sum(run.samples * run.edges_per_sample for run in self.runs)


def load(file):
    """The campaign of a YAML file. Robots and scenes are loaded once, so that what is wrong with them is said here."""
    file = pathlib.Path(file)
    try:
        with open(file, encoding="utf-8") as stream:
            data = yaml.load(stream, Loader=Loader)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}") from None
    with tempfile.TemporaryDirectory(prefix="planner_ccd-") as staged:
        try:
            return _Reader(file, pathlib.Path(staged)).read(data)
        except (TypeError, AttributeError, KeyError) as error:  # a list where a map should be, and the like
            raise InputError(f"{file}: is not a campaign file ({type(error).__name__}: {error})") from None


class _Reader:
    def __init__(self, file, staged):
        self._file, self._folder, self._staged = file, file.absolute().parent, staged
        self._bundle = Bundle()
        self._robots, self._scenes, self._warnings = {}, {}, []

    def read(self, data):
        self._keys("the campaign", data, {"robots", "motions", "runs"}, {"campaign", "options", "chunk", "scenes", "perturbations"})
        self._options = self._read_options(self._map(data, "options"))
        chunk = self._whole("chunk", data.get("chunk", _CHUNK))
        for name, entry in self._map(data, "robots").items():
            self._robots[name] = self._robot(f"robots: {name}", entry)
        for name, entry in self._map(data, "scenes").items():
            self._scenes[name] = self._scene(f"scenes: {name}", entry)
        names = set()
        runs = []
        for index, entry in enumerate(data["runs"]):
            where = f"runs: entry {index + 1}"
            self._keys(where, entry, {"name", "robot", "motions"}, {"scene", "perturbation"})
            if str(entry["name"]) in names:
                self._fail(where, f"there is already a run '{entry['name']}'")
            names.add(str(entry["name"]))
            runs.append(self._run(where, entry, data))
        if not runs:
            self._fail("runs", "there is none")
        return Campaign(str(data.get("campaign", self._file.stem)), chunk, tuple(runs), self._bundle, tuple(self._warnings))

    def _read_options(self, given):
        self._keys("options", given, set(), {*_OPTIONS, "clearance"})
        for key, value in given.items():
            if key == "clearance":  # has no default: without it, descriptions of shards do not mention it
                if not is_number(value) or value <= 0.0:
                    self._fail("options: clearance", "must be a number above 0")
                given[key] = float(value)
                continue
            default = _OPTIONS[key]
            if isinstance(default, float):
                if not is_number(value) or value < 0.0:
                    self._fail(f"options: {key}", "must be a number, 0 or more")
                given[key] = float(value)
            elif type(value) is not type(default):
                self._fail(f"options: {key}", f"must be like {default!r}")
        if "clearance" in given and given.get("angles", "literal") != "literal":
            self._fail("options: clearance", "is of literal angles; leave out 'clearance', or 'angles: wrap'")
        return {**_OPTIONS, **given}

    def _robot(self, where, entry):
        self._keys(where, entry, {"urdf"}, {"srdf", "packages", "use_visual", "dae_up_axis"})
        packages = {n: self._folder / p for n, p in self._map(entry, "packages").items()}
        spec = {
            "urdf": self._bundle.add_urdf(self._folder / entry["urdf"], packages),
            "srdf": self._bundle.add(self._folder / entry["srdf"]) if "srdf" in entry else None,
            "use_visual": bool(entry.get("use_visual", False)),
            "dae_up_axis": entry.get("dae_up_axis", "ignore"),
        }
        self._bundle.unpack(self._staged)
        robot = self._loaded(where, lambda: open_robot(spec, self._staged))
        self._warn(robot.warnings)
        return spec, robot

    def _warn(self, warnings):
        told = (self._bundle.explain(warning) for warning in warnings)
        self._warnings += [warning for warning in told if warning not in self._warnings]

    def _scene(self, where, entry):
        entry = {"file": entry} if isinstance(entry, str) else entry
        self._keys(where, entry, {"file"}, {"packages", "dae_up_axis"})
        packages = {n: self._folder / p for n, p in self._map(entry, "packages").items()}
        file = self._folder / entry["file"]
        spec = {"file": self._bundle.add_scene(file, packages), "dae_up_axis": entry.get("dae_up_axis", "ignore")}
        self._bundle.unpack(self._staged)
        return spec, file

    def _run(self, where, entry, data):
        robot_spec, robot = self._named(where, "robot", entry["robot"], self._robots)
        scene_spec, scene_file = self._named(where, "scene", entry.get("scene"), {None: (None, None), **self._scenes})
        perturbation = None
        if entry.get("perturbation") is not None:
            described = self._named(where, "perturbation", entry["perturbation"], self._map(data, "perturbations"))
            place = f"{self._file}: perturbations: {entry['perturbation']}"
            perturbation = perturbations.describe(described, robot, scene_file, self._folder, self._bundle, place)
        spec = {"robot": robot_spec, "scene": scene_spec, "options": self._options, "perturbation": perturbation}
        self._bundle.unpack(self._staged)
        self._try(where, spec, robot)
        motions_of_run = []
        for name in entry["motions"]:
            described = self._named(where, "motion", name, self._map(data, "motions"))
            place = f"motions: {name}"
            self._check_motion(place, described)
            if any(name == other for other, _ in motions_of_run):
                self._fail(where, f"'{name}' is named twice")
            try:
                motion = motions.describe(described, robot, self._folder, self._bundle, f"{self._file}: {place}")
            except InputError as error:
                raise InputError(self._bundle.explain(str(error))) from None
            motions_of_run.append((name, motion))
        if not motions_of_run:
            self._fail(where, "it has no motions")
        return Run(str(entry["name"]), spec, tuple(motions_of_run))

    def _try(self, where, spec, robot):
        """A checker as workers will make it, with options as they will use them."""
        options = spec["options"]

        def attempt():
            scene = open_scene(spec["scene"], self._staged, robot)
            if scene is not None:
                self._warn(scene.warnings)
                perturbations.apply(spec["perturbation"], 0, scene, lambda name: self._staged / name)
            checker = PathChecker(
                robot, scene, margin=options["margin"], self_margin=options["self_margin"], cell_evaluations=0
            )
            if checker.checks_nothing:
                raise InputError("no pair of bodies is left to check, so that every edge would count as free")
            checker.check_edges([robot.neutral()], [robot.neutral()], **query_of(options))
            if "clearance" in options:
                clearances.bounds(checker, robot, robot.neutral(), robot.neutral(), options)

        self._loaded(where, attempt)

    def _check_motion(self, where, entry):
        kinds = _MOTION_KEYS & set(entry)
        if len(kinds) != 1 or len(entry) != 1:
            self._fail(where, f"needs exactly one of: {', '.join(sorted(_MOTION_KEYS))}")
        if "roadmap" in entry:
            self._keys(where, entry["roadmap"], {"vertices", "edges"}, set())
        if "random" in entry:
            random = entry["random"]
            self._keys(where, random, {"seed", "edges"}, {"length", "near", "spread"})
            self._whole(f"{where}: seed", random["seed"], least=0)
            self._whole(f"{where}: edges", random["edges"])
            for key in ("length", "spread"):
                if key in random and not (is_number(random[key]) and random[key] > 0.0):
                    self._fail(f"{where}: {key}", "must be a number above 0")

    def _named(self, where, what, name, known):
        if name not in known:
            self._fail(where, f"there is no {what} '{name}'; there are: {', '.join(str(k) for k in known if k)}")
        return known[name]

    def _loaded(self, where, load_it):
        try:
            return load_it()
        except (InputError, TypeError) as error:
            raise InputError(f"{self._file}: {where}: {self._bundle.explain(str(error))}") from None

    def _keys(self, where, entry, needed, more):
        if not isinstance(entry, dict):
            self._fail(where, "must be a map")
        for key in needed - set(entry):
            self._fail(where, f"'{key}' is missing")
        for key in set(entry) - needed - more:
            self._fail(where, f"'{key}' is not known; known are: {', '.join(sorted(needed | more))}")

    def _map(self, data, key):
        value = data.get(key) or {}
        if not isinstance(value, dict):
            self._fail(key, "must be a map")
        return value

    def _whole(self, where, value, least=1):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self._fail(where, f"must be a whole number, {least} or more")
        return value

    def _fail(self, where, what):
        raise InputError(f"{self._file}: {where}: {what}")


def open_robot(spec, folder):
    folder = pathlib.Path(folder)
    srdf = None if spec["srdf"] is None else folder / spec["srdf"]
    return Robot(folder / spec["urdf"], srdf, use_visual=spec["use_visual"], dae_up_axis=spec["dae_up_axis"])


def open_scene(spec, folder, robot):
    if spec is None:
        return None
    return Scene.load(pathlib.Path(folder) / spec["file"], robot, dae_up_axis=spec["dae_up_axis"])


def query_of(options):
    """Keyword arguments of check_edges."""
    search = EdgeOptions(**{k: options[k] for k in ("tolerance", "max_evaluations", "angles", "method", "leaf")})
    return {"options": search, "first_contact": options["first_contact"]}
