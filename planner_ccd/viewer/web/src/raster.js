// Pictures without WebGL: triangles and lines drawn into pixels, with a depth buffer. Coordinates are pixels to the right
// and downwards, and a depth that grows towards the viewer. Colours are 0xBBGGRR.

export class Raster {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.depth = new Float32Array(width * height);
    this.clear();
  }

  clear() {
    this.pixels.fill(0);  // transparent
    this.depth.fill(-Infinity);
  }

  // The triangle of the vertices a, b, c of `v`, three numbers each. Pixels whose centres it contains are filled.
  triangle(v, a, b, c, colour) {
    const ax = v[3 * a], ay = v[3 * a + 1], bx = v[3 * b], by = v[3 * b + 1], cx = v[3 * c], cy = v[3 * c + 1];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!area) return;
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const right = Math.min(this.width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const bottom = Math.min(this.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    const az = v[3 * a + 2], bz = v[3 * b + 2], cz = v[3 * c + 2];
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const px = x + 0.5, py = y + 0.5;
        const u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area;
        const w = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area;
        if (u < 0 || w < 0 || u + w > 1) continue;
        const z = u * az + w * bz + (1 - u - w) * cz, at = y * this.width + x;
        if (z <= this.depth[at]) continue;
        this.depth[at] = z;
        this.pixels[at] = 0xff000000 | colour;
      }
    }
  }

  // A line from a to b where nothing is nearer by more than `bias`; half as strong as its colour.
  line(v, a, b, colour, bias) {
    const dx = v[3 * b] - v[3 * a], dy = v[3 * b + 1] - v[3 * a + 1], dz = v[3 * b + 2] - v[3 * a + 2];
    const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)));
    if (!(steps < 20 * (this.width + this.height))) return;
    for (let i = 0; i <= steps; i++) {
      const u = steps > 0 ? i / steps : 0;
      const x = Math.floor(v[3 * a] + u * dx), y = Math.floor(v[3 * a + 1] + u * dy);
      if (x < 0 || y < 0 || x >= this.width || y >= this.height) continue;
      const at = y * this.width + x;
      if (v[3 * a + 2] + u * dz + bias < this.depth[at]) continue;
      this.pixels[at] = 0xff000000 | ((this.pixels[at] & 0xfefefe) >>> 1) + ((colour & 0xfefefe) >>> 1);
    }
  }
}
