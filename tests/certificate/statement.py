#!/usr/bin/env python3
"""What certificates are bound to: model.py, which shares no code with the library, must make the same statement of the same files.

    statement.py PLANNER_CCD PLANNER_CCD_VERIFY SOURCE_FOLDER own|formats|bound|shared

own: every robot, path and scene of models/ and urdf/. formats: every format of meshes, scans and motions, and what is said in URDF, SRDF
and scene, each made here. bound: what must be refused, and forgeries. shared: the robots of ../shared/data; exit code 77 without these.
"""

import hashlib
import itertools
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

PROGRAM, VERIFY, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
FOLDER = SOURCE / "planner_ccd/certificate"
sys.path.insert(0, str(FOLDER))
import model  # noqa: E402
import verify  # noqa: E402
failures, asked = [], 0


def run(*words):
    return subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def fail(what):
    failures.append(what)
    print("WRONG: " + what, flush=True)


def options_of(robot, path, scene=None, srdf=None, more=()):
    return ["--robot", robot, "--path", path] + (["--scene", scene] if scene else []) + (["--srdf", srdf] if srdf else []) + list(more)


def of_library(options):
    said = run(PROGRAM, "statement", *options)
    return said.stdout.split()[-1] if said.returncode == 0 else "", said.stderr


def of_model(options):
    try:
        return model.statement(model.read_options([str(o) for o in options]))[0], ""
    except model.NotRead as why:
        return "", str(why)


def same(name, options):
    """The statement that both make of the files."""
    global asked
    asked += 1
    library, third = of_library(options), of_model(options)
    if len(library[0]) != 64 or library[0] != third[0]:
        fail("%s: library %s, model.py %s\n  %s\n  %s" % (name, library[0], third[0], library[1].strip()[-300:], third[1].strip()[-300:]))
    return library[0]


def own():
    robots = {"puma": ("puma_", ["puma_car", "puma_shelf", "puma_shelf_scan"]), "arm7": ("arm_", ["arm_clutter", "ball"]),
              "hand": ("hand_", ["ball"]), "mannequin": ("mannequin_", ["chess"])}
    for robot, (prefix, scenes) in robots.items():
        files = options_of(SOURCE / ("urdf/%s.urdf" % robot), "", srdf=SOURCE / ("urdf/%s.srdf" % robot))
        paths = sorted((SOURCE / "models/paths").glob(prefix + "*.csv"))
        if not paths:
            fail(robot + " has no paths")
        for i, path in enumerate(paths):
            files[3] = path
            scene = SOURCE / ("models/scenes/%s.yaml" % scenes[i % len(scenes)])
            same(path.name, files + (["--scene", scene, "--margin", "0.0125", "--self-margin", "1e-3"] if i < len(scenes) else []))


def shared():
    data = SOURCE.parent.parent / "shared/data"
    data = data if data.is_dir() else SOURCE.parent / "shared/data"
    robots = sorted(p for p in data.glob("robots/*/**/*.urdf") if "_parser_edge_cases" not in str(p))
    if not robots:
        print("SKIPPED: there is no ../shared/data, so its robots were not compared")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for urdf in robots:
            path = pathlib.Path(folder) / "path.csv"
            path.write_text(some_path(urdf))
            srdf = urdf.with_suffix(".srdf")
            options = options_of(urdf, path, srdf=srdf if srdf.exists() else None)
            if urdf.name == "puma560_robot.urdf":  # visuals alone
                options.append("--use-visual")
            same(str(urdf.relative_to(data)), options)


def some_path(urdf):
    import xml.etree.ElementTree
    columns = []
    for k, joint in enumerate(xml.etree.ElementTree.parse(urdf).getroot().findall("joint")):
        name, kind, limit = joint.get("name"), joint.get("type"), joint.find("limit")
        if joint.find("mimic") is not None or kind == "fixed":
            continue
        if kind == "floating":
            columns += zip([name + "/" + c for c in ("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z", "rot_w")],
                           (0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 1.0), (0.4, -0.2, 0.31, 0.1, 0.2, 0.3, 0.9273618495495703))
            continue
        low, high = (-1.0, 1.0) if kind == "continuous" else (float(limit.get("lower", 0)), float(limit.get("upper", 0)))
        columns.append((name, low + 0.3 * (high - low), low + (0.55 + 0.01 * k % 0.3) * (high - low)))
    return "".join(",".join(x if isinstance(x, str) else repr(x) for x in row) + "\n" for row in zip(*columns))


