import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Path = str | os.PathLike[str]
_Angles = Literal["literal", "wrap"]
_UpAxis = Literal["ignore", "honour"]
_Method = Literal["taylor", "c2a", "hca", "catch", "undirected"]
_Leaf = Literal["inclusion", "cubic", "space_time", "plucker"]
_BroadPhase = Literal["tree", "sweep_and_prune", "box_tree"]
_Vector = NDArray[np.float64]
_Records = NDArray[np.void]

class InputFile:
    """A file that robot, scene or motion were read from."""
    @property
    def role(self) -> str:
        """'robot', 'srdf', 'scene', 'path', 'limits', 'mesh', 'scan', ..."""
    @property
    def path(self) -> str:
        """Where it was."""
    @property
    def size(self) -> int:
        """In bytes."""
    @property
    def sha256(self) -> str:
        """In hex, of the bytes that were read."""

class InputWarning(str):
    """Something about an input that a person should look at: a text with a kind.

    kind: 'implausible_size', 'not_read', 'no_geometry', ...: `planner_ccd help kinds` lists them. The check is of what the files
    say, which may not be what was meant.
    """
    kind: str
    def __new__(cls, text: str, kind: str) -> InputWarning: ...

class InputError(ValueError):
    """Input that cannot be used; the message names the file or argument, the element in it and the remedy."""

class Verdict(Enum):
    """What is known of a motion; arrays hold the values.

    FREE (0): proved, clearance > margin everywhere. CONTACT (1): clearance <= margin + tolerance at the witness.
    UNDECIDED (2): the budget was spent; a planner must reject the edge.
    """
    FREE = 0
    CONTACT = 1
    UNDECIDED = 2

class Robot:
    """A robot from a URDF: links with their collision geometry, joints, rules."""
    def __init__(
        self,
        urdf: _Path,
        srdf: _Path | None = None,
        *,
        packages: Mapping[str, _Path] = {},
        package_paths: Sequence[_Path] = [],
        use_visual: bool = False,
        dae_up_axis: _UpAxis = "ignore",
    ) -> None:
        """Load a URDF and, for the pairs that need no checking, its SRDF.

        packages: where package://NAME/ is, by name. package_paths: folders in which packages lie by name.
        use_visual: links without collision geometry take their visual geometry.
        dae_up_axis: 'ignore' that of DAE files, as RViz does, or 'honour' it.
        Raises InputError for anything that would make a verdict meaningless.
        """
    @staticmethod
    def from_string(
        urdf: str,
        srdf: str | None = None,
        *,
        folder: _Path = ".",
        packages: Mapping[str, _Path] = {},
        package_paths: Sequence[_Path] = [],
        use_visual: bool = False,
        dae_up_axis: _UpAxis = "ignore",
    ) -> Robot:
        """The same from the texts themselves. folder: where relative mesh files lie.

            >>> planner_ccd.Robot.from_string('<robot name="post"><link name="post"/></robot>')
            <planner_ccd.Robot 'post': 1 links, 0 coordinates>
        """
    @staticmethod
    def combine(robots: Mapping[str, Robot], bases: Mapping[str, ArrayLike] = {}) -> Robot:
        """Several robots as one, in one world. robots: by the prefix that the names of their links, joints,
        groups get. bases: 4 x 4 poses of their roots, by prefix; those not given stand at the origin.
        Rules and exclusions stay those of each robot; every link of one is checked against all of the others.

            >>> aside = np.eye(4)
            >>> aside[0, 3] = 2
            >>> planner_ccd.Robot.combine({'l_': robot, 'r_': robot}, {'r_': aside})
            <planner_ccd.Robot 'l_puma+r_puma': 17 links, 12 coordinates>
        """
    def mount(self, tool: Robot, link: str, pose: ArrayLike | None = None, *, prefix: str = "") -> Robot:
        """The robot with a tool fixed on a link: one robot, as one URDF with a fixed joint would have it.

        pose: 4 x 4, of the tool's root in the link's frame. prefix: put before the names of the tool's links,
        joints and groups. Rules and exclusions are those of robot and tool.

            >>> tool = planner_ccd.Robot.from_string('<robot name="pen"><link name="tip"/></robot>')
            >>> robot.mount(tool, 'gripper', prefix='pen_').links[-1]
            'pen_tip'
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hex: equal for what is equal, in every process."""
    @property
    def name(self) -> str:
        """As its URDF gives it."""
    @property
    def dof(self) -> int:
        """Entries of a configuration."""
    @property
    def joints(self) -> list[str]:
        """Names of the entries of a configuration, in order."""
    @property
    def links(self) -> list[str]:
        """Names of the links."""
    @property
    def lower(self) -> _Vector:
        """Lower limits of a configuration, rad or m; -inf where there is none."""
    @property
    def upper(self) -> _Vector:
        """Upper limits of a configuration, rad or m; inf where there is none."""
    @property
    def excluded(self) -> list[tuple[str, str, str]]:
        """Pairs of links that are not checked: (a, b, reason)."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What loading remarked."""
    def neutral(self) -> _Vector:
        """Every entry 0 where the limits allow it, else the middle of them.

            >>> robot.neutral().shape
            (6,)
        """
    def forward_kinematics(self, q: ArrayLike, link: str | None = None) -> _Vector:
        """Where links are: 4 x 4 poses in the world, in metres, in the order of `links`, or of one link alone.
        q: a configuration, or one a row; then the first axis of the array is that of the rows.

            >>> robot.forward_kinematics(path[0], 'gripper').shape
            (4, 4)
            >>> robot.forward_kinematics(path).shape
            (6, 8, 4, 4)
        """
    def state(self, group: str, name: str) -> _Vector:
        """A named state of the SRDF; joints it does not name are neutral.

            >>> rules = '<robot name="puma"><group_state name="up" group="arm"><joint name="joint2" value="1"/></group_state></robot>'
            >>> planner_ccd.Robot.from_string((root / 'urdf/puma.urdf').read_text(), rules, folder=root / 'urdf').state('arm', 'up')[1]
            1.0
        """
    def inspect(self, *, cell_evaluations: int = 10000) -> dict[str, Any]:
        """What the model is made of, as a dict: links with their shapes and triangles, joints with limits (rad, m, per
        second), bodies, pairs that are checked, pairs that are not and why, assumptions. The keys are those of
        `planner_ccd inspect --json`. cell_evaluations: spent on proofs that pairs are apart for all joint values.

            >>> model = robot.inspect()
            >>> model['links'][1]['name'], model['links'][1]['triangles']
            ('shoulder', 228)
            >>> model['joints'][0]['type'], model['joints'][0]['upper']
            ('revolute', 2.792527)
        """
    def exclude(self, a: str, b: str) -> None:
        """Leave a pair of links out of checking.

            >>> import copy
            >>> other = copy.copy(robot)
            >>> other.exclude('forearm', 'gripper')
        """
    def load_path(self, file: _Path) -> _Vector:
        """The waypoints of a path CSV, one a row.

            >>> robot.load_path(root / 'models/paths/puma_fender.csv').shape
            (6, 6)
        """
    def save_path(self, file: _Path, waypoints: ArrayLike) -> None:
        """Write waypoints, one a row, as a path CSV.

            >>> robot.save_path('path.csv', path)
        """

