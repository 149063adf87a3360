"""Everything the generator makes: file name -> bytes, checked on the way."""
from . import arm, blobs, car, chess, hand, hand_paths, mannequin, mannequin_paths, puma, puma_paths, rigid, scenes
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
    "chess/board.glb": chess.board,
    "chess/pawn.glb": chess.pawn,
    "chess/rook.glb": chess.rook,
    "chess/knight.glb": chess.knight,
    "chess/bishop.glb": chess.bishop,
    "chess/queen.glb": chess.queen,
    "chess/king.glb": chess.king,
}

SCENES = {"arm_clutter": scenes.arm_clutter, "puma_car": scenes.puma_car, "chess": scenes.chess_board,
          "ball": scenes.ball}

PATHS = {"puma_window": puma_paths.window, "puma_fender": puma_paths.fender,
         "mannequin_exercise": mannequin_paths.exercise, "mannequin_walk": mannequin_paths.walk_lane,
         "mannequin_walk_kick": mannequin_paths.walk_kick}

OPEN = ("car/car.glb",)  # meshes that are sheets on purpose


def require_closed(name, mesh):
    """Every mesh that is not open on purpose must enclose a volume, all triangles facing outwards."""
    if not mesh.closed() or mesh.volume() <= 0:
        raise ValueError(f"{name}: not a closed surface facing outwards")


def add_mesh(result, name, mesh):
    if name not in OPEN:
        require_closed(name, mesh)
    result[f"models/meshes/{name}"] = mesh_bytes(name, mesh)


def add_robot(result, robot):
    for link in robot.links:
        if link.mesh is not None:
            add_mesh(result, mesh_file(robot, link), link.mesh)
    result[f"urdf/{robot.name}.urdf"] = urdf_text(robot).encode()
    result[f"urdf/{robot.name}.srdf"] = srdf_text(robot).encode()


def files():
    result = {}
    for make in ROBOTS:
        add_robot(result, make())
    for name, make in BODIES.items():
        add_mesh(result, name, make())
    for name, make in SCENES.items():
        result[f"models/scenes/{name}.yaml"] = make().encode()
    for name, make in PATHS.items():
        result[f"models/paths/{name}.csv"] = make().encode()
    for name, text in hand_paths.all_paths().items():
        result[f"models/paths/{name}.csv"] = text.encode()
    return result