def faces():
    """Vertices and polygons: a prism over an L (concave outlines), a cube with a hollow in it, a tetrahedron, a sheet, a cube given twice."""
    vertices, polygons = [], []

    def add(points, outlines):
        polygons.extend([len(vertices) + i for i in outline] for outline in outlines)
        vertices.extend(points)
    outline = [(0.0, 0.0), (0.31, 0.0), (0.31, 0.1), (0.13, 0.1), (0.13, 0.27), (0.0, 0.27)]
    add([(x, y, z) for z in (0.0, 0.05) for x, y in outline],
        [[5, 4, 3, 2, 1, 0], list(range(6, 12))] + [[i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i] for i in range(6)])
    cube = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]

    def corners(low, high):
        return [tuple(high if i >> k & 1 else low for k in range(3)) for i in range(8)]
    add(corners(0.4, 0.7), cube)
    add(corners(0.45, 0.61), [f[::-1] for f in cube])
    add([(1.0, 0.0, 0.0), (1.1, 0.0, 0.0), (1.0, 0.1, 0.0), (1.0, 0.0, 0.1)], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    add([(2.0, 0.0, 0.0), (2.3, 0.0, 0.1), (2.3, 0.2, 0.1)], [[0, 1, 2]])
    add(corners(3.1, 3.2), cube + [f[::-1] for f in cube])
    return vertices, polygons


def solid_with_hollow():
    vertices, polygons = faces()
    return vertices[12:28], [[i - 12 for i in p] for p in polygons[8:20]]


def fan(polygons):
    return [(p[0], b, c) for p in polygons for b, c in zip(p[1:], p[2:])]


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def write_meshes(folder, name, mesh):
    """In every format, by its file's name."""
    vertices, polygons = mesh
    triangles, files = fan(polygons), {}
    facet = "facet normal 0 0 0\nouter loop\n%sendloop\nendfacet\n"
    text = "solid x\n" + "".join(facet % "".join("vertex %r %r %r\n" % vertices[i] for i in t) for t in triangles) + "endsolid x\n"
    files["a.stl"] = text.encode()
    files["b.stl"] = b"solid that is binary".ljust(80) + struct.pack("<I", len(triangles)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *[x for i in t for x in vertices[i]], 0) for t in triangles)
    files["c.obj"] = ("# comment\n" + "".join("v %r %r %r\n" % v for v in vertices) + "".join(
        "f " + " ".join("%d/1/1" % (i + 1 if k % 2 else i - len(vertices)) for k, i in enumerate(p)) + "\n" for p in polygons) + "l 1 2 3\n").encode()
    files["d.off"] = ("OFF\n%d %d 0\n" % (len(vertices), len(polygons)) + "".join("%r %r %r\n" % v for v in vertices) + "".join(
        "%d %s\n" % (len(p), " ".join(map(str, p))) for p in polygons)).encode()
    head = "ply\nformat %s 1.0\ncomment x\nelement vertex %d\nproperty double x\nproperty uchar red\nproperty double y\nproperty double z\n" \
           "element face %d\nproperty list uchar int vertex_indices\nend_header\n"
    for kind, order in (("binary_little_endian", "<"), ("binary_big_endian", ">")):
        data = b"".join(struct.pack(order + "dBdd", v[0], 7, v[1], v[2]) for v in vertices)
        data += b"".join(struct.pack("%sB%di" % (order, len(p)), len(p), *p) for p in polygons)
        files["e_%s.ply" % kind] = (head % (kind, len(vertices), len(polygons))).encode() + data
    files["f.ply"] = (head % ("ascii", len(vertices), len(polygons)) + "".join("%r 7 %r %r\n" % v for v in vertices) + "".join(
        "%d %s\n" % (len(p), " ".join(map(str, p))) for p in polygons)).encode()
    files["g.dae"] = dae(vertices, polygons).encode()
    files["h.glb"] = glb(vertices, triangles)
    for file, data in files.items():
        (folder / (name + "_" + file)).write_bytes(data)
    return [name + "_" + file for file in files]


def dae(vertices, polygons):
    return """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.9"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="%d">%s</float_array>
<technique_common><accessor source="#a" count="%d" stride="3"><param name="X" type="float"/><param name="Y"/><param name="Z"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="%d"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>
<vcount>%s</vcount><p>%s</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0.1 0.2 0.3</translate><rotate>1 2 3 37</rotate><scale>1 1.1 -0.9</scale>
<instance_geometry url="#g"/><node><matrix>0 -1 0 4 1 0 0 0.3 0 0 1 0.1 0 0 0 1</matrix><instance_geometry url="#g"/></node></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
""" % (3 * len(vertices), " ".join(repr(x) for v in vertices for x in v), len(vertices), len(polygons),
       " ".join(str(len(p)) for p in polygons), " ".join("%d 0" % i for p in polygons for i in p))


