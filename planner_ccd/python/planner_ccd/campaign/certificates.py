"""Proofs of a shard's free edges: certificates that planner_ccd_verify and verify.py check on their own.

DIR/certificates/SHARD/ has them as 0000.pccd and so on, each of some hundred edges, a segment an edge, and index.json: of each file its
SHA-256 and the numbers of its edges within the shard, in the order of the segments; and `without`, the edges that are proved free but come
too close to be proved in this form. All bytes are a function of the shard's description.
"""

import hashlib
import json
import pathlib
import re
import secrets
import shutil
import tempfile

import numpy as np

from .shards import FREE, DamagedShard, canonical, write_whole

TOGETHER = 256  # edges of one certificate: robot and scene are in it once


def prove(checker, starts, ends, free, offset):
    """Of the free edges of a batch: (content, numbers) of certificates, and the numbers without one."""
    at = np.flatnonzero(free)
    files, without = [], []
    for first in range(0, len(at), TOGETHER):
        part = at[first : first + TOGETHER]
        made, left = _prove(checker, np.stack([starts[part], ends[part]], axis=1), [int(n) + offset for n in part])
        files += made
        without += left
    return files, without


def _prove(checker, motions, numbers):
    if not numbers:
        return [], []
    with tempfile.TemporaryDirectory(prefix="planner_ccd-") as scratch:
        file = pathlib.Path(scratch) / "edges.pccd"
        made = checker.certify(motions, file)
        if made.proved:
            return [(file.read_bytes(), numbers)], []
    if len(numbers) == 1:
        return [], numbers
    named = re.search(r"in segment (\d+): ", made.obstacle)
    at, gap = (int(named[1]), 1) if named else (len(numbers) // 2, 0)
    parts = _prove(checker, motions[:at], numbers[:at]), _prove(checker, motions[at + gap :], numbers[at + gap :])
    return parts[0][0] + parts[1][0], parts[0][1] + numbers[at : at + gap] + parts[1][1]


def keep(store, name, data, times, proofs):
    """A shard, and before it its certificates; `proofs`: None, or what `prove` found in all of its batches."""
    if proofs is not None:
        _write(store.certificates, name, *proofs)
    store.write(name, data, times)


def _write(folder, name, files, without):
    """All at once, under their final name when they are whole."""
    told = [{"file": f"{k:04d}.pccd", "sha256": hashlib.sha256(data).hexdigest(), "edges": numbers} for k, (data, numbers) in enumerate(files)]
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".{name}.{secrets.token_hex(6)}"
    try:
        for entry, (data, _) in zip(told, files):
            write_whole(temporary / entry["file"], data)
        write_whole(temporary / "index.json", canonical({"shard": name, "files": told, "without": without}))
        shutil.rmtree(folder / name, ignore_errors=True)
        temporary.rename(folder / name)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def read(store, name, columns):
    """The index of a shard's certificates; None when there is none. Every free edge is in one file or without, once, and every
    file is the one that was written."""
    folder = store.certificates / name
    try:
        index = json.loads((folder / "index.json").read_bytes())
        numbers = [n for entry in index["files"] for n in entry["edges"]] + index["without"]
        if index["shard"] != name or not np.array_equal(np.sort(numbers), np.flatnonzero(columns["verdict"] == FREE)):
            raise DamagedShard("its certificates are not of its free edges")
        for entry in index["files"]:
            data = (folder / pathlib.Path(entry["file"]).name).read_bytes()
            if hashlib.sha256(data).hexdigest() != entry["sha256"]:
                raise DamagedShard(f"its certificate {entry['file']} has been changed")
        return index
    except FileNotFoundError as error:
        if not folder.exists():
            return None
        raise DamagedShard(f"a certificate is missing: {error.filename}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedShard(f"the index of its certificates cannot be read: {error}") from None
