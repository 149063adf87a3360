// node meshes_test.mjs FOLDER: FOLDER/data has the meshes whose triangles FOLDER/meshes.json lists.
import {readData} from '../../planner_ccd/viewer/web/src/data.js';
import {expect, finish, inflated, readText} from './checks.mjs';

const folder = process.argv[2];
const data = readData(inflated(`${folder}/data`));
const expected = readText(`${folder}/meshes.json`);
const bytes = inflated(`${folder}/data`);
const length = new DataView(bytes.buffer).getUint32(0, true);
const headers = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))).meshes;

// A triangle of grid points, starting at its least corner, so that equal triangles have equal texts.
function key(points) {
  const corners = points.map((p) => p.join(' '));
  const first = corners.indexOf(corners.slice().sort()[0]);
  return [0, 1, 2].map((i) => corners[(first + i) % 3]).join(', ');
}

expect(data.meshes.length === expected.length, 'every mesh is stored once');
data.meshes.forEach((mesh, m) => {
  const {origin, step} = headers[m];
  const onGrid = (x, axis) => Math.round((x - origin[axis]) / step);
  const wanted = new Map();
  let vanished = 0;
  for (let i = 0; i < expected[m].length; i += 9) {
    const points = [0, 3, 6].map((k) => [0, 1, 2].map((axis) => onGrid(expected[m][i + k + axis], axis)));
    if (new Set(points.map(String)).size < 3) {
      vanished++;
      continue;
    }
    wanted.set(key(points), (wanted.get(key(points)) || 0) + 1);
  }
  expect(headers[m].triangles === expected[m].length / 9 - vanished, `mesh ${m}: number of triangles`);
  const largest = Math.max(...expected[m].map(Math.abs));
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const points = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => {
      const x = mesh.positions[3 * mesh.indices[t + k] + axis];
      const grid = onGrid(x, axis);
      expect(Math.abs(x - (origin[axis] + grid * step)) <= largest * 2 ** -23, `mesh ${m}: off the grid`);
      return grid;
    }));
    const name = key(points);
    expect(wanted.get(name) > 0, `mesh ${m}: triangle ${t / 3} was not there`);
    wanted.set(name, wanted.get(name) - 1);
  }
  expect([...wanted.values()].every((n) => n === 0), `mesh ${m}: triangles are missing`);
});
finish();
