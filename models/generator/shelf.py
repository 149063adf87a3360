"""A shelf in front of the Puma, a depth camera that saw it from one side, and two motions into it (scenes puma_shelf, puma_shelf_scan)."""
import numpy as np

from .path_text import path_text
from .prism import layer, rectangle, stack
from .puma_paths import NAMES, reach
from .scan import Camera, Map, cloud_file, with_noise
from .scenes import box, entry, mesh, scene_text
from .solids import circle

# Name, size, centre [m]. The shelf is open to the Puma and above; its boards are 1 mm apart from one another.
BOARDS = [("board", (0.38, 1.02, 0.02), (0.81, -0.09, 0.44)), ("back", (0.02, 1.02, 0.66), (1.011, -0.09, 0.76)),
          ("left", (0.38, 0.02, 0.638), (0.81, 0.409, 0.77)), ("right", (0.38, 0.02, 0.638), (0.81, -0.589, 0.77))]
CARTONS = [("tall_carton", (0.14, 0.16, 0.36), (0.78, -0.03, 0.632)), ("flat_carton", (0.2, 0.16, 0.1), (0.84, -0.44, 0.502))]
TIN = (0.82, -0.22, 0.452)

CELL = 0.02  # [m]
LOW, HIGH = (0.56, -0.64, 0.4), (1.04, 0.46, 1.14)  # of the map
REGION = ((0.6, -0.58, 0.46), (1.0, 0.4, 1.0))  # where unknown space counts
SIGMA = 0.002  # [m] of a distance


def tin():
    """Its rim is wider; it stands on z = 0."""
    return stack([layer(0, 0.004, [circle(48, 0.042)]), layer(0.004, 0.136, [circle(48, 0.04)]), layer(0.136, 0.14, [circle(48, 0.042)])])


def _cuboid(size, centre):
    (x, y, z), half = centre, [s / 2 for s in size]
    return stack([layer(z - half[2], z + half[2], [rectangle(x - half[0], x + half[0], y - half[1], y + half[1])])])


def _stand():
    return [entry("pedestal", box((0.4, 0.4, 0.4)), (0, 0, -0.2))]


def scene():
    entries = _stand() + [entry(name, box(size), centre) for name, size, centre in BOARDS + CARTONS]
    entries.append(entry("tin", mesh("../meshes/shelf/tin.glb"), TIN))
    return scene_text("A shelf in front of urdf/puma.urdf: what is really there.", entries, [("base_link", "pedestal")])


def scan_scene():
    region = ", ".join(f"{name}: [{', '.join(map(str, corner))}]" for name, corner in zip(("min", "max"), REGION))
    entries = _stand() + ["  - {name: seen, cloud: {file: ../scans/shelf.npy, radius: 0.016}}",
                          f"  - {{name: map, octomap: {{file: ../scans/shelf.bt, unknown: occupied, region: {{{region}}}}}}}"]
    return scene_text("The same shelf as one depth camera saw it: what nobody has seen is in the way.", entries, [("base_link", "pedestal")])


def scans():
    """The files of a camera to the right of the Puma: the map of all rays, and every fourth point as a cloud."""
    columns, rows = 192, 144
    camera = Camera((0.05, -0.75, 1.0), (0.85, -0.12, 0.68), columns, rows, 150.0)
    meshes = [_cuboid(size, centre) for _, size, centre in BOARDS + CARTONS] + [tin().moved(translation=TIN)]
    distances = with_noise(camera.distances(meshes), SIGMA, seed=77)
    seen = Map(LOW, HIGH, CELL)
    seen.see(camera.eye, camera.rays, distances, reach=2.0)
    kept = np.zeros((rows, columns), dtype=bool)
    kept[1::2, 1::2] = True
    kept = kept.ravel() & np.isfinite(distances)
    return {"shelf.bt": seen.file(), "shelf.npy": cloud_file(camera.eye + distances[kept, None] * camera.rays[kept])}


def pick():
    """Free: from beside the shelf to the tin, which the camera saw, and out again."""
    rows = [reach(-60, 0.4, 0.95, -20), reach(-10, 0.36, 0.8, -10), reach(-5, 0.46, 0.62, 0), reach(-5, 0.57, 0.56, 0, 90),
            reach(-5, 0.46, 0.62, 0, 90), reach(-10, 0.36, 0.8, -10)]
    return path_text(NAMES, rows)


def behind():
    """Free of what is there, but behind the tall carton, where the camera saw nothing."""
    rows = [reach(-60, 0.4, 0.95, -20), reach(20, 0.34, 0.85, -10), reach(28, 0.5, 0.75, -10, 90), reach(25, 0.72, 0.72, -15, 90)]
    return path_text(NAMES, rows)
