"""Everything the generator makes: file name -> bytes, checked on the way."""
from . import puma
from .urdf import mesh_bytes, mesh_file, srdf_text, urdf_text

ROBOTS = (puma.robot,)


def require_closed(name, mesh):
    """Every mesh that is not open on purpose must enclose a volume, all triangles facing outwards."""
    if not mesh.closed() or mesh.volume() <= 0:
        raise ValueError(f"{name}: not a closed surface facing outwards")


def add_robot(result, robot):
    for link in robot.links:
        if link.mesh is not None:
            require_closed(f"{robot.name}/{link.name}", link.mesh)
            name = mesh_file(robot, link)
            result[name] = mesh_bytes(name, link.mesh)
    result[f"urdf/{robot.name}.urdf"] = urdf_text(robot).encode()
    result[f"urdf/{robot.name}.srdf"] = srdf_text(robot).encode()


def files():
    result = {}
    for make in ROBOTS:
        add_robot(result, make())
    return result
