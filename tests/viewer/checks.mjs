// Shared by the scripts in this folder.
import {readFileSync} from 'node:fs';
import {inflateRawSync} from 'node:zlib';

export const readText = (file) => JSON.parse(readFileSync(file, 'utf8'));
export const inflated = (file) => new Uint8Array(inflateRawSync(readFileSync(file)));

let failures = 0;
export function expect(condition, message) {
  if (condition) return;
  failures++;
  if (failures <= 10) console.error(`FAILED: ${message}`);
}
export function finish() {
  if (failures > 0) console.error(`${failures} failures`);
  process.exitCode = failures > 0 ? 1 : 0;
}

// The largest difference of two lists of poses.
export function poseError(a, b) {
  let worst = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    for (let k = 0; k < 12; k++) {
      const difference = Math.abs(a[i][k] - b[i][k]);
      worst = difference >= 0 ? Math.max(worst, difference) : Infinity;
    }
  }
  return worst;
}
