// Robot and scene from two sides, drawn without WebGL, for machines on which that is not to be had. Takes the same
// commands as Solid.
import {creaseLines} from './geometry.js';
import {compose, stayAt} from './kinematics.js';
import {Raster} from './raster.js';
import {kFirst, kSecond} from './theme.js';

const kProbe = 72;    // [px] the size of the pictures that are compared to find good sides
const kMarker = '#ffd400';
const kGap = 1;       // [px] between the pictures
const kMany = 20000;  // triangles: more are drawn without edges while things move, and compared from fewer sides

// Right, up and towards the viewer, for a viewer in this direction.
function axesOf({azimuth, elevation}) {
  const ca = Math.cos(azimuth), sa = Math.sin(azimuth), ce = Math.cos(elevation), se = Math.sin(elevation);
  return {right: [-sa, ca, 0], up: [-ca * se, -sa * se, ce], towards: [ca * ce, sa * ce, se]};
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function rgb(text) {
  const n = parseInt(text.slice(1), 16);
  return [n >> 16, n >> 8 & 255, n & 255];
}

const mixed = (a, b, share) => a.map((x, i) => x + share * (b[i] - x));

export class Sketch {
  constructor(data, motion, theme, {canvas, label}) {
    Object.assign(this, {data, motion, theme, canvas, label});
    this.context = canvas.getContext('2d');
    if (!this.context) throw new Error('this browser cannot draw');
    this.layer = 'collision';
    this.edges = this.ground = true;
    this.busy = this.pending = false;
    this.finding = null;
    this.time = motion.begin;
    this.pictures = 0;
    this.creases = data.meshes.map(() => null);
    this.home = this.focusOf();
    this.sides = [{azimuth: -0.86, elevation: 0.4}, {azimuth: 0.71, elevation: 0.4}];
    this.frame = this.home;
    this.dragToTurn();
    theme.listen(() => this.invalidate());
    this.observer = new ResizeObserver(() => this.invalidate());
    this.observer.observe(canvas.parentElement);
  }

  setTime(time) {
    this.time = time;
    this.invalidate();
  }

  select(finding, near) {
    this.finding = finding;
    if (!finding || !finding.touch || !near) return this.invalidate();
    this.look({centre: this.touchPoint(), radius: 0.35 * this.home.radius});
  }

  lookAtAll() {
    this.look(this.home);
  }

  setLayer(layer) {
    this.layer = layer;
    this.invalidate();
  }

  setEdges(shown) {
    this.edges = shown;
    this.invalidate();
  }

  setGround(shown) {
    this.ground = shown;
    this.invalidate();
  }

  setGhost() {}  // its switch is hidden where this view is shown

  setBusy(busy) {
    this.busy = busy;
    this.invalidate();
  }

  touchPoint() {
    const {point_a: a, point_b: b} = this.finding.touch;
    return a.map((x, i) => 0.5 * (x + b[i]));
  }

  // Shows a ball from the two sides from which most of the robot can be seen; of a finding, of its first body, and its point.
  look(frame) {
    this.frame = frame;
    const shapes = this.placedShapes();
    const probes = [];
    const steps = this.triangleCount > kMany ? 6 : 12;
    for (const elevation of [0.4, 0.75]) {
      for (let i = 0; i < steps; i++) {
        const side = {azimuth: 2 * Math.PI * i / steps - 0.86, elevation};
        probes.push({side, score: this.visibility(shapes, side) - (elevation > 0.5 ? 0.05 : 0) + 0.03 * Math.cos(2 * Math.PI * i / steps)});
      }
    }
    probes.sort((a, b) => b.score - a.score);
    const across = ({side}) => Math.abs(Math.cos(side.azimuth - probes[0].side.azimuth)) < 0.55;
    this.sides = [probes[0].side, (probes.find(across) || probes[1]).side];
    this.invalidate();
  }

  // The share of what is wanted that is seen, and 1 more if the marked point is.
  visibility(shapes, side) {
    const picture = new Raster(kProbe, kProbe);
    const view = this.viewOf(side, 0, 0, kProbe, kProbe);
    const isWanted = (shape) => (this.finding ? shape.role === 'first' : shape.kind !== 'obstacle');
    const count = () => picture.pixels.reduce((n, p) => n + (p === 0xff000001), 0);
    for (const shape of shapes) if (isWanted(shape)) this.fill(picture, shape, view, () => 1);
    const alone = count();
    for (const shape of shapes) if (!isWanted(shape)) this.fill(picture, shape, view, () => 2);
    const score = count() / Math.max(1, alone);
    if (!this.finding || !this.finding.touch) return score;
    const [x, y, z] = view.project(this.touchPoint());
    const at = Math.floor(y) * kProbe + Math.floor(x);
    return score + (picture.depth[at] < z + 0.04 * this.home.radius ? 1 : 0);
  }

  // Maps points of the world to pixels of a part of the canvas.
  viewOf(side, left, top, width, height) {
    const axes = axesOf(side);
    const scale = 0.46 * Math.min(width, height) / this.frame.radius;
    const x0 = left + width / 2 - scale * dot(axes.right, this.frame.centre);
    const y0 = top + height / 2 + scale * dot(axes.up, this.frame.centre);
    const rows = [...axes.right.map((x) => scale * x), ...axes.up.map((x) => -scale * x), ...axes.towards];
    const transform = [...rows, x0, y0, 0];  // as a pose
    const project = (p) => [0, 1, 2].map((k) => dot(transform.slice(3 * k, 3 * k + 3), p) + transform[9 + k]);
    return {axes, scale, transform, project, left, top, width, height};
  }

  // Every shape of the layer with its pose in the world, at the present time.
  placedShapes() {
    const poses = this.motion.poses(this.time);
    return this.data.items.flatMap((item) => {
      const stay = stayAt(item, this.time);
      const shapes = item[this.layer] || item.collision || item.visual;
      const role = !this.finding ? '' : this.finding.a.includes(item.name) ? 'first'
        : this.finding.b.includes(item.name) ? 'second' : '';
      const pose = compose(poses[stay.body], stay.pose);
      return shapes.map((shape) => ({
        mesh: shape.mesh, colour: shape.colour, kind: item.kind, role, pose: compose(pose, shape.pose)}));
    });
  }

  projected(points, pose, view) {
    const out = new Float32Array(points.length), m = compose(view.transform, pose);
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i], y = points[i + 1], z = points[i + 2];
      for (let k = 0; k < 3; k++) out[i + k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k];
    }
    return out;
  }

  // `colourOf`: of the cosine between the triangle's normal and the direction to the viewer.
  fill(picture, shape, view, colourOf) {
    const {positions, indices} = this.data.meshes[shape.mesh];
    const v = this.projected(positions, shape.pose, view);
    for (let i = 0; i < indices.length; i += 3) {
      const a = indices[i], b = indices[i + 1], c = indices[i + 2];
      const ux = v[3 * b] - v[3 * a], uy = v[3 * b + 1] - v[3 * a + 1], uz = view.scale * (v[3 * b + 2] - v[3 * a + 2]);
      const wx = v[3 * c] - v[3 * a], wy = v[3 * c + 1] - v[3 * a + 1], wz = view.scale * (v[3 * c + 2] - v[3 * a + 2]);
      const nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
      // Light comes from the viewer's upper left; both sides of a surface are lit.
      const lit = Math.max(0, Math.sign(nz) * (0.86 * nz - 0.3 * nx - 0.42 * ny)) / (Math.hypot(nx, ny, nz) || 1);
      picture.triangle(v, a, b, c, colourOf(lit));
    }
  }

  paintOf(shape) {
    const {colours} = this.theme;
    const own = shape.colour && !shape.role ? shape.colour.slice(0, 3).map((x) => 255 * x) : rgb(colours[shape.kind]);
    const role = {first: kFirst, second: kSecond}[shape.role];
    const [red, green, blue] = role ? mixed(own, rgb(role), shape.kind === 'obstacle' ? 0.35 : 0.85) : own;
    return (lit) => {
      const k = Math.min(1, 0.6 + 0.45 * lit);
      return Math.round(blue * k) << 16 | Math.round(green * k) << 8 | Math.round(red * k);
    };
  }

  invalidate() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    this.pending = false;
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (width === 0 || height === 0) return;
    this.pictures++;
    const sharp = Math.min(2, window.devicePixelRatio);
    const c = this.context, beside = width >= height;
    this.canvas.width = width * sharp;
    this.canvas.height = height * sharp;
    c.scale(sharp, sharp);
    c.fillStyle = this.theme.colours.background;
    c.fillRect(0, 0, width, height);
    this.views = this.sides.map((side, i) => (beside
      ? this.viewOf(side, i * (width + kGap) / 2, 0, (width - kGap) / 2, height)
      : this.viewOf(side, 0, i * (height + kGap) / 2, width, (height - kGap) / 2)));
    const shapes = this.placedShapes();
    this.views.forEach((view, i) => this.drawView(c, view, this.sides[i], shapes, this.busy ? 1 : 2));
    c.fillStyle = this.theme.colours.ground;
    if (beside) c.fillRect(width / 2, 0, kGap, height);
    else c.fillRect(0, height / 2, width, kGap);
    this.placeLabel(this.views[0]);
  }

  drawView(c, view, side, shapes, sharpness) {
    c.save();
    c.beginPath();
    c.rect(view.left, view.top, view.width, view.height);
    c.clip();
    if (this.ground) this.drawGrid(c, view);
    const picture = new Raster(Math.ceil(view.width * sharpness), Math.ceil(view.height * sharpness));
    const fine = this.viewOf(side, 0, 0, sharpness * view.width, sharpness * view.height);
    for (const shape of shapes) this.fill(picture, shape, fine, this.paintOf(shape));
    if (this.edges && !(this.busy && this.triangleCount > kMany)) this.drawCreases(picture, shapes, fine);
    const drawn = document.createElement('canvas');
    drawn.width = picture.width;
    drawn.height = picture.height;
    drawn.getContext('2d').putImageData(picture.image, 0, 0);
    c.drawImage(drawn, view.left, view.top, picture.width / sharpness, picture.height / sharpness);
    if (this.finding && this.finding.touch) this.drawMarker(c, view);
    this.drawAxes(c, view);
    c.restore();
  }

  drawCreases(picture, shapes, view) {
    const [red, green, blue] = rgb(this.theme.colours.edge);
    const colour = blue << 16 | green << 8 | red;
    for (const {mesh, pose} of shapes) {
      this.creases[mesh] = this.creases[mesh] || creaseLines(this.data.meshes[mesh]);
      const v = this.projected(this.creases[mesh], pose, view);
      for (let i = 0; i < v.length / 3; i += 2) picture.line(v, i, i + 1, colour, 1.5 / view.scale);
    }
  }

  drawGrid(c, view) {
    const {centre, radius, floor} = this.home;
    const cell = 10 ** Math.round(Math.log10(radius / 3)), count = Math.ceil(2 * radius / cell);
    const middle = [Math.round(centre[0] / cell) * cell, Math.round(centre[1] / cell) * cell];
    c.strokeStyle = this.theme.colours.ground;
    c.globalAlpha = 0.35;
    c.lineWidth = 1;
    c.beginPath();
    for (let i = -count; i <= count; i++) {
      for (const swap of [false, true]) {
        [-count, count].forEach((k, end) => {
          const [x, y] = swap ? [k, i] : [i, k];
          const p = view.project([middle[0] + x * cell, middle[1] + y * cell, floor]);
          if (end === 0) c.moveTo(p[0], p[1]);
          else c.lineTo(p[0], p[1]);
        });
      }
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  // The point that touches, and the normal, over everything.
  drawMarker(c, view) {
    const point = this.touchPoint(), normal = this.finding.touch.normal;
    const [x, y] = view.project(point);
    const reach = 38 / view.scale;
    const [tx, ty] = view.project(point.map((p, i) => p + reach * normal[i]));
    c.lineCap = 'round';
    for (const [colour, width] of [['#14181d', 5], [kMarker, 2.5]]) {
      c.strokeStyle = colour;
      c.lineWidth = width;
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(tx, ty);
      c.stroke();
      c.beginPath();
      c.arc(x, y, 11, 0, 2 * Math.PI);
      c.stroke();
    }
    c.fillStyle = '#14181d';
    c.beginPath();
    c.arc(x, y, 3, 0, 2 * Math.PI);
    c.fill();
  }

  drawAxes(c, view) {
    const x0 = view.left + 34, y0 = view.top + view.height - 34;
    c.font = '11px system-ui, sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    for (const [colour, width] of [[this.theme.colours.background, 4], [this.theme.colours.axes, 1.5]]) {
      c.strokeStyle = c.fillStyle = colour;
      c.lineWidth = width;
      ['x', 'y', 'z'].forEach((name, i) => {
        const dx = 18 * view.axes.right[i], dy = -18 * view.axes.up[i];
        c.beginPath();
        c.moveTo(x0, y0);
        c.lineTo(x0 + dx, y0 + dy);
        c.stroke();
        if (width > 2) c.strokeText(name, x0 + 1.45 * dx, y0 + 1.45 * dy);
        else c.fillText(name, x0 + 1.45 * dx, y0 + 1.45 * dy);
      });
    }
  }

  placeLabel(view) {
    const {label} = this;
    label.hidden = !(this.finding && this.finding.touch);
    if (label.hidden) return;
    label.querySelector('.first').textContent = this.finding.a.join(', ');
    label.querySelector('.second').textContent = this.finding.b.join(', ');
    const [x, y] = view.project(this.touchPoint());
    const left = Math.min(x + 20, view.left + view.width - label.offsetWidth - 8);
    label.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, Math.min(y + 16, view.top + view.height - 60))}px)`;
  }

  dragToTurn() {
    const {canvas} = this;
    let side = null, last = null;
    canvas.addEventListener('pointerdown', (event) => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      const second = box.width >= box.height ? x > box.width / 2 : y > box.height / 2;
      side = this.sides[second ? 1 : 0] = {...this.sides[second ? 1 : 0]};
      last = event;
      canvas.setPointerCapture(event.pointerId);
      this.setBusy(true);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!side) return;
      side.azimuth -= 0.008 * (event.clientX - last.clientX);
      side.elevation = Math.min(1.55, Math.max(-1.55, side.elevation + 0.008 * (event.clientY - last.clientY)));
      last = event;
      this.invalidate();
    });
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, () => {
        side = null;
        this.setBusy(false);
      });
    }
  }

  // The ball around what moves, at instants throughout the motion, and the height of the lowest corner of all.
  focusOf() {
    const boxes = this.data.meshes.map(({positions}) => {
      const box = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
      positions.forEach((x, i) => {
        box[0][i % 3] = Math.min(box[0][i % 3], x);
        box[1][i % 3] = Math.max(box[1][i % 3], x);
      });
      return box;
    });
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const moves = this.data.items.some((item) => item.kind !== 'obstacle');
    let floor = Infinity;
    for (let i = 0; i <= (this.data.moving ? 12 : 0); i++) {
      this.time = this.motion.begin + (this.motion.end - this.motion.begin) * i / 12;
      for (const {mesh, pose, kind} of this.placedShapes()) {
        for (let corner = 0; corner < 8; corner++) {
          const p = [0, 1, 2].map((k) => boxes[mesh][corner >> k & 1][k]);
          const at = [0, 1, 2].map((k) => dot(pose.subarray(3 * k, 3 * k + 3), p) + pose[9 + k]);
          if (!at.every(Number.isFinite)) continue;
          floor = Math.min(floor, at[2]);
          if (moves && kind === 'obstacle') continue;
          at.forEach((x, k) => {
            low[k] = Math.min(low[k], x);
            high[k] = Math.max(high[k], x);
          });
        }
      }
    }
    if (!(low[0] <= high[0])) return {centre: [0, 0, 0], radius: 1, floor: 0};
    const centre = low.map((x, k) => 0.5 * (x + high[k]));
    return {centre, radius: Math.max(1e-3, 0.5 * Math.hypot(...low.map((x, k) => high[k] - x))), floor};
  }

  get triangleCount() {
    return this.data.items.reduce((sum, item) => sum + (item.collision || item.visual)
      .reduce((s, shape) => s + this.data.meshes[shape.mesh].indices.length / 3, 0), 0);
  }
}
