"""Everything the generator makes: file name -> bytes, checked on the way."""
from . import arm, arm_paths, blobs, car, chess, hand, hand_paths, mannequin, mannequin_paths, puma, puma_paths, rigid, scenes, shelf
from .urdf import mesh_bytes, mesh_file, srdf_text, urdf_text

ROBOTS = (puma.robot, arm.robot, mannequin.robot, hand.robot)

# Bodies that move freely in the benchmarks, and parts of scenes: file name -> maker.
BODIES = {
    "rigid/hare_70k.glb": blobs.hare,
    "rigid/duck_26k.glb": blobs.duck,
    "rigid/torus_knot.glb": rigid.torus_knot,
    "rigid/gear.glb": rigid.gear,
    "rigid/club.glb": rigid.club,
    "rigid/hammer.glb": rigid.hammer,
    "rigid/work_piece.glb": rigid.work_piece,
    "rigid/ball.glb": rigid.ball,
    "car/car.glb": car.car,
    "shelf/tin.glb": shelf.tin,
    "chess/board.glb": chess.board,
    "chess/pawn.glb": chess.pawn,
    "chess/rook.glb": chess.rook,
    "chess/knight.glb": chess.knight,
    "chess/bishop.glb": chess.bishop,
    "chess/queen.glb": chess.queen,
    "chess/king.glb": chess.king,
}

SCENES = {"arm_clutter": scenes.arm_clutter, "puma_car": scenes.puma_car, "chess": scenes.chess_board,
          "ball": scenes.ball, "puma_shelf": shelf.scene, "puma_shelf_scan": shelf.scan_scene}

PATHS = {"puma_window": puma_paths.window, "puma_fender": puma_paths.fender,
         "puma_shelf_pick": shelf.pick, "puma_shelf_behind": shelf.behind,
         "arm_free": arm_paths.free, "arm_plate": arm_paths.plate, "arm_pick": arm_paths.pick,
         "mannequin_exercise": mannequin_paths.exercise, "mannequin_walk": mannequin_paths.walk_lane,
         "mannequin_walk_kick": mannequin_paths.walk_kick}

OPEN = ("car/car.glb",)  # meshes that are sheets on purpose


def require_closed(name, mesh):
    """Every mesh that is not open on purpose must enclose a volume, all triangles facing outwards."""
    if not mesh.closed() or mesh.volume() <= 0:
        raise ValueError(f"{name}: not a closed surface facing outwards")


def add_mesh(result, name, mesh):
    """The mesh's file; returns its row of the README's table."""
    if name not in OPEN:
        require_closed(name, mesh)
    data = mesh_bytes(name, mesh)
    result[f"models/meshes/{name}"] = data
    low, high = mesh.bounds()
    size = " x ".join(f"{high[i] - low[i]:.3f}" for i in range(3))
    return f"| {name} | {len(mesh):,} | {size} | {'open' if name in OPEN else 'closed'} | {len(data) // 1024} |"


def add_robot(result, robot):
    """The robot's files; returns its row of the README's table."""
    solid = [link for link in robot.links if link.mesh is not None]
    for link in solid:
        add_mesh(result, mesh_file(robot, link), link.mesh)
    result[f"urdf/{robot.name}.urdf"] = urdf_text(robot).encode()
    result[f"urdf/{robot.name}.srdf"] = srdf_text(robot).encode()
    moving = sum(joint.kind != "fixed" for joint in robot.joints)
    excluded = len(robot.adjacent()) + len(robot.never)
    triangles = sum(len(link.mesh) for link in solid)
    return (f"| {robot.name} | {len(solid)} | {moving} | {triangles:,} | "
            f"{len(solid) * (len(solid) - 1) // 2 - excluded} of {len(solid) * (len(solid) - 1) // 2} |")


def readme(text, robots, bodies):
    """models/README.md with its tables, which stand between marks, brought up to date."""
    robots = ["| robot | bodies | joints | triangles | self pairs checked |", "|---|---|---|---|---|"] + robots
    bodies = ["| mesh | triangles | size [m] | surface | KiB |", "|---|---|---|---|---|"] + bodies
    for mark, rows in (("robots", robots), ("bodies", bodies)):
        begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
        head, tail = text.split(begin)[0], text.split(end)[1]
        text = head + begin + "\n".join(rows) + "\n" + end + tail
    return text


def files(readme_text):
    result = {}
    robots = [add_robot(result, make()) for make in ROBOTS]
    bodies = [add_mesh(result, name, make()) for name, make in BODIES.items()]
    for name, make in SCENES.items():
        result[f"models/scenes/{name}.yaml"] = make().encode()
    for name, make in PATHS.items():
        result[f"models/paths/{name}.csv"] = make().encode()
    for name, text in hand_paths.all_paths().items():
        result[f"models/paths/{name}.csv"] = text.encode()
    for name, data in shelf.scans().items():
        result[f"models/scans/{name}"] = data
    result["models/README.md"] = readme(readme_text, robots, bodies).encode()
    return result