def glb(vertices, triangles):
    data = b"".join(struct.pack("<3f", *v) for v in vertices) + b"".join(struct.pack("<3H", *t) for t in triangles)
    data += b"\0" * (-len(data) % 4)
    n = 12 * len(vertices)
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "buffers": [{"byteLength": len(data)}],
            "nodes": [{"mesh": 0, "children": [1], "rotation": [0.1, 0.2, 0.3, math.sqrt(0.86)], "translation": [0.1, 0.7, -0.3],
                       "scale": [1.5, 1, -0.7]}, {"mesh": 0, "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 0.1, 0.3, 1]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "bufferViews": [{"buffer": 0, "byteLength": n}, {"buffer": 0, "byteOffset": n, "byteLength": 6 * len(triangles)}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"}]}
    text = json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(data), 0x004E4942) + data
    return b"glTF" + struct.pack("<2I", 2, 12 + len(chunks)) + chunks


URDF = """<robot name="made">
<link name="base"><collision><origin xyz="0 0 -9" rpy="0.1 -0.2 0.3"/><geometry><box size="0.3 0.2 0.1"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0.1 0.2 0.3" rpy="1.1 -0.7 2.3"/><geometry><mesh filename="%s" scale="%s"/></geometry></collision></link>
<link name="fixed"><collision><geometry><cylinder radius="0.03" length="0.2"/></geometry></collision>
<collision><origin rpy="0.3 0 0"/><geometry><sphere radius="0.04"/></geometry></collision></link>
<link name="frame"/><link name="slider"><collision><origin rpy="0 0.4 0.1"/><geometry><capsule radius="0.02" length="0.3"/></geometry></collision></link>
<link name="finger"><collision><geometry><box size="0.01 0.02 0.03"/></geometry></collision></link>
<link name="cart"><collision><origin xyz="4 4 4"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="kite"><collision><origin xyz="-4 4 4"/><geometry><sphere radius="0.2"/></geometry></collision></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.01 0.02 0.5" rpy="0.2 0.3 -0.4"/>
<axis xyz="1 2 3"/><limit lower="-2" upper="2.5" velocity="1" effort="1"/></joint>
<joint name="f1" type="fixed"><parent link="arm"/><child link="fixed"/><origin xyz="0.3 0.1 -0.2" rpy="0.3 0.2 0.1"/></joint>
<joint name="f2" type="fixed"><parent link="fixed"/><child link="frame"/><origin xyz="0.05 0 0" rpy="0 0 1"/></joint>
<joint name="j2" type="prismatic"><parent link="frame"/><child link="slider"/><axis xyz="0 0.6 0.8"/><origin xyz="1 0 0"/>
<limit lower="0" upper="0.4" velocity="1" effort="1"/></joint>
<joint name="j3" type="continuous"><parent link="slider"/><child link="finger"/><mimic joint="j1" multiplier="-0.5" offset="0.1"/></joint>
<joint name="p1" type="planar"><parent link="base"/><child link="cart"/><axis xyz="0.1 0.2 1"/></joint>
<joint name="k1" type="floating"><parent link="base"/><child link="kite"/><origin xyz="0 0 1" rpy="0.1 0.1 0.1"/></joint>
</robot>"""
SRDF = """<robot name="made"><disable_collisions link1="base" link2="slider" reason="Never"/><disable_collisions link1="cart" link2="kite"/>
<disable_default_collisions link="finger"/><enable_collisions link1="arm" link2="base"/><enable_collisions link1="finger" link2="cart"/>
<disable_collisions link1="nobody" link2="cart"/><group name="g"><joint name="j1"/></group></robot>"""
COLUMNS = ["j1", "j2", "p1/x", "p1/y", "p1/theta"] + ["k1/" + c for c in ("trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z", "rot_w")]
POINTS = [[0.1, 0.05, 0.0, 0.1, 0.2, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 1.0],
          [0.7, 0.1, 0.3, -0.1, 1.2, 0.1, 0.2, 0.4, 0.1, 0.2, 0.3, 0.9273618495495703],
          [-1.3, 0.1, 0.37, 0.2, -0.3, 0.3, 0.1, 0.45, -0.5, 0.5, -0.5, 0.5]]