class Scene:
    """Everything around the robot. A PathChecker copies it: change it, then ask
    checker.with_scene(scene).
    """
    def __init__(self) -> None:
        """An empty scene."""
    @staticmethod
    def load(
        file: _Path,
        robot: Robot | None = None,
        *,
        packages: Mapping[str, _Path] = {},
        dae_up_axis: _UpAxis = "ignore",
    ) -> Scene:
        """Load a scene from YAML. With a robot, names of links in it are checked. dae_up_axis: 'ignore' that of
        DAE files, or 'honour' it.

            >>> planner_ccd.Scene.load(root / 'models/scenes/puma_car.yaml', robot).names
            ['car', 'pedestal', 'floor']
        """
    @staticmethod
    def from_string(
        text: str,
        robot: Robot | None = None,
        *,
        folder: _Path = ".",
        packages: Mapping[str, _Path] = {},
        dae_up_axis: _UpAxis = "ignore",
    ) -> Scene:
        """The same from the text itself. folder: where relative mesh files lie.

            >>> planner_ccd.Scene.from_string('objects: [{name: ball, sphere: {radius: 0.1}}]').names
            ['ball']
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def save(self, file: _Path) -> None:
        """Write the scene as YAML that `load` reads back, to the bit. Meshes, clouds and maps go to files in the folder
        STEM_files beside it; a file that is there already is never changed.

            >>> scene.save('cell.yaml')
            >>> planner_ccd.Scene.load('cell.yaml', robot).names == scene.names
            True
        """
    def pose(self, name: str) -> _Vector:
        """Where an object is: its 4 x 4 pose in the world, in metres; of an attached one in its link's frame.

            >>> scene.pose('pedestal')[:3, 3]
            array([...])
        """
    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hex: equal for what is equal, in every process."""
    @property
    def names(self) -> list[str]:
        """Names of the objects, attached ones last."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What loading remarked."""
    def __contains__(self, name: str) -> bool: ...
    def add_box(self, name: str, size: ArrayLike, pose: ArrayLike | None = None) -> None:
        """Add a box with these full edge lengths, in metres.

            >>> scene.add_box('table', [1, 1, 0.1])
        """
    def add_sphere(self, name: str, radius: float, pose: ArrayLike | None = None) -> None:
        """Add a sphere; radius in metres.

            >>> scene.add_sphere('ball', 0.1)
        """
    def add_cylinder(self, name: str, radius: float, length: float, pose: ArrayLike | None = None) -> None:
        """Add a cylinder along its z axis; radius and length in metres.

            >>> scene.add_cylinder('post', 0.05, 1.2)
        """
    def add_capsule(self, name: str, radius: float, length: float, pose: ArrayLike | None = None) -> None:
        """Add a capsule along its z axis; length is that of the axis, without the round ends. Both in metres.

            >>> scene.add_capsule('hose', 0.02, 0.8)
        """
    def add_convex(self, name: str, points: ArrayLike, pose: ArrayLike | None = None) -> None:
        """Add the convex hull of n x 3 points in metres, as a solid.

            >>> scene.add_convex('wedge', [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        """
    def add_mesh(
        self, name: str, vertices: ArrayLike, triangles: ArrayLike, pose: ArrayLike | None = None
    ) -> None:
        """Add a mesh: n x 3 vertices in metres, m x 3 indices, counter-clockwise seen from outside.

            >>> scene.add_mesh('sheet', [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        """
    def add_mesh_file(
        self,
        name: str,
        file: _Path,
        scale: float = 1.0,
        pose: ArrayLike | None = None,
        dae_up_axis: _UpAxis = "ignore",
    ) -> None:
        r"""Add the mesh of an STL, OBJ, PLY, OFF, DAE or GLB, or of another kind through Assimp. dae_up_axis: 'ignore' or 'honour' that of a DAE.

            >>> open('sheet.obj', 'w').write('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
            32
            >>> scene.add_mesh_file('sheet', 'sheet.obj', scale=0.5)
        """
    def add_cloud(self, name: str, points: ArrayLike, radius: float, pose: ArrayLike | None = None) -> None:
        """Add a cloud: n x 3 points in metres, each a ball of the radius. Arrays of float32 and float64 are read in place;
        points that are not finite are left out, which is a warning. Contacts name the row of the array (triangle_b).

            >>> scene.add_cloud('shelf', [[0.5, 0.1, 0.3], [0.5, 0.1, 0.31]], radius=0.004)
        """
    def add_cloud_file(self, name: str, file: _Path, radius: float, pose: ArrayLike | None = None) -> None:
        r"""Add the points of an XYZ, CSV, PCD, PLY or NPY file, each as a ball of the radius, in metres.

            >>> open('scan.xyz', 'w').write('0.5 0.1 0.3\n0.5 0.1 0.31\n')
            25
            >>> scene.add_cloud_file('scan', 'scan.xyz', radius=0.004)
        """
    def add_octomap(
        self,
        name: str,
        file: _Path,
        unknown: Literal["occupied", "free"] = "occupied",
        region: ArrayLike | None = None,
        pose: ArrayLike | None = None,
    ) -> None:
        r"""Add the occupied cells of a .bt or .ot, and the unknown ones within the region (two opposite corners, in
        metres) unless unknown is 'free', which every check then says.

            >>> header = b'# Octomap OcTree binary file\nid OcTree\nsize 0\nres 0.1\ndata\n'
            >>> open('nothing_seen.bt', 'wb').write(header)
            59
            >>> scene.add_octomap('room', 'nothing_seen.bt', region=[[0, 0, 0], [1, 1, 2]])
        """
    def add_height_field(
        self,
        name: str,
        heights: ArrayLike,
        pixel: float,
        floor: float | None = None,
        top: float | None = None,
        unknown: Literal["occupied", "free"] = "occupied",
        pose: ArrayLike | None = None,
    ) -> None:
        """Add heights over a grid, in metres: heights[row, column] at x = column * pixel, y = row * pixel. Between four
        neighbours the solid reaches from the floor up to the highest of them; where one is not finite, up to the top
        unless unknown is 'free'. Unless given, floor and top lie beyond the heights by the longer side.

            >>> scene.add_height_field('bin', [[0.0, 0.1, 0.1], [0.0, 0.1, 0.2]], pixel=0.005)
        """
    def add_height_field_file(
        self,
        name: str,
        file: _Path,
        pixel: float,
        floor: float | None = None,
        top: float | None = None,
        unknown: Literal["occupied", "free"] = "occupied",
        pose: ArrayLike | None = None,
    ) -> None:
        """The same from an NPY file.

            >>> np.save('bin.npy', np.zeros((4, 5)))
            >>> scene.add_height_field_file('bin_file', 'bin.npy', pixel=0.005, floor=-0.1)
        """
    def drop_region(self, name: str, min: ArrayLike, max: ArrayLike) -> int:
        """Drop the points of a cloud in the box between two corners, in metres and in the world; returns their number.
        Every check says that they were dropped. Without any point left the object is removed.

            >>> scene.add_cloud('shelf', [[0.5, 0.1, 0.3], [0.9, 0.1, 0.3]], radius=0.004)
            >>> scene.drop_region('shelf', [0.4, 0.0, 0.2], [0.6, 0.2, 0.4])
            1
        """
    def move(self, name: str, pose: ArrayLike) -> None:
        """Put an object at a 4 x 4 pose.

            >>> scene.move('car', np.eye(4))
        """
    def set_pose_error(self, name: str, position: float = 0.0, angle: float = 0.0) -> None:
        """How far an object may be from its pose: in metres, and turned by so many radians. Motions are then proved
        free wherever it stands within that. What is held keeps the error of its pose in the link.

            >>> scene.set_pose_error('car', position=0.003, angle=0.01)
        """
    def remove(self, name: str) -> None:
        """Take an object away.

            >>> scene.remove('car')
            >>> 'car' in scene
            False
        """
    def attach(
        self, name: str, link: str, pose: ArrayLike | None = None, touch_links: Sequence[str] = []
    ) -> None:
        """Let a link hold an object, at this pose in the link's frame; it may touch that link and touch_links.

            >>> scene.add_box('tool', [0.05, 0.05, 0.2])
            >>> scene.attach('tool', 'gripper', touch_links=['flange'])
        """
    def detach(self, name: str, pose: ArrayLike | None) -> None:
        """Put a held object back, at this pose in the world.

            >>> scene.add_sphere('ball', 0.05)
            >>> scene.attach('ball', 'gripper')
            >>> scene.detach('ball', np.eye(4))
        """
    def allow(self, a: str, b: str) -> None:
        """Let two bodies touch; '*' stands for all.

            >>> scene.allow('base_link', 'car')
        """
    def set_margin(self, a: str, b: str, margin: float) -> None:
        """Demand a clearance of a pair, in metres, in place of the one before; '*' stands for all that is not of the same robot.

            >>> scene.set_margin('gripper', 'car', 0.02)
        """
    def set_padding(self, name: str, padding: float) -> None:
        """Take a link, or what is held, to be so much thicker, in metres, against all that is not of its own robot.

            >>> scene.set_padding('forearm', 0.01)
        """
    def __len__(self) -> int: ...

