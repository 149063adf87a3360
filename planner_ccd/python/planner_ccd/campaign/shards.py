"""What a campaign is cut into, and the files that hold the answers.

A shard is a range of a campaign's edges. Its description (`spec`) names all that the answers depend on: the version, the
options, the hashes of robots, scenes, perturbations and motions, and the range. The SHA-256 of that is the shard's name.
Its file is an .npz: columns, deflated but for distances, that numpy.load reads, and the description.

    verdict   one byte an edge: 1 free, 2 contact, 3 undecided; 0, which no file may hold, is an edge nobody checked
    index     which edges are not free; the columns below have a row for each of these
    t_free    proved free before this time
    t, distance, a, b    of the contact: time, metres, bodies as numbers in `names`; nan and -1 without one

With the option `clearance`, also a row for each piece (consecutive edges of one motion of one sample) that has a free edge:

    near                    which of its free edges comes nearest to anything: the one with the least bounds
    near_lower, near_upper  metres: no free edge of the piece comes nearer than the first; this one comes as near as the second
    near_t, near_a, near_b  when, and which bodies; nan and -1, and an infinite near_upper, where no distance was measured
"""

import dataclasses
import hashlib
import io
import json
import os
import pathlib
import secrets
import zipfile
import zlib

import numpy as np

from .. import InputError, __version__
from .._core import _stored
from .inputs import sha256

FREE, CONTACT, UNDECIDED = 1, 2, 3
VERDICTS = {FREE: "free", CONTACT: "contact", UNDECIDED: "undecided"}
COLUMNS = {"verdict": "|u1", "index": "<u8", "t_free": "<f8", "t": "<f8", "distance": "<f8", "a": "<i4", "b": "<i4"}
NEAR = {"near": "<u8", "near_lower": "<f8", "near_upper": "<f8", "near_t": "<f8", "near_a": "<i4", "near_b": "<i4"}
_STORED = {"distance.npy"}  # deflating takes half of the time of all columns there, and saves a thirtieth
VERSIONS = {"version": __version__, "format": _stored["shards"], "proof": _stored["verdicts"]}


class DamagedShard(Exception):
    """A file that is not the shard that it should be. The message says why."""


def canonical(data):
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


@dataclasses.dataclass(frozen=True)
class Piece:
    """Consecutive edges of one motion of one sample of a run."""

    run: int
    sample: int
    motion: int
    first: int
    count: int


class Plan:
    """The shards of a campaign, by number. Nothing in it grows with the number of edges."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.edges = campaign.edges
        self.shards = -(-self.edges // campaign.chunk)

    def range_of(self, shard):
        first = shard * self.campaign.chunk
        return first, min(self.campaign.chunk, self.edges - first)

    def pieces(self, first, count):
        """The edges from number `first`, in order."""
        at = 0
        for r, run in enumerate(self.campaign.runs):
            per_sample, end = run.edges_per_sample, at + run.samples * run.edges_per_sample
            while count and first < end:
                sample, rest = divmod(first - at, per_sample)
                for m, (_, motion) in enumerate(run.motions):
                    if rest < motion["edges"]:
                        break
                    rest -= motion["edges"]
                taken = min(count, motion["edges"] - rest)
                yield Piece(r, sample, m, rest, taken)
                first, count = first + taken, count - taken
            at = end

    def spec(self, shard):
        """Plain data; only what this shard depends on, so that a campaign may grow and keep what is done."""
        runs, pieces = {}, []
        for piece in self.pieces(*self.range_of(shard)):
            run = self.campaign.runs[piece.run]
            told = runs.setdefault(run.name, {"name": run.name, **run.spec, "motions": []})
            motion = list(run.motions[piece.motion])
            if motion not in told["motions"]:
                told["motions"].append(motion)
            numbers = list(runs).index(run.name), told["motions"].index(motion)
            pieces.append([numbers[0], piece.sample, numbers[1], piece.first, piece.count])
        runs = list(runs.values())
        return {**VERSIONS, "runs": runs, "pieces": pieces}

    def name(self, shard):
        return name_of(self.spec(shard))


def name_of(spec):
    return sha256(canonical(spec))


def edges_of(spec):
    return sum(piece[-1] for piece in spec["pieces"])


def columns_of(spec):
    """Names and types of the columns of a shard."""
    return {**COLUMNS, **NEAR} if any("clearance" in run["options"] for run in spec["runs"]) else COLUMNS


def encode(spec, columns, names):
    """The bytes of a shard's file: a function of the arguments alone."""
    head = {"spec": spec, "names": names}
    head["content"] = _content(head, columns)
    check(head, columns)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        _put(file, "shard.json", canonical(head))
        for name in columns_of(spec):
            data = io.BytesIO()
            np.lib.format.write_array(data, columns[name], version=(1, 0), allow_pickle=False)
            _put(file, name + ".npy", data.getvalue())
    return out.getvalue()