def csv(rows=POINTS, columns=COLUMNS):
    return "# made\n" + ", ".join(columns) + "\n" + "".join(",".join(repr(x) for x in row) + "\n" for row in rows)


def message(names, points, nested=True):
    keys = ("positions", "velocities", "accelerations")
    made = {"joint_names": names, "points": [dict([(k, v) for k, v in zip(keys, p[1:])], time_from_start=p[0]) for p in points]}
    return made if not nested else {"joint_trajectory": made, "multi_dof_joint_trajectory": {"joint_names": [], "points": []}}


STILL = ["--hold", "p1/x=0.1", "--hold", "p1/y=0", "--hold", "p1/theta=-2"] + [
    w for c, x in zip(COLUMNS[5:], (0, 0, 2, 0, 0, 0, 1)) for w in ("--hold", "%s=%d" % (c, x))]


def motions():
    """Names and texts of files, and options."""
    yield "path.csv", csv(), []
    yield "timed.csv", csv([[0.5 * i] + row[:1] + [0.3 - i] + row[1:2] + [0.01 * i] for i, row in enumerate(POINTS)],
                           ["time", "j1", "j1.velocity", "j2", "j2.velocity"]), STILL
    yield "quintic.csv", csv([[0.7 * i, row[0], 0.3 - i, 0.2, row[1], 0.0, -0.1 * i] for i, row in enumerate(POINTS)],
                             ["time", "j1", "j1.velocity", "j1.acceleration", "j2", "j2.velocity", "j2.acceleration"]), STILL
    three = [(dict(sec=i, nanosec=100000001 * i), row[:2], [0.1, -0.2 * i]) for i, row in enumerate(POINTS)]
    yield "ros.json", json.dumps(message(["j1", "j2"], three, False)), STILL
    four = [(1.5 * i, row[1::-1], [0.1, -0.2 * i], [0.3, 0.1 * i]) for i, row in enumerate(POINTS)]
    held = {"joint_state": {"name": ["j1", "nobody"], "position": [0.1, 3]}}
    yield "moveit.json", json.dumps({"trajectory_start": held, "trajectory": [message(["j2", "j1"], four)]}), STILL
    yield "ros.yaml", "joint_names: [j1, j2]\npoints:\n" + "".join(
        "- positions:\n  - %r\n  - %r\n  velocities: [0.5, 1e-2]\n  effort: []\n  time_from_start: {secs: %d, nsecs: 5}\n" % (row[0], row[1], i)
        for i, row in enumerate(POINTS)) + "---\n", STILL
    yield "bezier.yaml", "bezier: {joint_names: [j2, j1], pieces: [{from: 0, to: 2, control_points: [[0.1, 1], [0.2, 0.3], [0.3, 1.1]]}, " \
        "{from: 2, to: 2.5, control_points: [[0.3, 1.1], [0.2, 0.3], [0.11, 0], [0.1, 0.7], [0.3, -1], [0.05, 0.35]]}]}\n", STILL
    yield "spline.yaml", "b_spline:\n  joint_names: [j1, j2]\n  degree: 3\n  knots: [0, 0, 0, 0, 0.3, 1.7, 2, 2, 2, 2]\n" \
        "  control_points: [[0, 0.1], [1, 0.1], [2, 0.15], [2.1, 0.2], [0.3, 0.17], [-1, 0.1]]\n", STILL
    yield "still.csv", csv(POINTS[:1]), []
    frames = [{"time_from_start": 1.5 * i, "transforms": [
        {"translation": dict(zip("xyz", row[5:8])), "rotation": dict(zip("xyzw", row[8:]))},
        {"translation": {"x": row[2], "y": row[3], "z": 0}, "rotation": {"x": 0, "y": 0, "z": math.sin(row[4]), "w": math.cos(row[4])}}]}
        for i, row in enumerate(POINTS)]
    both = {"joint_trajectory": message(["j2", "j1"], four, False), "multi_dof_joint_trajectory": {"joint_names": ["k1", "cart_on_z"], "points": frames}}
    yield "frames.json", json.dumps(both), []
    alone = {"joint_trajectory": {"joint_names": [], "points": []}, "multi_dof_joint_trajectory": {"joint_names": ["k1"], "points": [
        {"time_from_start": p["time_from_start"], "transforms": p["transforms"][:1]} for p in frames]},
        "trajectory_start": {"joint_state": {"name": ["j1", "j2"], "position": [0.3, 0.2]}, "multi_dof_joint_state": {
            "joint_names": ["cart_on_z", "world_joint"], "transforms": [frames[1]["transforms"][1], frames[1]["transforms"][0]]}}}
    yield "frames_alone.json", json.dumps(alone), []