class Assumption:
    """Something a verdict relies on that is not checked."""
    @property
    def kind(self) -> str:
        """'no_inside', 'no_geometry', 'excluded', 'allowed_for_all', ..."""
    @property
    def by(self) -> str:
        """Its origin: 'adjacent', 'disabled', ...; may be empty."""
    @property
    def text(self) -> str:
        """One line, without the names."""
    @property
    def names(self) -> list[str]:
        """Links, objects or files."""
    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Pairs of links and objects."""

class Contact:
    """Where a motion meets something. Points and normal are in the world frame."""
    @property
    def a(self) -> str:
        """Link or attached object."""
    @property
    def b(self) -> str:
        """Link, attached object or obstacle."""
    @property
    def t(self) -> float:
        """Time of the witness, in [0, 1] of the edge."""
    @property
    def distance(self) -> float:
        """Metres at t, rounded up."""
    @property
    def margin(self) -> float:
        """Metres demanded of the pair: beyond `distance`, they come too near and need not touch."""
    @property
    def error(self) -> float:
        """In metres: by how much errors may bring the two points nearer, at most."""
    @property
    def point_a(self) -> _Vector:
        """On a at t, in metres."""
    @property
    def point_b(self) -> _Vector:
        """On b at t, in metres."""
    @property
    def normal(self) -> _Vector:
        """Unit, from b to a."""
    @property
    def triangle_a(self) -> int:
        """Index in the mesh of geometry_a, the number of its point or cell; -1 for other shapes."""
    @property
    def triangle_b(self) -> int:
        """Index in the mesh of geometry_b, the number of its point or cell; -1 for other shapes."""
    @property
    def geometry_a(self) -> int:
        """Which collision element of a."""
    @property
    def geometry_b(self) -> int:
        """Which collision element of b."""
    @property
    def inside(self) -> bool:
        """One closed body lies inside the other; no surfaces meet."""
    @property
    def q(self) -> _Vector:
        """Configuration at t."""

class CertificateResult:
    """What became of PathChecker.certify."""
    @property
    def proved(self) -> bool:
        """The file was written, and the verifier accepts it."""
    @property
    def obstacle(self) -> str:
        """Why not: pair, segment and time; else empty."""
    @property
    def sha256(self) -> str:
        """Of the file, in hex."""
    @property
    def statement_sha256(self) -> str:
        """Of what is proved, in hex: what model.py makes of the same files."""
    @property
    def size(self) -> int:
        """Of the file, in bytes."""
    @property
    def leaves(self) -> int:
        """Volumes and intervals that were proved apart."""

class Verification:
    """What a verifier says of a certificate."""
    @property
    def verified(self) -> bool:
        """What it states is proved by it."""
    @property
    def readable(self) -> bool:
        """False: this is no certificate, or a damaged one."""
    @property
    def reason(self) -> str:
        """Why it is not verified; else empty."""
    @property
    def statement(self) -> str:
        """What is proved, in plain words; empty if unreadable."""
    @property
    def statement_sha256(self) -> str:
        """Of what is proved, in hex, as model.py makes it of the files; empty unless verified."""
    @property
    def leaves(self) -> int:
        """Volumes and intervals that were found apart."""
    def __bool__(self) -> bool: ...

class EdgeResult:
    """What a check of one edge found."""
    @property
    def verdict(self) -> Verdict:
        """A Verdict."""
    @property
    def free(self) -> bool:
        """Proved free."""
    @property
    def nothing_checked(self) -> bool:
        """Free because no pair of bodies is checked at all."""
    @property
    def t_free(self) -> float:
        """Proved free before this time; 1 when free."""
    @property
    def contact(self) -> Contact | None:
        """A Contact, or None."""
    @property
    def undecided_pair(self) -> tuple[str, str] | None:
        """When undecided: names of a pair that is not settled, where one is known; else None."""
    @property
    def evaluations(self) -> int:
        """Distance evaluations spent."""

class EdgeResults:
    """What check_edges found, in the order of the edges."""
    @property
    def free(self) -> NDArray[np.bool_]:
        """Array of bool: proved free."""
    @property
    def nothing_checked(self) -> bool:
        """Free because no pair of bodies is checked at all."""
    @property
    def verdict(self) -> NDArray[np.uint8]:
        """Array of uint8: the values of Verdict."""
    @property
    def t_free(self) -> _Vector:
        """Array: proved free before this time of each edge, in [0, 1]."""
    @property
    def evaluations(self) -> NDArray[np.int64]:
        """Array of int64: distance evaluations spent on each edge."""
    @property
    def contacts(self) -> _Records:
        """Structured array, a row for each edge with a contact: `edge`, its number, and the fields of Contact."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> EdgeResult: ...
    @overload
    def __getitem__(self, index: slice) -> EdgeResults: ...
    def __iter__(self) -> Iterator[EdgeResult]: ...

class PathResult:
    """What a check of a path found."""
    @property
    def verdict(self) -> Verdict:
        """A Verdict."""
    @property
    def free(self) -> bool:
        """Proved free."""
    @property
    def nothing_checked(self) -> bool:
        """Free because no pair of bodies is checked at all."""
    @property
    def segments(self) -> int:
        """How many there are; 0 when the robot rests."""
    @property
    def segment(self) -> int:
        """The first that is not free; -1 when all are."""
    @property
    def edge(self) -> EdgeResult:
        """The EdgeResult of that segment."""
    @property
    def evaluations(self) -> int:
        """Distance evaluations spent."""

class NearestPair:
    """How near the robot is to anything, certified from both sides."""
    @property
    def lower(self) -> float:
        """Metres: no pair is nearer; inf when there is no pair."""
    @property
    def upper(self) -> float:
        """Metres: the distance of the two points, rounded up."""
    @property
    def a(self) -> str:
        """Link or attached object; empty when there is no pair."""
    @property
    def b(self) -> str:
        """Link, attached object or obstacle; empty when there is no pair."""
    @property
    def point_a(self) -> _Vector:
        """On a, in metres, in the world."""
    @property
    def point_b(self) -> _Vector:
        """On b, in metres, in the world."""