def decode(data, name):
    """Description and columns of the shard `name`; raises DamagedShard for anything else."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            members = file.namelist()
            head = json.loads(file.read("shard.json")) if members[:1] == ["shard.json"] else None
            if head is None or members[1:] != [column + ".npy" for column in columns_of(head["spec"])]:
                raise DamagedShard("does not hold what a shard holds")
            columns = {}
            for column in columns_of(head["spec"]):
                columns[column] = np.lib.format.read_array(io.BytesIO(file.read(column + ".npy")), allow_pickle=False)
        if set(head) != {"spec", "names", "content"}:
            raise DamagedShard("its description is not that of a shard")
        if name_of(head["spec"]) != name:
            raise DamagedShard("is of other inputs, options or edges than its name says")
        if _content({k: head[k] for k in ("spec", "names")}, columns) != head["content"]:
            raise DamagedShard("has been changed: its content has another hash")
        check(head, columns)
        return head, columns
    except DamagedShard:
        raise
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, EOFError, OSError, NotImplementedError,
            RuntimeError) as error:
        raise DamagedShard(f"cannot be read: {error}") from None


def check(head, columns):
    """Every edge has a verdict, and each that is not free its row; each piece with free edges has its nearest one, if asked for."""
    for name, dtype in columns_of(head["spec"]).items():
        if columns[name].dtype.str != dtype or columns[name].ndim != 1:
            raise DamagedShard(f"column '{name}' is not of its type")
    verdict, index = columns["verdict"], columns["index"]
    if len(verdict) != edges_of(head["spec"]):
        raise DamagedShard("does not have a verdict for every edge")
    if len(verdict) and not (verdict.min() >= FREE and verdict.max() <= UNDECIDED):
        raise DamagedShard("holds edges that nobody checked")
    if not np.array_equal(index, np.flatnonzero(verdict != FREE).astype("<u8")):
        raise DamagedShard("its rows are not those of the edges that are not free")
    if any(len(columns[c]) != len(index) for c in COLUMNS if c != "verdict"):
        raise DamagedShard("its columns differ in length")
    contact = verdict[index.astype(np.int64)] == CONTACT
    t_free, t, a, b = (columns[c] for c in ("t_free", "t", "a", "b"))
    bodies = (a >= 0) & (b >= 0) & (a < len(head["names"])) & (b < len(head["names"]))
    if not np.all((t_free >= 0) & (t_free <= 1)) or not np.all(np.where(contact, (t >= 0) & (t <= 1) & bodies, np.isnan(t))):
        raise DamagedShard("holds times or bodies that cannot be")
    if "near" in columns:
        _check_near(head, columns)


def _check_near(head, columns):
    near, lower, upper, t, a, b = (columns[name] for name in NEAR)
    if any(len(columns[name]) != len(near) for name in NEAR):
        raise DamagedShard("its columns differ in length")
    free = columns["verdict"] == FREE
    ends = np.cumsum([piece[-1] for piece in head["spec"]["pieces"]])
    so_far = np.concatenate([[0], np.cumsum(free)])  # free edges before each
    wanted = np.flatnonzero(np.diff(so_far[ends], prepend=0))  # pieces with one
    if not (np.all(near < len(free)) and np.all(free[near.astype(np.int64)])
            and np.array_equal(np.searchsorted(ends, near.astype(np.int64), side="right"), wanted)):
        raise DamagedShard("its nearest edges are not one free edge of each piece")
    bodies = (a >= 0) & (b >= 0) & (a < len(head["names"])) & (b < len(head["names"])) & (t >= 0) & (t <= 1) & np.isfinite(upper)
    nothing = (a == -1) & (b == -1) & np.isnan(t) & np.isposinf(upper)
    if not np.all((lower >= 0) & (lower <= upper) & (bodies | nothing)):
        raise DamagedShard("holds clearances that cannot be")


class Store:
    """The folder of a campaign's results. Only whole files ever have their final names."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.shards, self.certificates = self.folder / "shards", self.folder / "certificates"

    def path(self, name):
        return self.shards / (name + ".npz")

    def read(self, name):
        """The shard's description and columns; None when it is not there."""
        try:
            data = self.path(name).read_bytes()
        except FileNotFoundError:
            return None
        return decode(data, name)

    def write(self, name, data, times):
        decode(data, name)
        write_whole(self.path(name), data)
        write_whole(self.folder / "times" / (name + ".json"), canonical(times), durable=False)
        (self.folder / "quarantine" / (name + ".json")).unlink(missing_ok=True)

    def quarantine(self, name, why):
        write_whole(self.folder / "quarantine" / (name + ".json"), canonical(why))

    def note(self, kind, name):
        """What stands beside a shard, in `times` or `quarantine`; None: nothing that can be read."""
        try:
            return json.loads((self.folder / kind / (name + ".json")).read_bytes())
        except (OSError, ValueError):
            return None


def write_whole(path, data, durable=True):
    """Under a temporary name, to the disk, then renamed. `data`: bytes, or a function that writes to a file. `durable`: the disk
    is waited for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(6)}"
    try:
        with open(temporary, "xb") as file:
            data(file) if callable(data) else file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if not durable:
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _put(file, name, data):
    member = zipfile.ZipInfo(name)  # dated 1980, whenever it is made
    member.compress_type = zipfile.ZIP_STORED if name in _STORED else zipfile.ZIP_DEFLATED
    member.external_attr = 0o600 << 16
    member.create_system = 3
    file.writestr(member, data, compresslevel=1)


def _content(head, columns):
    digest = hashlib.sha256(canonical(head))
    for name in columns_of(head["spec"]):
        digest.update(f"{name} {columns[name].dtype.str} {len(columns[name])}\n".encode())
        digest.update(np.ascontiguousarray(columns[name]))
    return digest.hexdigest()