SCENE = """objects:
  - {name: table, box: {size: [1, 2, 0.05]}, pose: {xyz: [5, 0, 0.7], quaternion: [0.1, 0.2, 0.3, 0.9273618495495703]}}
  - {name: bench, pose: {xyz: [6, 0, 0], rotation: [[0, -1, 0], [1, 0, 0], [0, 0, 1.0000001]]},
     shapes: [{box: {size: [1, 1, 0.1]}, pose: {rpy: [0.1, 0.2, 0.3]}}, {sphere: {radius: 0.2}, pose: {xyz: [0, 0, 0.3]}}]}
  - {name: part, mesh: MESH, scale: [0.5, -0.5, 0.7], pose: {xyz: [7, 0.1, 0], rpy: [1, 2, 3]}}
  - {name: pipe, cylinder: {radius: 0.1, length: 2}, pose: {xyz: [8, 0, 0], rpy: [0.3, 0, 0]}}
  - {name: "bar", capsule: {radius: 0.05, length: 0}, pose: {xyz: [9, 0, 0]}}
attached:
  - {name: cup, cylinder: {radius: 0.04, length: 0.1}, link: slider, touch_links: [finger, frame], pose: {xyz: [0.3, 0, 0.1], rpy: [0.2, 0, 0]}}
  - {name: pin, sphere: {radius: 0.01}, link: fixed, pose: {xyz: [0, 0.5, 0.1]}}
allow: [[base, table], [arm, table], ["*", bar], [pin, cup]]
margins: [["*", "*", 0.005], [arm, pipe, 0.02], ["*", part, 0.03], [slider, "*", 0.011], [arm, slider, 0.004]]
padding: {slider: 0.005, cup: 0.1}
"""
POINTS_OF_SCAN = [(0.1 * i + 0.01, 0.2 - 0.03 * i, 1.0 / (i + 3)) for i in range(40)] + [(math.nan, 0.0, 0.0)]


def packed(data):
    """LZF of bytes that end in many equal pairs."""
    literal, pairs = data[:-80], 80 - 2  # the copies take the pair before them
    out = b"".join(bytes([len(literal[i:i + 32]) - 1]) + literal[i:i + 32] for i in range(0, len(literal), 32)) + bytes([1]) + data[-2:]
    out += bytes([7 << 5, pairs - 9, 1])
    return struct.pack("<2I", len(out), len(data)) + out


def write_scans(folder):
    """Shapes of a scene, as YAML."""
    points = POINTS_OF_SCAN
    singles = [tuple(single(x) for x in p) for p in points]
    (folder / "a.xyz").write_text("// points\n" + "".join("%r %r %r 7\n" % p for p in points))
    (folder / "b.csv").write_text('i;"Z";x;y\n' + "".join("1;%r;%r;%r\n" % (p[2], p[0], p[1]) for p in points))
    head = "# .PCD\nVERSION .7\nFIELDS x y z i\nSIZE %d %d %d 2\nTYPE F F F U\nCOUNT 1 1 1 1\nWIDTH 41\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 41\nDATA %s\n"
    (folder / "c.pcd").write_text(head % (8, 8, 8, "ascii") + "".join("%r %r %r 3\n" % p for p in points))
    (folder / "d.pcd").write_bytes((head % (4, 4, 4, "binary")).encode() + b"".join(struct.pack("<3fH", *p, 3) for p in points))
    fields = b"".join(struct.pack("<41f", *(p[k] for p in points)) for k in range(3)) + b"\3\0" * 41
    (folder / "p.pcd").write_bytes((head % (4, 4, 4, "binary_compressed")).encode() + packed(fields))
    (folder / "e.ply").write_text("ply\nformat ascii 1.0\nelement vertex 41\nproperty float x\nproperty float y\nproperty float z\nend_header\n" +
                                  "".join("%r %r %r\n" % p for p in points))
    for name, kind, code, rows in (("f.npy", "<f8", "d", points), ("g.npy", "<f4", "f", singles)):
        text = ("{'descr': '%s', 'fortran_order': %s, 'shape': (41, 3), }" % (kind, code == "f")).ljust(117) + "\n"
        values = [x for p in (zip(*rows) if code == "f" else rows) for x in p]
        (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + struct.pack("<123" + code, *values))
    cloud = ["cloud: {file: %s, radius: 0.004}" % f for f in ("a.xyz", "b.csv", "c.pcd", "d.pcd", "p.pcd", "e.ply", "f.npy", "g.npy")]
    # Two levels of nodes: of the root's children one is inner, with a free, an occupied and an inner child, and so on to the finest.
    levels = [struct.pack("<H", 3 | 1 << 4)] + [struct.pack("<H", (3 if k < 14 else 2) | 2 << 2 | 1 << 6) for k in range(15)]
    (folder / "m.bt").write_bytes(b"# Octomap OcTree binary file\nid OcTree\nsize 48\nres 0.05\ndata\n" + b"".join(levels))
    leaf = struct.pack("<fB", 0.7, 0)
    nodes = struct.pack("<fB", 0.1, 0b101) + struct.pack("<fB", 0.1, 0b11) + leaf + struct.pack("<fB", -0.7, 0) + leaf
    (folder / "n.ot").write_bytes(b"# Octomap OcTree file\nid OcTree\nsize 5\nres 1e-4\ndata\n" + nodes)
    region = "region: {min: [-1638.4, -1638.4, -1638.4], max: [-1638.12, -1638.22, -1638]}"
    return cloud + ["octomap: {file: m.bt, unknown: free}", "octomap: {file: m.bt, unknown: occupied, %s}" % region,
                    "octomap: {file: n.ot, unknown: free}"]


