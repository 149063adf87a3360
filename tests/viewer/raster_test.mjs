// Pictures without WebGL: triangles fill the pixels whose centres they contain, and what is nearer hides what is farther.
import {expect, finish} from './checks.mjs';

globalThis.ImageData = class {
  constructor(width, height) {
    this.data = new Uint8ClampedArray(4 * width * height);
  }
};
const {Raster} = await import('../../planner_ccd/viewer/web/src/raster.js');

const count = (picture, colour) => picture.pixels.reduce((n, p) => n + (p === ((0xff000000 | colour) >>> 0) ? 1 : 0), 0);

// Two triangles that intersect, in both orders of drawing and both senses of turning.
const near = [0, 0, 0, 100, 0, 0, 0, 100, 10], far = [0, 0, 5, 100, 0, 5, 0, 100, 5];
for (const [first, second] of [[[near, 1], [far, 2]], [[far, 2], [near, 1]]]) {
  for (const [b, c] of [[1, 2], [2, 1]]) {
    const picture = new Raster(100, 100);
    for (const [v, colour] of [first, second]) picture.triangle(v, 0, b, c, colour);
    const one = count(picture, 1), two = count(picture, 2);
    expect(Math.abs(one + two - 5000) <= 100, `half of the picture is filled: ${one + two}`);
    expect(Math.abs(one - 1250) <= 60, `where the slope rises above 5 it is seen: ${one}`);
    expect(picture.pixels[90 * 100 + 5] === 0xff000001 && picture.pixels[10 * 100 + 5] === 0xff000002, 'and only there');
  }
}

const beyond = new Raster(20, 10);
beyond.triangle([-1e3, -1e3, 0, 1e3, -1e3, 0, 0, 1e3, 0], 0, 1, 2, 3);
expect(count(beyond, 3) === 200, 'a triangle around the picture fills it');
beyond.triangle([5, 5, 9, 5, 5, 9, 7, 5, 9], 0, 1, 2, 4);
beyond.triangle([NaN, 5, 9, 5, 5, 9, 7, 8, 9], 0, 1, 2, 4);
expect(count(beyond, 3) === 200, 'one without an area, or without a place, does nothing');
beyond.line([-5, 5.5, 1, 25, 5.5, 1], 0, 1, 0, 0);
expect(count(beyond, 3) === 180, 'a line crosses the picture, where nothing is nearer');
beyond.line([-5, 7.5, -1, 25, 7.5, -1], 0, 1, 0, 0.5);
expect(count(beyond, 3) === 180, 'and is hidden behind what is');
finish();
