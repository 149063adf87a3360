// The page's data: a 32-bit length, that many bytes of JSON, then the bytes of the meshes (page_data.cpp writes them).

export function readData(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const body = bytes.subarray(4 + length);
  header.meshes = header.meshes.map((mesh) => readMesh(mesh, body));
  return header;
}

// A column of numbers stored plane after plane, lowest bytes first.
function readPlanes(bytes, offset, count, planes) {
  const numbers = new Uint32Array(count);
  for (let plane = 0; plane < planes; plane++) {
    for (let i = 0; i < count; i++) numbers[i] |= bytes[offset + plane * count + i] << (8 * plane);
  }
  return numbers;
}

const unzigzag = (n) => (n >>> 1) ^ -(n & 1);

// mesh_packing.hpp says how a mesh is stored.
function readMesh(mesh, bytes) {
  const corners = 3 * mesh.triangles;
  const codes = readPlanes(bytes, mesh.offset, corners, mesh.index_bytes);
  let offset = mesh.offset + corners * mesh.index_bytes;
  const residuals = [0, 1, 2].map(() => {
    const numbers = readPlanes(bytes, offset, mesh.vertices, mesh.position_bytes);
    offset += mesh.vertices * mesh.position_bytes;
    return numbers;
  });
  const indices = new Uint32Array(corners);
  const points = new Int32Array(3 * mesh.vertices);
  let next = 0;
  for (let at = 0; at < corners; at += 3) {
    for (let i = 0; i < 3; i++) {
      if (codes[at + i] > 0) {
        indices[at + i] = next - codes[at + i];
        continue;
      }
      const opposite = i === 2 ? oppositeInPrevious(indices, at) : -1;
      const near = i > 0 ? indices[at + i - 1] : next - 1;
      for (let axis = 0; axis < 3; axis++) {
        let value = near >= 0 ? points[3 * near + axis] : 0;
        if (opposite >= 0) value += points[3 * indices[at] + axis] - points[3 * opposite + axis];
        points[3 * next + axis] = value + unzigzag(residuals[axis][next]);
      }
      indices[at + i] = next++;
    }
  }
  const positions = new Float32Array(points.length);
  for (let i = 0; i < points.length; i++) positions[i] = mesh.origin[i % 3] + points[i] * mesh.step;
  return {positions, indices, step: mesh.step};
}

// The third corner of the triangle before `at` if that contains both known corners of this one, else -1.
function oppositeInPrevious(indices, at) {
  if (at === 0) return -1;
  const a = indices[at], b = indices[at + 1];
  for (let k = 0; k < 3; k++) {
    const p = indices[at - 3 + k], q = indices[at - 3 + (k + 1) % 3];
    if ((p === b && q === a) || (p === a && q === b)) return indices[at - 3 + (k + 2) % 3];
  }
  return -1;
}