def formats():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        robot, srdf, path, scene = folder / "made.urdf", folder / "made.srdf", folder / "path.csv", folder / "scene.yaml"
        srdf.write_text(SRDF)
        path.write_text(csv())
        for kind, mesh in (("faces", faces()), ("hollow", solid_with_hollow())):
            for file, scale in zip(write_meshes(folder, kind, mesh), itertools.cycle(("1 1 1", "0.001", "1 -2 0.5"))):
                robot.write_text(URDF % (file, scale))
                scene.write_text(SCENE.replace("MESH", file))
                same(file, options_of(robot, path, scene, srdf, ["--margin", "0.001", "--self-margin", "0.0005"]))
        same("honour", options_of(robot, path, scene, srdf, ["--dae-up-axis", "honour"]))
        robot.write_text(URDF % ("hollow_g.dae", "1 1 1"))
        plain, turned = [same("DAE's axes", options_of(robot, path, more=more)) for more in ([], ["--dae-up-axis", "honour"])]
        if plain == turned:
            fail("the up axis changes nothing")
        robot.write_text(URDF % ("package://parts/hollow_c.obj", "1 1 1"))
        in_package = same("a package", options_of(robot, path, more=["--package", "parts=" + name]))
        for file, words, more in motions():
            (folder / file).write_text(words)
            if file.startswith("frames"):  # of a planar joint about z
                robot.write_text((URDF % ("hollow_c.obj", "1 1 1")).replace("0.1 0.2 1", "0 0 1").replace('"p1"', '"cart_on_z"'))
            same(file, options_of(robot, folder / file, more=more + ["--package", "parts=" + name]))
        robot.write_text(URDF % ("hollow_c.obj", "1 1 1"))
        if same("beside", options_of(robot, path)) != in_package:
            fail("the same mesh by another name is another statement")
        for shape in write_scans(folder):
            scene.write_text("objects:\n- {name: scan, %s, pose: {xyz: [1700, 0, 3], rpy: [0.3, 0.2, 0.1]}}\n" % shape)
            same(shape, options_of(robot, path, scene, srdf))
        every_word_counts(folder, robot, srdf, path, scene)


