"""A small software rasteriser: flat shading, depth buffer, edges of depth darkened, PNG out. For looking at the models.

Triangles are drawn in batches of equal bounding box (powers of two), all pixels of a batch at once, nearest wins.
"""
import struct
import zlib

import numpy as np

from .solids import cross, unit

LIGHTS = ((unit((0.4, -0.5, 0.8)), 0.7), (unit((-0.7, -0.3, 0.3)), 0.2), (unit((0.1, 0.9, 0.2)), 0.3))
AMBIENT = 0.27
BACKGROUND = (246, 247, 250)


class Camera:
    """Perspective camera looking from `eye` at `target`; `width` [m] of the view at the target."""

    def __init__(self, eye, target, width, size):
        self.eye = np.asarray(eye, dtype=np.float64)
        self.forward = unit(np.asarray(target, dtype=np.float64) - self.eye)
        self.right = unit(cross(self.forward, (0, 0, 1)))
        self.up = cross(self.right, self.forward)
        distance = float(np.linalg.norm(np.asarray(target) - self.eye))
        self.size = size
        self.focal = size[0] * distance / width

    def project(self, points):
        d = points - self.eye
        depth = d @ self.forward
        x = self.size[0] / 2 + self.focal * (d @ self.right) / depth
        y = self.size[1] / 2 - self.focal * (d @ self.up) / depth
        return x, y, depth


def render(parts, eye, target, width, size=(640, 480), oversample=2):
    """Image (height, width, 3) of parts [(mesh, 4x4 pose, (r, g, b)), ...]."""
    camera = Camera(eye, target, width, (size[0] * oversample, size[1] * oversample))
    w, h = camera.size
    depth = np.full(w * h, np.inf)
    image = np.tile(np.array(BACKGROUND, dtype=np.float64), (w * h, 1))
    for mesh, pose, colour in parts:
        points = mesh.vertices @ np.asarray(pose)[:3, :3].T + np.asarray(pose)[:3, 3]
        corners = points[mesh.triangles]
        shade = _shade(corners, camera.eye, np.array(colour, dtype=np.float64))
        x, y, z = (a.reshape(-1, 3) for a in camera.project(corners.reshape(-1, 3)))
        _draw(x, y, z, shade, depth, image, (w, h))
    image = _outline(image.reshape(h, w, 3), depth.reshape(h, w))
    image = image.reshape(size[1], oversample, size[0], oversample, 3).mean(axis=(1, 3))
    return np.clip(image, 0, 255).astype(np.uint8)


def _shade(corners, eye, colour):
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-30
    view = eye - corners.mean(axis=1)
    away = np.einsum("ij,ij->i", normal, view) < 0
    normal[away] *= -1  # an open sheet is lit on both sides; its inside is a little darker
    light = AMBIENT + sum(strength * np.clip(normal @ direction, 0, 1) for direction, strength in LIGHTS)
    light = light * np.where(away, 0.6, 1.0)
    return colour * light[:, None]


def _draw(x, y, z, shade, depth, image, size):
    w, h = size
    x0, y0 = np.floor(x.min(axis=1)).astype(int), np.floor(y.min(axis=1)).astype(int)
    x1, y1 = np.ceil(x.max(axis=1)).astype(int), np.ceil(y.max(axis=1)).astype(int)
    visible = (x1 >= 0) & (y1 >= 0) & (x0 < w) & (y0 < h) & (z.min(axis=1) > 1e-3)
    extent = np.maximum(x1 - x0, y1 - y0) + 1
    level = np.ceil(np.log2(np.maximum(extent, 1))).astype(int)
    for k in np.unique(level[visible]):
        chosen = np.nonzero(visible & (level == k))[0]
        side = 1 << int(k)
        step = max(1, 4_000_000 // (side * side))
        for i in range(0, len(chosen), step):
            _draw_batch(chosen[i:i + step], side, (x, y, z, x0, y0), shade, depth, image, size)


def _draw_batch(t, side, data, shade, depth, image, size):
    x, y, z, x0, y0 = data
    w, h = size
    px = x0[t][:, None] + np.tile(np.arange(side), side)[None]
    py = y0[t][:, None] + np.repeat(np.arange(side), side)[None]
    ax, ay, bx, by, cx, cy = (v[t][:, None] for v in (x[:, 0], y[:, 0], x[:, 1], y[:, 1], x[:, 2], y[:, 2]))
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    area = np.where(np.abs(area) < 1e-12, 1e-12, area)
    qx, qy = px + 0.5, py + 0.5
    u = ((bx - qx) * (cy - qy) - (by - qy) * (cx - qx)) / area
    v = ((cx - qx) * (ay - qy) - (cy - qy) * (ax - qx)) / area
    inside = (u >= 0) & (v >= 0) & (u + v <= 1) & (px >= 0) & (py >= 0) & (px < w) & (py < h)
    row, column = np.nonzero(inside)
    if not len(row):
        return
    uu, vv, which = u[row, column], v[row, column], t[row]
    inverse = uu / z[which, 0] + vv / z[which, 1] + (1 - uu - vv) / z[which, 2]
    pixel, distance = (py * w + px)[row, column], 1 / inverse
    order = np.lexsort((distance, pixel))
    pixel, distance, which = pixel[order], distance[order], which[order]
    first = np.concatenate([[True], pixel[1:] != pixel[:-1]])
    pixel, distance, which = pixel[first], distance[first], which[first]
    nearer = distance < depth[pixel]
    depth[pixel[nearer]] = distance[nearer]
    image[pixel[nearer]] = shade[which[nearer]]


def _outline(image, depth):
    """Darkens pixels where the depth jumps, which separates parts of one colour."""
    d = np.where(np.isfinite(depth), depth, 1e3)
    jump = np.zeros(d.shape, dtype=bool)
    for axis in (0, 1):
        a = np.roll(d, 1, axis) + np.roll(d, -1, axis) - 2 * d
        jump |= a > 0.02 * d
    image[jump & np.isfinite(depth)] *= 0.45
    return image


def write_png(path, image):
    h, w, _ = image.shape
    rows = np.concatenate([np.zeros((h, 1), dtype=np.uint8), image.reshape(h, -1)], axis=1).tobytes()

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
