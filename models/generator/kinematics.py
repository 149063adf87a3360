"""Forward kinematics of our own robots, for pictures and for designing paths."""
import math

import numpy as np


def joint_transform(joint, value):
    pose = np.eye(4)
    pose[:3, 3] = joint.xyz
    axis = np.array([float(a) for a in joint.axis.split()])
    axis /= math.sqrt(float(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]))
    if joint.kind == "prismatic":
        pose[:3, 3] += axis * value
    elif joint.kind != "fixed":
        x, y, z = axis
        c, s = math.cos(value), math.sin(value)
        k = 1 - c
        pose[:3, :3] = [[c + x * x * k, x * y * k - z * s, x * z * k + y * s],
                        [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
                        [z * x * k - y * s, z * y * k + x * s, c + z * z * k]]
    return pose


def link_poses(robot, values, base=None):
    """World pose (4x4) of every link; joints without a value are at 0."""
    poses = {robot.links[0].name: np.eye(4) if base is None else np.asarray(base, dtype=np.float64)}
    for joint in robot.joints:
        poses[joint.child] = poses[joint.parent] @ joint_transform(joint, values.get(joint.name, 0.0))
    return poses


def parts(robot, values, colours, base=None):
    """What render() wants."""
    poses = link_poses(robot, values, base)
    return [(link.mesh, poses[link.name], colours[link.colour]) for link in robot.links if link.mesh is not None]