def every_word_counts(folder, robot, srdf, path, scene):
    """Whatever is changed in a file changes the statement, in both readers alike."""
    changes = [(robot, URDF % ("hollow_c.obj", "1 1 1"), pairs) for pairs in (
        ('size="0.3 0.2 0.1"', 'size="0.3 0.2 0.10000000000000002"'), ('xyz="1 2 3"', 'xyz="1 2 3.0000000001"'), ("1.1 -0.7 2.3", "1.1 -0.7 2.31"),
        ('radius="0.03"', 'radius="0.031"'), ('upper="2.5"', 'upper="2.6"'), ('offset="0.1"', 'offset="0.2"'), ('"cart"', '"card"'),
        ('multiplier="-0.5"', 'multiplier="0.5"'), ('<link name="frame"/>', '<link name="frame"/><link name="loose"><collision><geometry>'
                                                    '<sphere radius="1"/></geometry></collision></link>'))]
    changes += [(srdf, SRDF, pairs) for pairs in (("Never", "Ever"), ('link1="base" link2="slider"', 'link1="arm" link2="slider"'),
                                                  ('disable_default_collisions link="finger"', 'disable_default_collisions link="kite"'))]
    changes += [(scene, SCENE.replace("MESH", "hollow_c.obj"), pairs) for pairs in (
        ("1, 2, 0.05", "1, 2, 0.06"), ("[5, 0, 0.7]", "[5, 0, 0.7000000000000001]"), ("[arm, table], ", ""), ("0.02]", "0.021]"), ("0.03]", "0.04]"),
        ("slider: 0.005", "slider: 0.006"), ("[finger, frame]", "[frame]"), ("name: bench", "name: bank"), ("0.004]", "0.0045]"))]
    changes += [(path, csv(), pairs) for pairs in (("-1.3", "-1.300000000000001"), ("0.37", "0.38"), ("-0.5,0.5,-0.5,0.5", "0.5,0.5,-0.5,0.5"))]
    for file, words in ((robot, URDF % ("hollow_c.obj", "1 1 1")), (srdf, SRDF), (scene, SCENE.replace("MESH", "hollow_c.obj")), (path, csv())):
        file.write_text(words)
    options = options_of(robot, path, scene, srdf)
    statements = {same("unchanged", options)}
    for file, words, (old, new) in changes:
        if words.count(old) == 0:
            fail("%s is not in %s" % (old, file.name))
        if old == '"cart"':
            srdf.write_text(SRDF.replace(old, new))
        file.write_text(words.replace(old, new))
        statements.add(same("%s for %s" % (new, old), options))
        file.write_text(words)
        srdf.write_text(SRDF)
    (folder / "hollow_c.obj").write_text((folder / "hollow_c.obj").read_text().replace("0.45", "0.46", 1))
    statements.add(same("a vertex", options))
    for margins in (["--margin", "0.001"], ["--self-margin", "0.001"]):
        statements.add(same(" ".join(margins), options + margins))
    if len(statements) != len(changes) + 4:
        fail("%d changes make %d statements" % (len(changes) + 3, len(statements) - 1))


def refused_with(name, parts, code, *words):
    said = run(*words)
    text = said.stdout + said.stderr
    if said.returncode not in (code if isinstance(code, tuple) else (code,)) or not all(p in text for p in parts):
        fail("%s: exit code %d in place of %s, or without %s: %s" % (name, said.returncode, code, parts, text[-500:]))
    if code == 2 and "statement " in said.stdout and "model.py" in str(words[1]):
        fail(name + ": refused, and a statement all the same")