class RobotFilter:
    """Takes out of clouds what a camera saw of the robot itself. Make it once for a robot, and
    again when it grasps something.
    """
    def __init__(self, robot: Robot, scene: Scene | None = None) -> None:
        """Of this robot, and of what it holds in the scene.

            >>> robot_filter = planner_ccd.RobotFilter(robot)
        """
    def drop_robot(self, scene: Scene, name: str, configuration: ArrayLike, within: float = 0.0) -> int:
        """Drop the points of a cloud that lie in the robot at this configuration, or within so many metres of it;
        returns their number. Every check says that they were dropped. Without any point left the object is removed.

            >>> scene.add_cloud('seen', [[0.0, 0.0, 0.1], [3.0, 0.0, 0.0]], radius=0.01)
            >>> planner_ccd.RobotFilter(robot).drop_robot(scene, 'seen', path[0], within=0.02)
            1
        """

class PreparedRobot:
    """A robot with what is proved of it before any scene; any number of checkers may share it."""
    def __init__(
        self,
        robot: Robot,
        *,
        margin: float = 0.0,
        self_margin: float = 0.0,
        cell_evaluations: int = 10000,
        cache: _Path | None = None,
    ) -> None:
        """margin, self_margin: the greatest that pairs of links will be asked for, in metres: of two robots, of one.
        cell_evaluations: spent on each pair of links, on proofs for ranges of joint values.
        cache: a folder to find the proofs in, if they are there, and to keep them in; files of others are not used.
        """
    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hex: equal for what is equal, in every process."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What was wrong with files in the cache."""
    @property
    def margin(self) -> float:
        """The greatest margin prepared for, in metres."""
    @property
    def self_margin(self) -> float:
        """The same within a robot, in metres."""

