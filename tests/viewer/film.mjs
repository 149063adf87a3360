// node film.mjs PAGE.html FILM.png WIDTH HEIGHT [dark]: an animated PNG of a page, from the start of its motion to its first finding, and
// then a close view of that finding.
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {deflateSync, inflateSync} from 'node:zlib';
import {Browser} from './browser.mjs';

const kFrames = 50;  // of the motion
const kFrameMs = 80, kHoldMs = 3500;
const kTransparent = 255;  // unchanged from the previous frame

const [page, film, width, height, ...rest] = process.argv.slice(2);

// The chunks of a PNG: [type, data].
function chunksOf(png) {
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + size)]);
    at += 12 + size;
  }
  return chunks;
}

// Pixels as 0xRRGGBB, of the 8-bit RGB or RGBA that Chromium writes.
function pixelsOf(png) {
  const chunks = chunksOf(png), header = chunks[0][1];
  const columns = header.readUInt32BE(0), rows = header.readUInt32BE(4), channels = {2: 3, 6: 4}[header[9]];
  const bytes = inflateSync(Buffer.concat(chunks.filter(([type]) => type === 'IDAT').map(([, data]) => data)));
  const stride = columns * channels, pixels = new Uint32Array(columns * rows);
  let above = new Uint8Array(stride);
  for (let y = 0; y < rows; y++) {
    const filter = bytes[y * (stride + 1)], row = bytes.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let i = 0; i < stride; i++) {
      const a = i < channels ? 0 : row[i - channels], b = above[i], c = i < channels ? 0 : above[i - channels];
      const p = a + b - c, [da, db, dc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      row[i] += [0, a, b, (a + b) >> 1, da <= db && da <= dc ? a : db <= dc ? b : c][filter];
    }
    for (let x = 0; x < columns; x++) {
      const at = x * channels;
      pixels[y * columns + x] = row[at] << 16 | row[at + 1] << 8 | row[at + 2];
    }
    above = row;
  }
  return {columns, rows, pixels};
}

// At most 255 colours: the means of the most frequent of 32,768 cells.
function paletteOf(frames) {
  const cells = new Map();
  for (const {pixels} of frames) {
    for (const pixel of pixels) {
      const key = pixel & 0xf8f8f8;
      if (!cells.has(key)) cells.set(key, [0, 0, 0, 0]);
      const cell = cells.get(key);
      cell[0]++;
      for (let k = 0; k < 3; k++) cell[k + 1] += pixel >> 8 * k & 255;
    }
  }
  const frequent = [...cells.values()].sort((a, b) => b[0] - a[0]).slice(0, kTransparent);
  return frequent.map(([count, ...sums]) => sums.reduce((colour, sum, k) => colour | Math.round(sum / count) << 8 * k, 0));
}

function indexedBy(palette) {
  const known = new Map();
  return (pixel) => {
    if (!known.has(pixel)) {
      const far = (colour) => [16, 8, 0].reduce((sum, shift) => sum + ((colour >> shift & 255) - (pixel >> shift & 255)) ** 2, 0);
      known.set(pixel, palette.reduce((best, colour, i) => far(colour) < far(palette[best]) ? i : best, 0));
    }
    return known.get(pixel);
  };
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]), out = Buffer.alloc(8);
  out.writeUInt32BE(data.length, 0);
  out.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([out.subarray(0, 4), body, out.subarray(4)]);
}

function words(...values) {
  const out = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => out.writeUInt32BE(value, 4 * i));
  return out;
}

// Only the changes since the previous frame, within their bounding rectangle.
function changed(frame, before, columns, rows) {
  let [left, right, top, bottom] = [columns, -1, rows, -1];
  for (let i = 0; i < frame.length; i++) {
    if (before && frame[i] === before[i]) continue;
    const x = i % columns, y = (i - x) / columns;
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < 0) [left, right, top, bottom] = [0, 0, 0, 0];
  const wide = right - left + 1, high = bottom - top + 1, lines = Buffer.alloc((wide + 1) * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const at = (top + y) * columns + left + x;
      lines[y * (wide + 1) + 1 + x] = before && frame[at] === before[at] ? kTransparent : frame[at];
    }
  }
  return {place: words(wide, high, left, top), data: deflateSync(lines, {level: 9})};
}

function apng(frames, durations) {
  const {columns, rows} = frames[0], palette = paletteOf(frames), index = indexedBy(palette);
  const images = frames.map(({pixels}) => Uint8Array.from(pixels, index));
  const colours = Buffer.alloc(3 * 256), opacities = Buffer.alloc(256, 255);
  palette.forEach((colour, i) => colours.writeUIntBE(colour, 3 * i, 3));
  opacities[kTransparent] = 0;
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([words(columns, rows), Buffer.from([8, 3, 0, 0, 0])])),
    chunk('acTL', words(frames.length, 0)), chunk('PLTE', colours), chunk('tRNS', opacities)];
  let sequence = 0;
  images.forEach((image, i) => {
    const {place, data} = changed(image, images[i - 1], columns, rows);
    const timing = Buffer.from([durations[i] >> 8, durations[i] & 255, 1000 >> 8, 1000 & 255, 0, i > 0 ? 1 : 0]);
    parts.push(chunk('fcTL', Buffer.concat([words(sequence++), place, timing])));
    parts.push(i === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([words(sequence++), data])));
  });
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

const browser = new Browser(process.env.CHROMIUM || 'chromium');
try {
  const shown = await browser.open(page, {width: Number(width), height: Number(height), dark: rest.includes('dark')});
  const moment = await shown.evaluate('plannerCcd.data.findings[0].moment');
  const begin = await shown.evaluate('plannerCcd.data.motion[0].begin');
  const frames = [], still = `${film}.still.png`;
  const take = async (script) => {
    await shown.evaluate(script);
    await shown.until('plannerCcd.coarseness === 0');
    await shown.screenshot(still);
    frames.push(pixelsOf(readFileSync(still)));
  };
  for (let i = 0; i <= kFrames; i++) await take(`plannerCcd.setTime(${begin + (moment - begin) * i / kFrames})`);
  await take('plannerCcd.select(0)');
  rmSync(still);
  writeFileSync(film, apng(frames, frames.map((_, i) => i < kFrames ? kFrameMs : kHoldMs / 2)));
  for (const error of shown.errors) console.error(error);
} finally {
  await browser.close();
}
