// node deflate_test.mjs FOLDER: N.deflated unpacks to N.plain, by zlib and by the page's fallback.
import {existsSync, readFileSync} from 'node:fs';
import {expect, finish, inflated} from './checks.mjs';

const folder = process.argv[2];
for (let i = 0; existsSync(`${folder}/${i}.plain`); i++) {
  expect(readFileSync(`${folder}/${i}.plain`).equals(Buffer.from(inflated(`${folder}/${i}.deflated`))), `text ${i}`);
}
finish();
