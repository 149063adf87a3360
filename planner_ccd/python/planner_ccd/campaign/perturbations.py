"""The same question in a world that is a little different, many times: drawn offsets, or measured ones.

    {samples: 100, seed: 7, joints: {joint2: 0.002}, objects: {table: {xyz: [0.01, 0.01, 0.002], rotation: 0.02}}}
    {measured: calibration.npz}    # joint_offsets (k x dof) and, for objects that move, pose_NAME (k x 4 x 4)
"""

import io
import math

import numpy as np
import yaml

from .. import InputError
from .inputs import is_number
from .motions import uniform


def describe(entry, robot, scene_file, folder, bundle, where):
    """The spec of a perturbation. Poses that objects have without it are written down in it."""
    if "measured" in entry:
        return _describe_measured(entry, robot, scene_file, folder, bundle, where)
    for key in set(entry) - {"samples", "seed", "joints", "objects"}:
        raise InputError(f"{where}: '{key}' is not known")
    for key, least in (("samples", 1), ("seed", 0)):
        value = entry.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InputError(f"{where}: '{key}' must be a whole number, {least} or more")
    joints = [0.0] * robot.dof
    for name, half in (entry.get("joints") or {}).items():
        if name not in robot.joints:
            raise InputError(f"{where}: the robot has no joint '{name}'; it has: {', '.join(robot.joints)}")
        joints[robot.joints.index(name)] = _half(half, f"{where}: joints: {name}")
    objects = []
    for name, way in sorted((entry.get("objects") or {}).items()):
        place = f"{where}: objects: {name}"
        if scene_file is None or not isinstance(way, dict) or set(way) - {"xyz", "rotation"}:
            raise InputError(f"{place}: needs a scene, and 'xyz' or 'rotation'")
        xyz = way.get("xyz", [0.0, 0.0, 0.0])
        if not isinstance(xyz, list) or len(xyz) != 3:
            raise InputError(f"{place}: xyz: must be three numbers")
        objects.append(
            {
                "name": name,
                "pose": _pose_in_file(scene_file, name, place).tolist(),
                "xyz": [_half(x, place) for x in xyz],
                "rotation": _half(way.get("rotation", 0.0), place),
            }
        )
    return {"kind": "drawn", "samples": entry["samples"], "seed": entry["seed"], "joints": joints, "objects": objects}


def _describe_measured(entry, robot, scene_file, folder, bundle, where):
    if set(entry) != {"measured"}:
        raise InputError(f"{where}: 'measured' stands alone")
    path = folder / entry["measured"]
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: np.ascontiguousarray(file[name], dtype="<f8") for name in sorted(file.files)}
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    lengths = {len(a) for a in arrays.values() if a.ndim}
    if len(lengths) != 1 or lengths == {0}:
        raise InputError(f"{path}: the arrays must have as many rows as there are samples, and the same number of them")
    for name, array in arrays.items():
        shape = (robot.dof,) if name == "joint_offsets" else (4, 4)
        if name != "joint_offsets" and not name.startswith("pose_"):
            raise InputError(f"{path}: '{name}' is not known; known are joint_offsets and pose_OBJECT")
        if name != "joint_offsets" and scene_file is None:
            raise InputError(f"{where}: there is no scene with objects to move")
        if array.shape[1:] != shape or not np.isfinite(array).all():
            raise InputError(f"{path}: {name} must be finite numbers, samples x {' x '.join(map(str, shape))}")
    kept = {}
    for name, array in arrays.items():
        data = io.BytesIO()
        np.save(data, array, allow_pickle=False)
        kept[name] = bundle.keep(data.getvalue(), ".npy", path)
    return {"kind": "measured", "samples": lengths.pop(), "arrays": kept}


def apply(spec, sample, scene, files):
    """Moves the objects of a scene to where they are in a sample."""
    if spec is None:
        return
    if spec["kind"] == "measured":
        for name, file in spec["arrays"].items():
            if name.startswith("pose_"):
                scene.move(name[len("pose_") :], np.load(files(file), allow_pickle=False)[sample])
        return
    for entry in spec["objects"]:
        u = 2.0 * uniform(spec["seed"], "object " + entry["name"], sample, 6) - 1.0
        pose = np.array(entry["pose"])
        w = 0.5 * entry["rotation"] * u[3:]
        turned = _rotation(1.0, *(float(x) for x in w))
        # Written out: a product of a linear algebra library may differ in its last bit from machine to machine.
        pose[:3, :3] = [
            [turned[i, 0] * pose[0, j] + turned[i, 1] * pose[1, j] + turned[i, 2] * pose[2, j] for j in range(3)]
            for i in range(3)
        ]
        pose[:3, 3] += u[:3] * np.array(entry["xyz"])
        scene.move(entry["name"], pose)


def joint_offsets(spec, sample, files):
    """What is added to every configuration, or None."""
    if spec is None:
        return None
    if spec["kind"] == "measured":
        file = spec["arrays"].get("joint_offsets")
        return None if file is None else np.load(files(file), allow_pickle=False)[sample]
    half = np.array(spec["joints"])
    return (2.0 * uniform(spec["seed"], "joints", sample, len(half)) - 1.0) * half if half.any() else None


def _half(value, where):
    if not is_number(value) or value < 0.0:
        raise InputError(f"{where}: must be a number, 0 or more: how far to either side")
    return float(value)


def _pose_in_file(file, name, where):
    """The pose of an object that stands in a scene."""
    with open(file, encoding="utf-8") as stream:
        scene = yaml.load(stream, Loader=yaml.BaseLoader) or {}  # numbers as text: not every one is read as YAML 1.1
    for entry in scene.get("objects") or []:
        if entry.get("name") == name:
            return _pose(entry.get("pose") or {})
    raise InputError(f"{where}: no such object stands in {file}")


def _pose(entry):
    pose = np.eye(4)
    pose[:3, 3] = [float(x) for x in entry.get("xyz", (0, 0, 0))]
    if "quaternion" in entry:
        x, y, z, w = (float(v) for v in entry["quaternion"])
        pose[:3, :3] = _rotation(w, x, y, z)
        return pose
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(float(a)), math.sin(float(a))) for a in entry.get("rpy", (0, 0, 0)))
    pose[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return pose


def _rotation(w, x, y, z):
    n = w * w + x * x + y * y + z * z
    return np.array(
        [
            [1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
            [2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n],
            [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n],
        ]
    )
