"""Robots as data, written as URDF and SRDF. Meshes are named relative to the urdf/ folder; no ROS is needed."""
from dataclasses import dataclass, field

from .mesh import glb_bytes, stl_bytes

HEAD = ['<?xml version="1.0"?>', "<!-- Made by models/generate.py: change it there. -->"]
STL_TRIANGLES = 400  # links up to this size are written as STL, larger ones as the more compact GLB

COLOURS = {"cream": "0.85 0.82 0.72 1", "grey": "0.45 0.47 0.5 1", "dark": "0.2 0.2 0.22 1", "white": "0.9 0.9 0.92 1",
           "orange": "0.9 0.45 0.1 1", "skin": "0.86 0.68 0.55 1", "blue": "0.25 0.4 0.65 1", "red": "0.7 0.15 0.12 1"}


@dataclass
class Link:
    name: str
    mesh: object = None  # None: no geometry
    colour: str = "grey"


@dataclass
class Joint:
    name: str
    parent: str
    child: str
    xyz: tuple = (0, 0, 0)
    axis: str = "0 0 1"
    limits: tuple = None
    velocity: float = 0
    effort: float = 0
    kind: str = "revolute"


@dataclass
class Robot:
    name: str
    links: list
    joints: list
    states: dict = field(default_factory=dict)
    groups: dict = field(default_factory=dict)
    never: list = field(default_factory=list)  # pairs that no pose within the limits brings together

    def adjacent(self):
        """Pairs of links with geometry that one joint connects, or a chain through links without geometry."""
        solid = {link.name for link in self.links if link.mesh is not None}
        parent = {joint.child: joint.parent for joint in self.joints}
        pairs = []
        for link in self.links:
            above = parent.get(link.name)
            while above is not None and above not in solid:
                above = parent.get(above)
            if link.name in solid and above is not None:
                pairs.append((above, link.name))
        return pairs


def number(x):
    """Shortest decimal of at most nine places, never '-0'."""
    text = f"{x:.9f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def vector(values):
    return " ".join(number(v) for v in values)


def mesh_file(robot, link):
    """Relative to models/meshes."""
    suffix = "stl" if len(link.mesh) <= STL_TRIANGLES else "glb"
    return f"{robot.name}/{link.name}.{suffix}"


def mesh_bytes(name, mesh):
    return stl_bytes(mesh) if name.endswith(".stl") else glb_bytes(mesh)


def urdf_text(robot):
    lines = HEAD + [f'<robot name="{robot.name}">']
    used = [name for name in COLOURS if any(link.mesh is not None and link.colour == name for link in robot.links)]
    lines += [f'  <material name="{name}"><color rgba="{COLOURS[name]}"/></material>' for name in used]
    for link in robot.links:
        if link.mesh is None:
            lines.append(f'  <link name="{link.name}"/>')
            continue
        mesh = f'<geometry><mesh filename="../models/meshes/{mesh_file(robot, link)}"/></geometry>'
        lines += [f'  <link name="{link.name}">', f'    <visual>{mesh}<material name="{link.colour}"/></visual>',
                  f"    <collision>{mesh}</collision>", "  </link>"]
    for joint in robot.joints:
        lines += [f'  <joint name="{joint.name}" type="{joint.kind}">', f'    <parent link="{joint.parent}"/>',
                  f'    <child link="{joint.child}"/>', f'    <origin xyz="{vector(joint.xyz)}" rpy="0 0 0"/>']
        if joint.kind != "fixed":
            lines.append(f'    <axis xyz="{joint.axis}"/>')
            lines.append(f'    <limit lower="{number(joint.limits[0])}" upper="{number(joint.limits[1])}"'
                         f' effort="{number(joint.effort)}" velocity="{number(joint.velocity)}"/>')
        lines.append("  </joint>")
    return "\n".join(lines + ["</robot>", ""])


def srdf_text(robot):
    lines = HEAD + [f'<robot name="{robot.name}">']
    for group, joints in robot.groups.items():
        lines.append(f'  <group name="{group}">')
        lines += [f'    <joint name="{name}"/>' for name in joints]
        lines.append("  </group>")
    first = next(iter(robot.groups), None)
    for state, values in robot.states.items():
        lines.append(f'  <group_state name="{state}" group="{first}">')
        lines += [f'    <joint name="{name}" value="{number(value)}"/>' for name, value in values.items()]
        lines.append("  </group_state>")
    reasons = [(pair, "Adjacent") for pair in robot.adjacent()] + [(pair, "Never") for pair in robot.never]
    lines += [f'  <disable_collisions link1="{a}" link2="{b}" reason="{reason}"/>' for (a, b), reason in reasons]
    return "\n".join(lines + ["</robot>", ""])