class Timeline:
    """What changes while a robot moves: what it picks up and puts down, what may touch for a while, what moves by
    itself. For PathChecker.check_trajectory.

        >>> planner_ccd.Timeline([{'waypoint': 1, 'attach': 'cup', 'to': 'gripper'}, {'waypoint': 3, 'detach': 'cup'}])
        <planner_ccd.Timeline: 2 events>
    """
    def __init__(
        self,
        events: Sequence[Mapping[str, Any]] | None = None,
        moving: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """events, moving: lists of dictionaries with the keys of a timeline file (planner_ccd help timeline)."""
    @staticmethod
    def load(file: _Path) -> Timeline:
        """From a timeline file.

            >>> open('pick.yaml', 'w').write('events: [{time: 1, attach: cup, to: gripper}]')
            45
            >>> len(planner_ccd.Timeline.load('pick.yaml'))
            1
        """
    @staticmethod
    def from_string(text: str, *, folder: _Path = ".") -> Timeline:
        """The same from the text itself. folder: where relative files lie.

            >>> planner_ccd.Timeline.from_string('events: [{time: 1, attach: cup, to: gripper}]')
            <planner_ccd.Timeline: 1 event>
        """
    def robot(self, robot: Robot) -> Robot:
        """The robot with a frame, a link without geometry, for each thing that moves by itself: what a checker is
        made of. Such a checker answers for motions with times (check_trajectory with this timeline): to
        check_edges, in_contact and all others that are asked of configurations what moves would stand still, and
        they raise InputError. Plan with the robot itself, and what moves in the scene where it is to be avoided.

            >>> frames = [{'name': 'belt', 'poses': [{'time': 0, 'pose': {}}, {'time': 9, 'pose': {'xyz': [1, 0, 0]}}]}]
            >>> planner_ccd.Timeline(moving=frames).robot(robot)
            <planner_ccd.Robot 'puma': 10 links, 13 coordinates>
        """
    def motion(
        self, robot: Robot, *, hold: Mapping[str, float] = {}, angles: _Angles = "literal"
    ) -> Trajectory:
        """The Trajectory of the files that the timeline names, one after the other, for all joints but those of robots
        that move by themselves. robot: without the frames. hold, angles: as Trajectory.load has them.

            >>> timeline = planner_ccd.Timeline.from_string('motion: [{path: models/paths/puma_window.csv}]', folder=root)
            >>> len(timeline.motion(robot))
            14
        """
    @property
    def frames(self) -> list[str]:
        """Names of the frames that move by themselves."""
    @property
    def robots(self) -> list[str]:
        """Prefixes of the robots that move by themselves, by their own log or trajectory. In the motion of the rest their
        joints stand still, anywhere.

            >>> planner_ccd.Timeline(moving=[{'robot': 'right_', 'path': 'shift.mcap', 'starts': -20}]).robots
            ['right_']
        """
    def __len__(self) -> int: ...

class Trajectory:
    """A motion of a robot in time, made of polynomials that are checked as they are.

    >>> motion = planner_ccd.Trajectory(robot, path, times=[0, 1, 2, 3, 4, 5])
    >>> motion
    <planner_ccd.Trajectory of 'puma': 5 segments, 0 s to 5 s>
    """
    def __init__(
        self,
        robot: Robot,
        positions: ArrayLike,
        *,
        times: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
    ) -> None:
        """Points that a controller is told to pass, in rows, and between them what the ROS joint_trajectory_controller
        does: lines; with velocities (rad/s, m/s) cubics; with accelerations (rad/s^2, m/s^2) quintics.
        times: in seconds, one a row; without them it is a path, and segment i takes from i to i + 1.
        """
    @staticmethod
    def bezier(robot: Robot, control_points: ArrayLike, begin: float, end: float) -> Trajectory:
        """A Bezier curve, control points in rows, from `begin` to `end` in seconds.

            >>> planner_ccd.Trajectory.bezier(robot, path[:4], 0, 2).duration
            2.0
        """
    @staticmethod
    def b_spline(robot: Robot, control_points: ArrayLike, knots: Sequence[float], degree: int) -> Trajectory:
        """A B-spline, control points in rows, knots in seconds: as many as control points, and degree + 1.

            >>> planner_ccd.Trajectory.b_spline(robot, path[:4], [0, 0, 0, 1, 2, 2, 2], 2)
            <planner_ccd.Trajectory of 'puma': 2 segments, 0 s to 2 s>
        """
    @staticmethod
    def load(
        robot: Robot,
        file: _Path | Mapping[str, _Path],
        *,
        delays: Mapping[str, float] = {},
        hold: Mapping[str, float] = {},
        angles: _Angles = "literal",
    ) -> Trajectory:
        """From a CSV, a ROS or MoveIt message in YAML or JSON, or a curve; for several robots files by the prefix of
        their joints. delays: seconds added to a file's times, by prefix. hold: values of joints that no file moves.
        angles: 'wrap' takes joints without limits the shorter way.

            >>> planner_ccd.Trajectory.load(robot, root / 'models/paths/puma_fender.csv').timed
            False
        """
    @staticmethod
    def merge(robot: Robot, parts: Mapping[str, Trajectory]) -> Trajectory:
        """Trajectories of several robots on one clock. robot: what Robot.combine made of them. parts: by prefix.
        Before its start and after its end each stands still.

            >>> both = planner_ccd.Robot.combine({'l_': robot, 'r_': robot})
            >>> motion = planner_ccd.Trajectory(robot, path[:2], times=[0, 1])
            >>> planner_ccd.Trajectory.merge(both, {'l_': motion, 'r_': motion.delayed(2)})
            <planner_ccd.Trajectory of 'l_puma+r_puma': 3 segments, 0 s to 3 s>
        """
    def delayed(self, seconds: float) -> Trajectory:
        """The same motion, later by so many seconds.

            >>> planner_ccd.Trajectory(robot, path[:2], times=[0, 1]).delayed(3).begin
            3.0
        """
    def stretched(self, factor: float) -> Trajectory:
        """The same curve in `factor` times the time.

            >>> planner_ccd.Trajectory(robot, path[:2], times=[0, 1]).stretched(2).duration
            2.0
        """
    def at(self, time: ArrayLike) -> _Vector:
        """The configuration at a time in seconds, or one a row at each of several; clamped to the ends.

            >>> planner_ccd.Trajectory(robot, path[:2], times=[0, 1]).at([0, 0.5, 1]).shape
            (3, 6)
        """
    @property
    def robot(self) -> Robot:
        """A copy of its Robot."""
    @property
    def begin(self) -> float:
        """In seconds."""
    @property
    def end(self) -> float:
        """In seconds."""
    @property
    def duration(self) -> float:
        """In seconds."""
    @property
    def knots(self) -> _Vector:
        """Where segments begin, and the end, in seconds."""
    @property
    def timed(self) -> bool:
        """False: made of a path without times; segment i takes from i to i + 1."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What loading remarked."""
    def __len__(self) -> int: ...

class Log:
    """A log of ROS: MCAP, a bag of ROS 1, or what ROS 2 recorded."""
    def __init__(self, file: _Path) -> None:
        """Read all of it once, for what is in it."""
    def motion(
        self,
        robot: Robot,
        *,
        topic: str = "",
        max_gap: float = 0.1,
        begin: float | None = None,
        end: float | None = None,
        prefix: str = "",
        hold: Mapping[str, float] = {},
        angles: _Angles = "literal",
    ) -> LogMotion:
        """The motion of a robot by a topic: a LogMotion. topic: '' for the only one that can be checked.
        max_gap: seconds that a joint may be without a sample. begin, end: seconds on the log's clock. prefix: what
        stands before the log's joint names in this robot. hold: values of joints that the topic does not move.
        angles: 'wrap' takes joints without limits the shorter way.

            >>> log = planner_ccd.Log(root / 'tests/io/logs/states_none.mcap')
            >>> two = planner_ccd.Robot.from_string('<robot name="two"><link name="u"/><link name="v"/><link name="w"/>'
            ...     '<joint name="a" type="continuous"><parent link="u"/><child link="v"/></joint>'
            ...     '<joint name="b" type="continuous"><parent link="v"/><child link="w"/></joint></robot>')
            >>> log.motion(two, topic='/joint_states')
            <planner_ccd.LogMotion of 'two': /joint_states, 1 parts, 59 segments>
        """
    @property
    def format(self) -> str:
        """'MCAP', 'rosbag2 (sqlite3)' or 'ROS 1 bag'."""
    @property
    def topics(self) -> _Records:
        """Structured array: `name`, `type`, `messages`, `can_be_checked`, a row a topic."""
    @property
    def begin_ns(self) -> int:
        """The first message: nanoseconds since 1970."""
    @property
    def end_ns(self) -> int:
        """The last message: nanoseconds since 1970."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What reading remarked."""

class LogMotion:
    """The motion of a robot by a topic of a log: a sequence of Trajectory, read as they are asked for.
    Of JointState samples each begins where the one before ends; between planned motions
    nothing is known.
    """
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Trajectory: ...
    def __iter__(self) -> Iterator[Trajectory]: ...
    @property
    def gaps(self) -> list[Finding]:
        """A list of Finding: where a joint was without a sample for longer than max_gap."""
    @property
    def segments(self) -> int:
        """Segments of all parts."""
    @property
    def messages(self) -> int:
        """Messages that were used."""
    @property
    def topic(self) -> str:
        """Its name."""
    @property
    def type(self) -> str:
        """Of the messages."""
    @property
    def begin_ns(self) -> int:
        """Where the clock is 0: nanoseconds since 1970."""
    @property
    def sampled(self) -> bool:
        """True: what the robot did, by samples; False: what it was told to do."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What reading remarked."""

class MotionLimits:
    """Positions, velocities, accelerations and jerks that joints may have."""
    def __init__(
        self,
        robot: Robot,
        *,
        velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        jerk: ArrayLike | None = None,
    ) -> None:
        """velocity: rad/s or m/s by coordinate; without it the robot's own. acceleration: rad/s^2 or m/s^2; inf: none.
        lower, upper: rad or m; without them the robot's own. jerk: rad/s^3 or m/s^3; inf: none.
        """
    @staticmethod
    def load(robot: Robot, file: _Path, prefix: str = "") -> MotionLimits:
        """From MoveIt's joint_limits.yaml. prefix: what stands before its joint names in this robot. Its positions
        narrow the robot's own; what is no part of a check is named in `warnings`.

            >>> open('limits.yaml', 'w').write('joint_limits: {joint1: {has_velocity_limits: true, max_velocity: 2.0}}')
            70
            >>> planner_ccd.MotionLimits.load(robot, 'limits.yaml').velocity[0]
            2.0
        """
    @property
    def velocity(self) -> list[float]:
        """rad/s or m/s by coordinate; inf where there is none."""
    @property
    def acceleration(self) -> list[float]:
        """rad/s^2 or m/s^2; inf where there is none."""
    @property
    def lower(self) -> list[float]:
        """rad or m by coordinate; -inf where there is none."""
    @property
    def upper(self) -> list[float]:
        """rad or m by coordinate; inf where there is none."""
    @property
    def jerk(self) -> list[float]:
        """rad/s^3 or m/s^3; inf where there is none."""
    @property
    def warnings(self) -> list[str]:
        """What loading remarked."""

class Finding:
    """One thing that is wrong with a trajectory. Times in seconds, on its clock."""
    @property
    def kind(self) -> str:
        """'contact', 'contact_at_start', 'contact_at_end', 'margin', 'undecided', 'joint_limit', 'velocity_limit',
        'acceleration_limit', 'jerk_limit', 'start_jump', 'time_not_increasing' or 'full_turn'.
        """
    @property
    def error(self) -> bool:
        """False: a warning."""
    @property
    def segment(self) -> int:
        """In which segment it begins."""
    @property
    def begin(self) -> tuple[float, float]:
        """It is proved absent before the first time, and present at the second."""
    @property
    def end(self) -> tuple[float, float] | None:
        """It is present at the first time, and proved absent from the second; None: not looked for."""
    @property
    def message(self) -> str:
        """One line for people."""
    @property
    def contact(self) -> Contact | None:
        """Of contacts and margins: a Contact, whose t is in the segment's [0, 1]."""
    @property
    def depth(self) -> float | None:
        """Metres that the two must move to part, at the deepest instant looked at; None: not known."""
    @property
    def joint(self) -> str:
        """Of limits: the coordinate's name; else empty."""
    @property
    def value(self) -> float:
        """Of limits the worst value (rad, m, per s, per s^2, per s^3); of margins metres."""
    @property
    def limit(self) -> float:
        """What it had to keep to."""
    @property
    def at(self) -> float:
        """When the worst value is reached."""

class PairClearance:
    """The least distance of a pair over a whole trajectory, certified from both sides."""
    @property
    def a(self) -> str:
        """Link or attached object."""
    @property
    def b(self) -> str:
        """Link, attached object or obstacle."""
    @property
    def lower(self) -> float:
        """Metres: never nearer than this; 0 where that is not known."""
    @property
    def upper(self) -> float:
        """Metres: this near at `time`."""
    @property
    def known(self) -> bool:
        """False: max_evaluations ran out before a lower bound was proved, so that lower says nothing."""
    @property
    def segment(self) -> int:
        """The segment in which they are nearest."""
    @property
    def time(self) -> float:
        """Seconds."""
    @property
    def point_a(self) -> _Vector:
        """On a at `time`, in metres, in the world."""
    @property
    def point_b(self) -> _Vector:
        """On b at `time`, in metres, in the world."""

class EdgeOptions:
    """How motions are searched, and how far the robot may be from them. For all queries of a PathChecker.

    >>> options = planner_ccd.EdgeOptions(tolerance=1e-3)
    >>> checker.is_free(path[0], path[1], options)
    True
    """
    def __init__(
        self,
        *,
        tolerance: float = 1e-4,
        max_evaluations: int = 1000000,
        angles: _Angles = "literal",
        method: _Method = "taylor",
        leaf: _Leaf = "inclusion",
        tracking_error: float | Mapping[str, float] | None = None,
        base_error: float | tuple[float, float] | Mapping[str, float | tuple[float, float]] | None = None,
    ) -> None:
        """tolerance: metres; may turn FREE into CONTACT, never CONTACT into FREE. max_evaluations: distance
        evaluations over all pairs. angles: how joints without limits turn, 'literal' or 'wrap'; trajectories have
        angles of their own. method, leaf: searches and leaf kernels of papers, for comparison; verdicts are the
        same.
        tracking_error: FREE then holds for joint values within it: radians or metres, for every joint, or a dict
        by joint.
        base_error: and wherever the robots' bases stand within it: metres, or (metres, radians); or a dict of
        these by link, whose pose on the link that carries it is then uncertain.
        """
    @property
    def tolerance(self) -> float:
        """In metres."""
    @property
    def max_evaluations(self) -> int:
        """Distance evaluations over all pairs."""
    @property
    def angles(self) -> str:
        """'literal' or 'wrap'."""
    @property
    def method(self) -> str:
        """'taylor', or a search of a paper."""
    @property
    def leaf(self) -> str:
        """'inclusion', or a leaf kernel of a paper."""
    @property
    def tracking_error(self) -> float | dict[str, float] | None:
        """Radians or metres, of every joint or by joint; None: no error."""
    @property
    def base_error(self) -> tuple[float, float] | dict[str, tuple[float, float]] | None:
        """(metres, radians), of every base or by link; None: no error."""

class TrajectoryOptions:
    """What check_trajectory is asked.

    >>> planner_ccd.TrajectoryOptions(clearance_accuracy=1e-3)
    planner_ccd.TrajectoryOptions(clearance_accuracy=0.001)
    """
    def __init__(
        self,
        *,
        edge: EdgeOptions | None = None,
        all_contacts: bool = False,
        contact_resolution: float = 1e-3,
        check_limits: bool = True,
        limits: MotionLimits | None = None,
        clearance_accuracy: float = 0.0,
        clearance_pairs: int = 10,
        clearance_below: float = ...,
        profile_step: float = 0.0,
        tracking_delay: float = 0.0,
        segment_errors: ArrayLike | None = None,
    ) -> None:
        """edge: an EdgeOptions: how it is searched, and errors.
        all_contacts: go on after the first: every contact of every pair, from when to when. contact_resolution:
        contacts of a pair apart by less, in seconds, may be reported as one. check_limits, limits: of joints, of
        velocities, accelerations and jerks; without MotionLimits those of the robot. clearance_accuracy: metres; also
        the least distance of the clearance_pairs that come nearest, and nearer than clearance_below. profile_step:
        seconds; also the least distance in pieces no longer than this. tracking_delay: seconds; the robot may be so
        much behind the motion, on its own path. segment_errors: a row a segment, a column a coordinate: what joints
        may be off by there, in addition to the errors of `edge`.
        """
    @property
    def edge(self) -> EdgeOptions:
        """An EdgeOptions."""
    @property
    def all_contacts(self) -> bool:
        """Every contact of every pair, not only the first."""
    @property
    def contact_resolution(self) -> float:
        """In seconds."""
    @property
    def check_limits(self) -> bool:
        """Of positions, velocities, ... in rad, m and seconds."""
    @property
    def limits(self) -> MotionLimits | None:
        """The MotionLimits, in rad, m and seconds; None: those of the robot."""
    @property
    def clearance_accuracy(self) -> float:
        """In metres; 0: clearances are not computed."""
    @property
    def clearance_pairs(self) -> int:
        """At most so many, of distances in metres."""
    @property
    def clearance_below(self) -> float:
        """In metres."""
    @property
    def profile_step(self) -> float:
        """In seconds; 0: no profile."""
    @property
    def tracking_delay(self) -> float:
        """In seconds."""
    @property
    def segment_errors(self) -> _Vector | None:
        """An array, a row a segment, in radians or metres; None: no error."""

class TrackingLimit:
    """The greatest error of every joint, the same in radians and metres, with which a
    Trajectory is still proved free.
    """
    @property
    def proved(self) -> float | None:
        """Free with this error of every joint, in radians and metres; None: not even without."""
    @property
    def failed(self) -> float:
        """Not proved with this one, in radians and metres; inf: free with `most`."""
    @property
    def segment(self) -> int:
        """Where that fails; -1 when it is free with `most`."""
    @property
    def edge(self) -> EdgeResult:
        """How: an EdgeResult with a contact, or an undecided_pair."""
    @property
    def checks(self) -> int:
        """Segments checked, each as often as it was."""
    @property
    def by_segment(self) -> _Vector:
        """Array: what `proved` is of the whole, -1 for None; empty unless asked for."""

class TrajectoryResult:
    """What check_trajectory found: what is wrong, and how near things come."""
    @property
    def verdict(self) -> Verdict:
        """About collision alone."""
    @property
    def free(self) -> bool:
        """Proved free."""
    @property
    def ok(self) -> bool:
        """Proved free, with something to check, and nothing else is wrong."""
    @property
    def nothing_checked(self) -> bool:
        """Free because no pair of bodies is checked at all."""
    @property
    def headline(self) -> str:
        """The answer in one line."""
    @property
    def question(self) -> dict[str, str]:
        """What was asked, in plain words: a dict of robot, world, motion, pairs, distance, ..."""
    @property
    def warnings(self) -> list[InputWarning]:
        """What loading robot, scene and motion remarked: a list of InputWarning."""
    @property
    def inputs(self) -> list[InputFile]:
        """Files that robot, scene and motion were read from: a list of InputFile."""
    @property
    def not_looked_at(self) -> list[str]:
        """Parts of the question that the check did not get to, or was not asked: a line each."""
    @property
    def segments(self) -> int:
        """How many there are; 0 when the robot rests."""
    @property
    def segment(self) -> int:
        """The first that is not free; -1 when all are."""
    @property
    def edge(self) -> EdgeResult:
        """The EdgeResult of that segment."""
    @property
    def findings(self) -> list[Finding]:
        """A list of Finding, in order of time."""
    @property
    def clearance(self) -> list[PairClearance]:
        """A list of PairClearance, the nearest first; empty when not asked for."""
    @property
    def clearance_of_others(self) -> float:
        """Metres: all pairs that clearance does not list stay at least so far apart; 0 where that is not known or was
        not asked for, inf when it lists all.
        """
    @property
    def profile(self) -> _Records:
        """Structured array: the least distance in metres during pieces of the motion that leave
        nothing out; empty when not asked for. Where known is False, lower is 0 and says nothing.
        """
    @property
    def evaluations(self) -> int:
        """Distance evaluations spent."""
    @property
    def assumptions(self) -> list[Assumption]:
        """What the verdict relies on: a list of Assumption."""
    @property
    def trajectory(self) -> Trajectory:
        """What was checked."""
    def html(self) -> str:
        """A page that shows the robot moving and where it hits: one text that any browser opens.

            >>> checker.check_trajectory(planner_ccd.Trajectory(robot, path)).html()[:15]
            '<!doctype html>'
        """
    def text(self, assumptions: bool = ...) -> str:
        """What `planner_ccd check` prints. assumptions: name all that the verdict relies on.

            >>> checker.check_trajectory(planner_ccd.Trajectory(robot, path)).text()[:29]
            'contact: gripper meets car in'
        """
    def junit(self) -> str:
        """The findings as JUnit XML, for CI: a test case a kind.

            >>> 'failures="1"' in checker.check_trajectory(planner_ccd.Trajectory(robot, path)).junit()
            True
        """
    def json(self) -> str:
        """What `planner_ccd check --json` prints.

            >>> import json
            >>> json.loads(checker.check_trajectory(planner_ccd.Trajectory(robot, path)).json())['verdict']
            'contact'
        """
    def _repr_html_(self) -> str: ...

class PairSuggestion:
    """A pair of links that need not be checked, and why."""
    @property
    def a(self) -> str:
        """A link."""
    @property
    def b(self) -> str:
        """The other link."""
    @property
    def reason(self) -> str:
        """In the words of SRDF: 'Never' in contact, 'Always', or 'Default': in the neutral configuration."""
    @property
    def contacts(self) -> int:
        """In how many of the random configurations it was in contact."""
    @property
    def proved(self) -> bool:
        """Never by proof; otherwise it is what sampling saw."""

class RoadmapUpdate:
    """What a change of the scene cost, and what it changed."""
    @property
    def checked(self) -> int:
        """Edges that were checked again."""
    @property
    def kept_far(self) -> int:
        """Free; nothing new is in the space they sweep."""
    @property
    def kept_spare(self) -> int:
        """Free, with more room than any object near them has moved."""
    @property
    def kept_contact(self) -> int:
        """In contact between things that have not changed."""
    @property
    def turned(self) -> NDArray[np.uint64]:
        """Array: the edges with another verdict than before."""
    @property
    def evaluations(self) -> int:
        """Distance evaluations spent."""

class Roadmap:
    """Edges and what is known of them, kept true while the scene changes: only edges whose verdict could be
    another one are asked again.

        >>> roadmap = planner_ccd.Roadmap(robot, scene)
        >>> roadmap.add(path[:-1], path[1:])
        0
        >>> roadmap.free
        array([ True,  True,  True, False, False])
        >>> roadmap.change_scene(planner_ccd.Scene()).turned
        array([3, 4], dtype=uint64)
    """
    def __init__(
        self,
        robot: Robot | PreparedRobot,
        scene: Scene | None = None,
        options: EdgeOptions | None = None,
        *,
        margin: float = 0.0,
        self_margin: float = 0.0,
        spare: float = 0.02,
        threads: int = 0,
    ) -> None:
        """robot, margin, self_margin: as PathChecker has them, in metres. options: how edges are searched. spare:
        metres; free edges with so much more room need no new check when objects move by less. threads: 0 for one
        per processor.
        """
    def add(self, starts: ArrayLike, ends: ArrayLike) -> int:
        """Check edges, rows of starts to rows of ends, and keep them: the number of the first; the others follow.

            >>> planner_ccd.Roadmap(robot, scene).add(path[:-1], path[1:])
            0
        """
    def change_scene(self, scene: Scene) -> RoadmapUpdate:
        """Another scene: a RoadmapUpdate.

            >>> roadmap = planner_ccd.Roadmap(robot, scene)
            >>> roadmap.change_scene(planner_ccd.Scene()).checked
            0
        """
    @property
    def free(self) -> NDArray[np.bool_]:
        """Array of bool: proved free in the present scene."""
    @property
    def verdict(self) -> NDArray[np.uint8]:
        """Array of uint8: the values of Verdict."""
    def __len__(self) -> int: ...

class PathChecker:
    """Robot and scene, ready for queries. Immutable; any number of threads may share it."""
    def __init__(
        self,
        robot: Robot | PreparedRobot,
        scene: Scene | None = None,
        *,
        margin: float = 0.0,
        self_margin: float = 0.0,
        cell_evaluations: int = 10000,
        broad_phase: _BroadPhase = "tree",
    ) -> None:
        """Copies what it needs. robot: a Robot, or a PreparedRobot: then it costs its scene alone.
        margin: clearance demanded between a robot and the world, and between robots, in metres.
        self_margin: the same within a robot, of its links and what they hold.
        cell_evaluations: spent on each pair of moving links that is not prepared, on proofs for ranges of joint values.
        broad_phase: how obstacles near a link are found, 'tree' or 'sweep_and_prune'.
        """
    def with_scene(self, scene: Scene) -> PathChecker:
        """The same robot and options in another scene. Where that is a changed copy of this checker's it costs what has
        changed, some microseconds for an object, however many there are. This checker stays as it is.

            >>> checker.is_free(path[3], path[4])
            False
            >>> scene.remove('car')
            >>> checker.with_scene(scene).is_free(path[3], path[4])
            True
        """
    def is_free(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        options: EdgeOptions | None = None,
    ) -> bool:
        """True only when proved: nothing comes within its margin anywhere on the straight motion from q0 to q1.

            >>> checker.is_free(path[0], path[1])
            True
        """
    def first_contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        options: EdgeOptions | None = None,
    ) -> EdgeResult:
        """The verdict on the straight motion from q0 to q1, and its first contact.

            >>> checker.first_contact(path[3], path[4])
            <planner_ccd.EdgeResult: contact of gripper and car at t = 0.57...>
        """
    def in_contact(
        self,
        q: ArrayLike,
        options: EdgeOptions | None = None,
        *,
        threads: int = 0,
    ) -> Any:
        """True unless the configuration is proved clear by more than the margins. q: a configuration; or one a row,
        and the answer is an array of bool. threads: 0 for one per processor.

            >>> checker.in_contact(path[0])
            False
            >>> checker.in_contact(path[:3])
            array([False, False, False])
        """
    def check_path(
        self,
        waypoints: ArrayLike,
        options: EdgeOptions | None = None,
    ) -> PathResult:
        """Check a path, waypoints in rows, to its first contact.

            >>> checker.check_path(path)
            <planner_ccd.PathResult of 5 segments: in segment 3: contact of gripper and car at t = 0.57...>
        """
    def check_edges(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        options: EdgeOptions | None = None,
        *,
        first_contact: bool = False,
        threads: int = 0,
        progress: Callable[[int, int], object] | None = None,
    ) -> EdgeResults:
        """Check many straight motions, rows of starts to rows of ends, on several threads: EdgeResults.

        first_contact: the first contact of each edge; otherwise any, which is faster. threads: 0 for one per
        processor. progress: called with how many edges are done and how many there are; what it raises ends the
        check and is raised here.

            >>> checker.check_edges(path[:-1], path[1:]).free
            array([ True,  True,  True, False, False])
        """
    def check_fan(
        self,
        start: ArrayLike,
        ends: ArrayLike,
        options: EdgeOptions | None = None,
        *,
        first_contact: bool = False,
        threads: int = 0,
        progress: Callable[[int, int], object] | None = None,
    ) -> EdgeResults:
        """The straight motions from one configuration to rows of ends, as planners connect a new sample: EdgeResults.
        The start is looked at once. Keywords as in check_edges.

            >>> checker.check_fan(path[0], path[1:])
            <planner_ccd.EdgeResults: ... of 5 edges free>
        """
    def check_trajectory(
        self,
        trajectory: Trajectory,
        options: TrajectoryOptions | None = None,
        *,
        timeline: Timeline | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> TrajectoryResult:
        """Check a Trajectory: where it hits, where joints leave their limits, and, if asked, how near things come: a
        TrajectoryResult.

        options: a TrajectoryOptions. timeline: what changes during the motion (a Timeline); the checker's scene is the
        world at its start. progress: called with how much is done and how much there is.

            >>> report = checker.check_trajectory(planner_ccd.Trajectory(robot, path, times=range(6)))
            >>> report.findings[0].kind, report.findings[0].segment
            ('contact', 3)
        """
    def max_tracking_error(
        self,
        trajectory: Trajectory,
        options: TrajectoryOptions | None = None,
        *,
        most: float = 0.5,
        accuracy: float = 0.01,
        each_segment: bool = False,
    ) -> TrackingLimit:
        """The greatest error of every joint, the same in radians and metres, with which a Trajectory is proved free: a
        TrackingLimit. options: a TrajectoryOptions, whose errors count as well. most: greater ones are not tried.
        accuracy: of the result, a share of it. each_segment: find that of every segment as well.

            >>> trajectory = planner_ccd.Trajectory(robot, path[:4], times=range(4))
            >>> 0.0 < checker.max_tracking_error(trajectory).proved < 0.5
            True
        """
    def deviation(
        self,
        planned: Trajectory,
        executed: Trajectory,
        shift: float | None = None,
        options: TrajectoryOptions | None = None,
    ) -> dict[str, Any]:
        """How far what the robot did was from what was planned, joint by joint, as a dict: both compared by the clock,
        curve against curve, over the time that they share. shift: seconds by which the plan's clock is ahead of the
        other; None: what fits best. The errors allowed are those of the options, a TrajectoryOptions; `within` says
        that all of the plan is covered and every joint stayed within its own, `left` when one first did not.

            >>> planned = planner_ccd.Trajectory(robot, path[:2], times=[0, 1])
            >>> ran = planner_ccd.Trajectory(robot, path[:2], times=[7, 8])
            >>> round(checker.deviation(planned, ran)["shift"], 3)
            -7.0
        """
    def suggest_pairs(self, *, samples: int = 10000, seed: int = 1) -> list[PairSuggestion]:
        """Which pairs of links could be left out of checking, by the rules of the usual set-up tools: a list of
        PairSuggestion. samples: random configurations within the limits. Only `proved` is a guarantee.

            >>> checker.suggest_pairs(samples=100)
            [...]
        """
    def clearance(self, q: ArrayLike, *, threads: int = 0) -> Any:
        """The least distance at a configuration, in metres, certified; 0 when something touches or is inside: a
        NearestPair. q: a configuration; or one a row, and the answer is a record array with its fields.
        threads: 0 for one per processor.

            >>> checker.clearance(path[0]).lower > 0
            True
            >>> checker.clearance(path[:3]).lower.shape
            (3,)
        """
    def certify(
        self,
        path: ArrayLike | Trajectory,
        file: _Path,
        *,
        title: str | None = None,
        inputs: Mapping[str, _Path | Sequence[_Path]] = {},
        segment_errors: ArrayLike | None = None,
    ) -> CertificateResult:
        """Write a proof that a motion is free: a file that planner_ccd.verify and the program planner_ccd_verify check on
        their own. Nothing is written when there is no proof. path: a Trajectory; or waypoints in rows, whose angles are
        literal; or many motions of their own, an array n x points x joints: control points of Bezier curves, of lines two.
        title: what the motion is, for people. inputs: the files that robot, scene and motion were read from, by what they
        are ('robot', 'srdf', 'scene', 'path', 'limits', 'mesh'; one or a list), for their SHA-256 to stand in it.
        segment_errors: a row a segment, a column a coordinate: the proof also holds for joint values off by that.

            >>> checker.certify(path[:4], 'way.pccd', inputs={'robot': root / 'urdf/puma.urdf'}).proved
            True
            >>> planner_ccd.verify('way.pccd', inputs=[root / 'urdf/puma.urdf']).verified
            True
        """
    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hex: equal for what is equal, in every process."""
    @property
    def robot(self) -> Robot:
        """A copy of its Robot."""
    @property
    def scene(self) -> Scene:
        """A copy of its Scene."""
    @property
    def margin(self) -> float:
        """In metres, to the world and between robots."""
    @property
    def self_margin(self) -> float:
        """In metres, within a robot."""
    @property
    def proved_apart(self) -> list[tuple[str, str]]:
        """Pairs of links proved apart for all joint values within the limits."""
    @property
    def assumptions(self) -> list[Assumption]:
        """What every answer relies on: bodies without an inside, links without geometry, pairs that are
        not checked and why, ... A list of Assumption.
        """
    @property
    def checks_nothing(self) -> bool:
        """No pair of bodies is checked, for want of geometry or by rules: every motion is then free."""
    @property
    def open_surfaces(self) -> list[str]:
        """Links and objects whose surfaces are not all closed: what lies wholly behind an open one is not seen."""
    def html(self) -> str:
        """A page that shows robot and scene, joints moved by hand: one text that any browser opens.

            >>> checker.html()[:15]
            '<!doctype html>'
        """
    def _repr_html_(self) -> str: ...

def leaf_queries(
    kind: Literal["vertex_face", "edge_edge", "triangles"],
    start: ArrayLike,
    end: ArrayLike,
    *,
    leaf: _Leaf = "inclusion",
    min_separation: float = 0.0,
    tolerance: float = 1e-6,
    t_max: float = 1.0,
    max_iterations: int = 100000,
    threads: int = 0,
) -> _Records:
    """Continuous collision of many pairs of primitives whose corners move on straight lines: a structured array.

    kind: 'vertex_face' (the vertex, then the face), 'edge_edge' (each two corners) or 'triangles' (each three).
    start, end: n x 4 x 3, or n x 6 x 3, corners in metres at t = 0 and t = 1. leaf: the kernel, 'inclusion',
    'cubic', 'space_time' or 'plucker'. min_separation, tolerance: metres. t_max: in [0, 1]. Of the answer,
    `verdict` holds values of Verdict; FREE is a proof up to t_max. [0, t_lo) is proved apart; t_hi is the
    time of the witness.

        >>> still = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]]
        >>> hit = planner_ccd.leaf_queries('vertex_face', [[[0, 0, 1]] + still], [[[0, 0, -1]] + still])
        >>> hit['verdict'], hit['t_hi'].round(3)
        (array([1], dtype=uint8), array([0.5]))
    """
def verify(file: _Path | Sequence[_Path], inputs: _Path | Sequence[_Path] = ()) -> Verification:
    """Check a certificate by itself, without robot, scene or search: a Verification.

    file: a path; or a list of them, the parts of one proof. inputs: files (robot, scene, ...) that must be among
    those that the certificate speaks of, by their SHA-256.

        >>> made = checker.certify(path[:4], 'way.pccd')
        >>> planner_ccd.verify('way.pccd').verified
        True
    """
