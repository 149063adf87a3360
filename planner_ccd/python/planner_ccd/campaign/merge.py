"""One file of all shards, and how far a campaign has come."""

import io
import shutil
import tempfile
import zipfile

import numpy as np

from . import certificates, shards
from .shards import NEAR, DamagedShard, Store, canonical, columns_of, write_whole


class Refused(Exception):
    """Why there is nothing to merge. `incomplete`: shards are only missing; else something there is wrong."""

    def __init__(self, problems, incomplete):
        super().__init__("\n".join(problems))
        self.incomplete = incomplete


class Status:
    """Which shards are there, missing, damaged or given up; `others`: files that are no shards of this campaign."""

    def __init__(self, plan, store):
        self.done, self.missing, self.damaged, self.quarantined = [], [], {}, {}
        names = {}
        for shard in range(plan.shards):
            name = plan.name(shard)
            names[name] = shard
            try:
                if store.read(name) is not None:
                    self.done.append(shard)
                    continue
                self.missing.append(shard)
            except DamagedShard as error:
                self.damaged[shard] = str(error)
            why = store.note("quarantine", name)
            if why is not None:
                self.quarantined[shard] = why.get("error", "")
        here = sorted(store.shards.iterdir()) if store.shards.is_dir() else []
        self.others = [p.name for p in here if not p.name.startswith(".") and names.get(p.name.removesuffix(".npz")) is None]

    def problems(self):
        """Lines; none when all is there."""
        lines = [f"shard {s} is damaged: it {why}" for s, why in self.damaged.items()]
        lines += [f"{name}: no shard of this campaign, or of other inputs; move it away" for name in self.others]
        lines += [f"shard {s} was given up: {why}" for s, why in self.quarantined.items()]
        missing = [s for s in self.missing if s not in self.quarantined]
        if missing:
            lines.append(f"missing: {ranges(missing)}")
        return lines


def ranges(numbers):
    """1, 2, 3, 7 as '1-3, 7'."""
    parts = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def merge(plan, folder):
    """Writes merged.npz: the columns of a shard for all edges, numbered through. Returns its path."""
    store = Store(folder)
    status = Status(plan, store)
    problems = status.problems()
    if problems:
        raise Refused(problems, incomplete=not (status.damaged or status.others))
    path = store.folder / "merged.npz"
    with tempfile.TemporaryDirectory(dir=store.folder, prefix=".merge-") as scratch:
        write_whole(path, lambda file: _write(plan, store, file, scratch))
    return path


def merge_certificates(plan, folder):
    """Writes certificates.json: for each shard its number, name and index. Returns its path."""
    store, told, proved, without = Store(folder), [], 0, 0
    for shard in range(plan.shards):
        name = plan.name(shard)
        try:
            _, columns = store.read(name)
            index = certificates.read(store, name, columns)
        except DamagedShard as error:
            raise Refused([f"shard {shard} is damaged: {error}"], incomplete=False) from None
        if index is None:
            raise Refused([f"shard {shard} has no certificates; run with --certificate"], incomplete=True)
        told.append({"first": plan.range_of(shard)[0], **index})
        proved += sum(len(entry["edges"]) for entry in index["files"])
        without += len(index["without"])
    path = store.folder / "certificates.json"
    write_whole(path, canonical({"proved": proved, "without": without, "shards": told}))
    return path


def _write(plan, store, out, scratch):
    types = columns_of(plan.spec(0))  # all runs have the same options
    sparse = [name for name in types if name != "verdict"]
    spools = {name: open(f"{scratch}/{name}", "w+b") for name in sparse}
    names, merged = {}, []
    try:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            with _member(file, "verdict.npy") as verdicts:
                verdicts.write(_header(types["verdict"], plan.edges))
                rows = near_rows = at = 0
                for shard in range(plan.shards):
                    name = plan.name(shard)
                    found = store.read(name)
                    first, count = plan.range_of(shard)
                    if found is None or first != at or len(found[1]["verdict"]) != count:
                        raise Refused([f"shard {shard} is not what it was a moment ago"], incomplete=False)
                    head, columns = found
                    verdicts.write(columns["verdict"])
                    for edges in {"index", "near"} & set(types):
                        columns[edges] = columns[edges] + np.uint64(at)
                    numbers = np.array([names.setdefault(n, len(names)) for n in head["names"]] + [-1], dtype="<i4")
                    for body in {"a", "b", "near_a", "near_b"} & set(types):
                        columns[body] = numbers[columns[body]]  # -1, no body, is the last
                    for column in sparse:
                        spools[column].write(columns[column].astype(types[column]))
                    rows, at = rows + len(columns["index"]), at + count
                    near_rows += len(columns.get("near", ()))
                    merged.append(name)
            if at != plan.edges:
                raise Refused([f"{at} edges of {plan.edges}"], incomplete=False)
            for column in sparse:
                spools[column].seek(0)
                with _member(file, column + ".npy") as member:
                    member.write(_header(types[column], near_rows if column in NEAR else rows))
                    shutil.copyfileobj(spools[column], member, 1 << 20)
            with _member(file, "campaign.json") as member:
                member.write(canonical({"runs": _runs(plan), "names": list(names), "shards": merged}))
    finally:
        for spool in spools.values():
            spool.close()


def _runs(plan):
    """What the number of an edge means: runs in order, of each the samples, of each the motions, of each the edges."""
    return [
        {"name": run.name, "samples": run.samples, "motions": [[name, spec["edges"]] for name, spec in run.motions]}
        for run in plan.campaign.runs
    ]


def _member(file, name):
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member._compresslevel = 1
    member.external_attr = 0o600 << 16
    member.create_system = 3
    return file.open(member, "w", force_zip64=True)


def _header(dtype, length):
    out = io.BytesIO()
    described = {"descr": dtype, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(out, described)
    return out.getvalue()
