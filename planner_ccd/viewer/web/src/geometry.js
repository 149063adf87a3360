// From triangles to drawn geometry: normals that are smooth up to a crease, and the creases themselves as lines.
import {BufferAttribute, BufferGeometry} from 'three';

const kCrease = Math.cos(35 * Math.PI / 180);

function faceNormals(positions, indices) {
  const count = indices.length / 3;
  const area = new Float32Array(indices.length);  // twice the area, along the normal
  const unit = new Float32Array(indices.length);
  for (let t = 0; t < count; t++) {
    const a = 3 * indices[3 * t], b = 3 * indices[3 * t + 1], c = 3 * indices[3 * t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    area.set([x, y, z], 3 * t);
    unit.set([x / length, y / length, z / length], 3 * t);
  }
  return {area, unit};
}

// The triangles around every vertex: those of v are faces[start[v]] ... faces[start[v + 1] - 1].
function trianglesAround(vertexCount, indices) {
  const start = new Uint32Array(vertexCount + 1);
  for (const v of indices) start[v + 1]++;
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  const faces = new Uint32Array(indices.length);
  const fill = start.slice();
  for (let i = 0; i < indices.length; i++) faces[fill[indices[i]]++] = Math.floor(i / 3);
  return {start, faces};
}

const dot = (n, s, t) => n[3 * s] * n[3 * t] + n[3 * s + 1] * n[3 * t + 1] + n[3 * s + 2] * n[3 * t + 2];

// A corner's normal is the mean over those triangles around its vertex that its own triangle meets without a crease;
// corners of one vertex with the same normal share an entry.
export function surfaceGeometry({positions, indices}) {
  const {area, unit} = faceNormals(positions, indices);
  const {start, faces} = trianglesAround(positions.length / 3, indices);
  const outPositions = [], outNormals = [];
  const outIndices = new Uint32Array(indices.length);
  const cornerOf = (t, v) => (indices[3 * t] === v ? 3 * t : indices[3 * t + 1] === v ? 3 * t + 1 : 3 * t + 2);
  for (let v = 0; v + 1 < start.length; v++) {
    const firstEntry = outPositions.length / 3;
    for (let i = start[v]; i < start[v + 1]; i++) {
      let x = 0, y = 0, z = 0;
      for (let k = start[v]; k < start[v + 1]; k++) {
        if (dot(unit, faces[i], faces[k]) < kCrease) continue;
        x += area[3 * faces[k]];
        y += area[3 * faces[k] + 1];
        z += area[3 * faces[k] + 2];
      }
      const length = Math.hypot(x, y, z) || 1;
      x = Math.fround(x / length), y = Math.fround(y / length), z = Math.fround(z / length);
      let entry = firstEntry;
      const entries = outPositions.length / 3;
      while (entry < entries &&
             (outNormals[3 * entry] !== x || outNormals[3 * entry + 1] !== y || outNormals[3 * entry + 2] !== z)) entry++;
      if (entry === entries) {
        outPositions.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
        outNormals.push(x, y, z);
      }
      outIndices[cornerOf(faces[i], v)] = entry;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(outPositions), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(outNormals), 3));
  geometry.setIndex(new BufferAttribute(outIndices, 1));
  return geometry;
}

// Sides with one triangle only, and sides where two meet at a crease: the coordinates of both ends of each.
export function creaseLines({positions, indices}) {
  const {unit} = faceNormals(positions, indices);
  const {start, faces} = trianglesAround(positions.length / 3, indices);
  const lines = [];
  for (let i = 0; i < indices.length; i++) {
    const t = Math.floor(i / 3), a = indices[i], b = indices[3 * t + (i + 1) % 3];
    let others = 0, isCrease = false;
    for (let k = start[a]; k < start[a + 1]; k++) {
      const other = faces[k];
      if (other === t) continue;
      if (indices[3 * other] !== b && indices[3 * other + 1] !== b && indices[3 * other + 2] !== b) continue;
      others++;
      isCrease = isCrease || (dot(unit, t, other) < kCrease && (t < other));
    }
    if (others > 0 && !isCrease) continue;
    lines.push(positions[3 * a], positions[3 * a + 1], positions[3 * a + 2], positions[3 * b], positions[3 * b + 1], positions[3 * b + 2]);
  }
  return new Float32Array(lines);
}

export function creaseGeometry(mesh) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(creaseLines(mesh), 3));
  return geometry;
}
