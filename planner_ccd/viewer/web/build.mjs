// node build.mjs DIST: makes of src/ what DIST holds: page.html with marks where planner_ccd/viewer/page.cpp inserts texts,
// app.js, and the licences of what is in it. The same sources make the same bytes.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {build} from 'esbuild';

const target = ['es2020', 'chrome90', 'firefox90', 'safari15'];
const libraries = ['three', 'fflate'];  // what app.js and page.html contain

async function bundled(entry, options) {
  const result = await build({
    entryPoints: [entry], bundle: true, minify: true, write: false, charset: 'ascii', legalComments: 'none', logLevel: 'warning',
    target, ...options,
  });
  return result.outputFiles[0].text.trim();
}

const script = (entry, options = {}) => bundled(entry, {format: 'iife', ...options});

// As the Content-Security-Policy names a script that may run: one that a text of the page tried to add has another hash.
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const app = await script('src/app.js');
const scripts = {guard: await script('src/guard.js', {target: 'es5'}), boot: await script('src/boot.js')};
for (const [name, text] of Object.entries(scripts)) {
  if (/<\/script|<!--/i.test(text)) throw new Error(`${name} would end its own element`);
}
const licences = libraries.map((name) => {
  const {version, homepage} = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return `${name} ${version}, ${homepage}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`;
}).join('\n\n').replaceAll('\u00a9', '(c)');
if (licences.includes('--')) throw new Error('the licences would end their comment');

const parts = {
  hashes: [...Object.values(scripts), app].map(hash).join(' '), ...scripts, licences: licences.trim(),
  style: await bundled('src/style.css'), dark: await bundled('src/dark.css'),
};
let page = readFileSync('src/page.html', 'utf8');
for (const [name, text] of Object.entries(parts)) {
  if (page.split(`{{${name}}}`).length !== 2) throw new Error(`page.html has not one place for ${name}`);
  page = page.replace(`{{${name}}}`, () => text);
}
for (const [name, text] of Object.entries({'page.html': page, 'app.js': `${app}`, 'LICENSES.txt': licences})) {
  if (!/^[\x00-\x7f]*$/.test(text)) throw new Error(`${name} must be ASCII: use character references`);
  mkdirSync(process.argv[2], {recursive: true});
  writeFileSync(`${process.argv[2]}/${name}`, text);
}
