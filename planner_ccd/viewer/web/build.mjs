// node build.mjs BUNDLE.cpp: makes page.html of src/ and embeds it, cut at the place of the data, in BUNDLE.cpp.
import {readFileSync, writeFileSync} from 'node:fs';
import {deflateRawSync} from 'node:zlib';
import {build} from 'esbuild';

const target = ['es2020', 'chrome90', 'firefox90', 'safari15'];

async function script(entry) {
  const result = await build({
    entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife', charset: 'ascii', target,
    legalComments: 'inline', logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

async function style(entry) {
  const result = await build({entryPoints: [entry], minify: true, write: false, charset: 'ascii', target});
  return result.outputFiles[0].text.trim();
}

// A string literal may not be too long for compilers; parts of 12,000 characters are accepted everywhere.
function literals(text) {
  const parts = [];
  for (let i = 0; i < text.length; i += 12000) parts.push(`R"page(${text.slice(i, i + 12000)})page"`);
  return parts.join(',\n    ');
}

const boot = (await script('src/boot.js')).trim();
if (boot.includes('</script')) throw new Error('the boot script would end its own element');
const app = deflateRawSync(Buffer.from(await script('src/app.js')), {level: 9}).toString('base64');
const parts = {style: await style('src/style.css'), app, boot};
let page = readFileSync('src/page.html', 'utf8');
for (const [name, text] of Object.entries(parts)) {
  if (!page.includes(`{{${name}}}`)) throw new Error(`page.html has no place for ${name}`);
  page = page.replace(`{{${name}}}`, () => text);
}
if (!/^[\x00-\x7f]*$/.test(page)) throw new Error('page.html must be ASCII: use character references');
const [before, after] = page.split('{{data}}');

writeFileSync(process.argv[2], `#include <array>

#include "planner_ccd/viewer/bundle.hpp"

namespace planner_ccd::viewer {

const Bundle& bundle() {
  static constexpr std::string_view kBefore[] = {
    ${literals(before)}};
  static constexpr std::string_view kAfter[] = {
    ${literals(after)}};
  static constexpr Bundle kBundle{kBefore, kAfter, {}};
  return kBundle;
}

}  // namespace planner_ccd::viewer
`);
writeFileSync('page.html', page);