def bound():
    car = dict(robot=SOURCE / "urdf/puma.urdf", srdf=SOURCE / "urdf/puma.srdf", scene=SOURCE / "models/scenes/puma_car.yaml")
    window, fender = options_of(path=SOURCE / "models/paths/puma_window.csv", **car), options_of(path=SOURCE / "models/paths/puma_fender.csv", **car)
    by_model = ["--model", FOLDER / "model.py"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file, forged = folder / "run.pccd", folder / "forged.pccd"
        said = run(PROGRAM, "check", *window, "--certificate", file)
        stated = same("the window", window)
        if stated not in said.stdout or str(SOURCE).encode() in file.read_bytes() or b"puma_window.csv" not in file.read_bytes():
            fail("check does not print the statement, or writes where its files lie")
        for verifier in ([VERIFY], [sys.executable, FOLDER / "verify.py", "--sample", "100"]):
            some = "--sample" in verifier  # not all leaves, in place of a minute: what is proved is then not said
            sampled = 3 if some else 0
            refused_with("unbound", ["not bound to files"] + ([] if some else [stated]), sampled, *verifier, file)
            refused_with("bound", ["bound to statement " + stated], sampled, *verifier, file, "--statement", stated)
            refused_with("another one", ["refuted", "proves something else"], 1, *verifier, file, "--statement", stated[:-1] + ("0" if stated[-1] != "0" else "1"))
        refused_with("files", ["bound to the files given", "verified"], 0, VERIFY, file, *window)  # finds its model.py
        refused_with("a margin that is not proved", ["refuted"], 1, VERIFY, file, *window, *by_model, "--", "--margin", "0.001")
        refused_with("no model.py", ["model.py"], 2, VERIFY, file, *window, "--model", folder / "nowhere.py")
        # A certificate of a harmless motion that says it is of the colliding one: its author writes that file's hash.
        forged.write_bytes(with_hash_of(file.read_bytes(), SOURCE / "models/paths/puma_fender.csv"))
        refused_with("a harmless motion, by hashes alone", ["not bound to files"], 0, VERIFY, forged, "--path", SOURCE / "models/paths/puma_fender.csv")
        refused_with("a harmless motion for a colliding one", ["refuted", "proves something else"], 1, VERIFY, forged, *fender, *by_model)
        # Who wrote it, what for, notes and names of files say nothing of what is true; nor does the order of pairs.
        forged.write_bytes(resealed(file.read_bytes(), lambda b: b.replace(b"puma_window.csv", b"puma_fender.csv").replace(b"robot puma", b"robot PUMA")))
        refused_with("other names", [stated, "verified"], 0, VERIFY, forged, "--statement", stated)
        what_is_not_read(folder, car)
        every_kind_of_joint(folder)


def every_kind_of_joint(folder):
    """One statement of planar, floating and mimic joints, whoever says it; all of it is proved."""
    robot, srdf, path, file = [folder / name for name in ("made.urdf", "made.srdf", "path.csv", "made.pccd")]
    write_meshes(folder, "hollow", solid_with_hollow())
    robot.write_text(URDF % ("hollow_c.obj", "1 1 1"))
    srdf.write_text(SRDF)
    path.write_text(csv())
    options = options_of(robot, path, srdf=srdf)
    run(PROGRAM, "check", *options, "--certificate", file)
    stated = same("every kind of joint", options)
    for verifier in ([VERIFY], [sys.executable, FOLDER / "verify.py"]):
        refused_with("every kind of joint", ["verified"], 0, *verifier, file, "--statement", stated)


def statement_of(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        reader = verify.Reader(file.name)
        verify.read_statement(reader)
        return data[44:len(data) - reader.left]


def resealed(data, change):
    old = statement_of(data)
    new = change(old)
    return data[:12] + hashlib.sha256(new).digest() + new + data[44 + len(old):]


def with_hash_of(data, path):
    digest = hashlib.sha256((SOURCE / "models/paths/puma_window.csv").read_bytes()).digest()
    if data.count(digest) != 1:
        fail("the path's hash is not in the certificate")
    size = struct.pack("<Q", len((SOURCE / "models/paths/puma_window.csv").read_bytes()))
    return resealed(data, lambda b: b.replace(size + digest, struct.pack("<Q", len(path.read_bytes())) + hashlib.sha256(path.read_bytes()).digest()))


def what_is_not_read(folder, car):
    """Refused by name, never guessed."""
    path, scene = SOURCE / "models/paths/puma_window.csv", folder / "scene.yaml"
    reader = [sys.executable, FOLDER / "model.py"]
    for shape, why in (("convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}", "convex"), ("box: {size: [1, 1]}", "list of 3"),
                       ("height_field: {file: a.npy, pixel: 1}", "height_field"), ("box: {size: [1, 1, 1]}, pose_error: {xyz: 0.1}", "error"),
                       ("mesh: a.fbx", "not found"), ("sphere: {radius: 1m}", "number"), ("box: {size: [1, 1, 1]}, colour: red", "colour"),
                       ("cloud: {file: a.pcd, radius: 1, drop_robot: {within: 1}}", "drop_robot")):
        scene.write_text("objects:\n- {name: x, %s}\n" % shape)
        refused_with(shape, ["model.py: ", why], 2, *reader, *options_of(car["robot"], path, scene))
    scene.write_text("world: {collision_objects: []}\n")
    refused_with("MoveIt's scene", ["model.py: ", "world"], 2, *reader, *options_of(car["robot"], path, scene))
    refused_with("several robots", ["twice"], 2, *reader, *options_of(car["robot"], path), "--robot", car["robot"])
    refused_with("a base", ["--base"], 2, *reader, *options_of(car["robot"], path), "--base", "1,0,0")
    refused_with("no path", ["--path"], 2, *reader, "--robot", car["robot"])
    (folder / "path.csv").write_text("joint1\n1\n")
    refused_with("a joint is missing", ["missing"], 2, *reader, *options_of(car["robot"], folder / "path.csv"))


{"own": own, "formats": formats, "bound": bound, "shared": shared}[sys.argv[4]]()
print("%d statements compared, %d wrong" % (asked, len(failures)))
sys.exit(1 if failures or (asked < 5 and sys.argv[4] != "bound") else 0)
