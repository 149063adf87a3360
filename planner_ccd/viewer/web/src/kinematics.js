// Forward kinematics in double precision, by the same formulas as planner_ccd/robot/kinematics.cpp, and the motion as
// defined in planner_ccd/motion/edge_motion.hpp. A pose is [R row by row, p]: twelve numbers.

export function compose(a, b) {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    const x = a[3 * i], y = a[3 * i + 1], z = a[3 * i + 2];
    for (let k = 0; k < 3; k++) out[3 * i + k] = x * b[k] + y * b[3 + k] + z * b[6 + k];
    out[9 + i] = x * b[9] + y * b[10] + z * b[11] + a[9 + i];
  }
  return out;
}

function translate(pose, axis, value) {
  for (let i = 0; i < 3; i++) {
    pose[9 + i] += value * (pose[3 * i] * axis[0] + pose[3 * i + 1] * axis[1] + pose[3 * i + 2] * axis[2]);
  }
  return pose;
}

// Rodrigues' rotation about the unit vector `a`, as a pose.
function rotation(a, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  const k = a.map((x) => (1 - c) * x);
  return [
    k[0] * a[0] + c, k[0] * a[1] - s * a[2], k[0] * a[2] + s * a[1],
    k[1] * a[0] + s * a[2], k[1] * a[1] + c, k[1] * a[2] - s * a[0],
    k[2] * a[0] - s * a[1], k[2] * a[1] + s * a[0], k[2] * a[2] + c,
    0, 0, 0,
  ];
}

// The poses of all bodies, for a value per move. `floating` has the frames of floating joints (see Piece in page.hpp).
export function forwardKinematics(data, values, floating = []) {
  const poses = [];
  data.bodies.forEach((body, index) => {
    if (body.parent < 0) {
      poses.push(Float64Array.from(body.origin));
      return;
    }
    let pose = compose(poses[body.parent], body.origin);
    const frame = floating.find((f) => f.body === index);
    if (frame) pose = compose(pose, frame.before);
    for (let k = body.first; k < body.first + body.count; k++) {
      const move = data.moves[k];
      const axis = frame ? (move.turn ? frame.axis : frame.direction) : move.axis;
      pose = move.turn ? compose(pose, rotation(axis, values[k])) : translate(pose, axis, values[k]);
    }
    poses.push(frame ? compose(pose, frame.after) : pose);
  });
  return poses;
}

const polynomial = (c, u) => c.reduceRight((sum, x) => sum * u + x, 0);

// Where an item is at a time: its body and its pose there, which change for what changes hands.
export function stayAt(item, time) {
  let now = item;
  for (const stay of item.stays || []) {
    if (stay.begin <= time || now === item) now = stay;
  }
  return now;
}

// The motion over time; without one, the pose set by hand.
export class Motion {
  constructor(data) {
    this.data = data;
    this.pieces = data.motion;
    this.begin = this.pieces[0].begin;
    this.end = this.pieces[this.pieces.length - 1].end;
    this.byHand = null;  // a value per coordinate
  }

  pieceAt(time) {
    let low = 0, high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.pieces[middle].begin <= time) low = middle;
      else high = middle - 1;
    }
    return this.pieces[low];
  }

  // A value per move.
  values(time) {
    const piece = this.pieceAt(time);
    const span = piece.end - piece.begin;
    const u = span > 0 ? Math.min(1, Math.max(0, (time - piece.begin) / span)) : 0;
    const values = piece.moves.map((c) => polynomial(c, u));
    if (this.byHand) {
      this.data.moves.forEach((move, k) => {
        if (move.coordinate !== null) values[k] = move.multiplier * this.byHand[move.coordinate] + move.offset;
      });
    }
    return values;
  }

  // A value per coordinate; null for those of floating joints.
  coordinates(time) {
    const values = this.values(time);
    const q = this.data.coordinates.map(() => null);
    this.data.moves.forEach((move, k) => {
      if (move.coordinate !== null && !move.mimic) q[move.coordinate] = (values[k] - move.offset) / move.multiplier;
    });
    return q;
  }

  poses(time) {
    return forwardKinematics(this.data, this.values(time), this.pieceAt(time).floating);
  }
}
