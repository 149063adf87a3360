// node facts_test.mjs FOLDER CHROMIUM: pages that cannot draw, for every reason there is, still say what was found.
import {readFileSync, writeFileSync} from 'node:fs';
import {Browser} from './browser.mjs';
import {expect, finish, readText} from './checks.mjs';

const [folder, program] = process.argv.slice(2);
const whole = readFileSync(`${folder}/puma.html`, 'utf8');
const browser = new Browser(program);
const without = new Browser(program, {webgl: false});

const visible = (selector) => `(() => {
  const e = document.querySelector('${selector}');
  return Boolean(e) && e.getClientRects().length > 0 && e.getBoundingClientRect().height > 0;
})()`;

async function close(page, name, {errors = false} = {}) {
  expect(errors || page.errors.length === 0, `${name}: ${page.errors.join('; ')}`);
  expect(page.requests.length === 0, `${name} asked for ${page.requests}`);
  expect(await page.evaluate('window.injected') === undefined, `${name}: a text ran as a script`);
  await page.browser.call('Target.closeTarget', {targetId: page.targetId});
}

// The verdict, its findings and the notice can be seen, and nothing looks free.
async function expectFacts(page, name, notice) {
  for (const selector of ['#verdict', '#findings', '.notice:not([hidden])']) expect(await page.evaluate(visible(selector)), `${name}: no ${selector}`);
  expect(await page.evaluate('document.querySelector("#verdict").innerText.trim()') === 'Contact', `${name}: the verdict`);
  expect(await page.evaluate('document.querySelector("#verdict").dataset.verdict') === 'contact', `${name}: its badge`);
  const findings = await page.evaluate('[...document.querySelectorAll("#findings li")].map((e) => e.innerText)');
  expect(findings.length === 3 && findings[1].includes('gripper') && findings[1].includes('segment 3.250'), `${name}: findings are ${findings}`);
  const said = await page.evaluate('[...document.querySelectorAll(".notice")].filter((e) => e.getClientRects().length).map((e) => e.innerText).join()');
  expect(notice.test(said), `${name} says: ${said}`);
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), `${name}: nobody scrolls sideways`);
}

const squeezed = (text) => text.replace(/\s+/g, ' ').trim();

async function everyTextIsShown() {
  for (const [name, from, options] of [['scripts off', browser, {scripts: false}], ['all well', browser, {}], ['no WebGL', without, {}]]) {
    const page = await from.open(`${folder}/full.html`, options);
    const panel = squeezed(await page.evaluate('document.getElementById("panel").textContent'));
    for (const text of readText(`${folder}/full.json`)) expect(panel.includes(squeezed(text)), `${name}: not in the panel: ${text}`);
    const tags = await page.evaluate('[...new Set([...document.querySelectorAll("#panel *")].map((e) => e.localName))].join()');
    expect(!/script|img|svg|iframe|style|link|form|object|embed/.test(tags), `${name}: elements ${tags}`);
    expect(await page.evaluate('document.title').then((title) => title.startsWith('title </p>')), `${name}: the title`);
    if (options.scripts === false) {
      const seen = squeezed(await page.evaluate('document.getElementById("panel").innerText'));
      for (const text of readText(`${folder}/full.json`)) expect(seen.includes(squeezed(text)), `${name}: hidden: ${text}`);
    }
    await close(page, name);
  }
}

async function scriptsOff() {
  for (const [name, options] of [['desktop', {}], ['phone', {width: 360, height: 640, mobile: true}]]) {
    const page = await browser.open(`${folder}/puma.html`, {...options, scripts: false});
    await expectFacts(page, `scripts off, ${name}`, /^Scripts are off, so nothing is drawn here\./);
    for (const id of ['stage', 'timeline', 'controls']) expect(!(await page.evaluate(visible(`#${id}`))), `${id} does nothing without scripts`);
    expect(await page.evaluate('document.querySelectorAll("button:not(#stage *, #timeline *)").length') === 0, 'nor has it buttons');
    await close(page, `scripts off, ${name}`);
  }
}

// Number of colours in a part of the canvas, from 0 to 1, and whether the marker's yellow is among them.
const look = (from, to) => `(() => {
  const c = document.getElementById('sketch'), beside = c.width >= c.height;
  const [x, y, w, h] = beside ? [${from} * c.width, 0, (${to} - ${from}) * c.width, c.height] : [0, ${from} * c.height, c.width, (${to} - ${from}) * c.height];
  const pixels = new Uint32Array(c.getContext('2d').getImageData(x, y, w, h).data.buffer);
  let sum = 0;
  for (const p of pixels) sum = Math.imul(sum, 31) + p | 0;
  return {colours: new Set(pixels).size, marked: pixels.includes(0xff00d4ff), sum};
})()`;

async function drawnWithoutWebGl(page, name) {
  expect(await page.evaluate('plannerCcd.view') === 'sketch', `${name}: two sides instead`);
  expect(await page.evaluate(visible('#sketch')) && !(await page.evaluate(visible('#canvas'))), `${name}: in its place`);
  expect(!(await page.evaluate(visible('#ghost-switch'))), `${name}: no switch without an effect`);
  await page.evaluate('plannerCcd.select(1), plannerCcd.measure(0), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const sides = [await page.evaluate(look(0, 0.49)), await page.evaluate(look(0.51, 1))];
  for (const side of sides) expect(side.colours > 50 && side.marked, `${name}: a side shows ${side.colours} colours, marker: ${side.marked}`);
  expect(sides[0].sum !== sides[1].sum, `${name}: two sides, not one twice`);
  await page.evaluate('document.querySelector("#findings li:nth-child(3) button").click(), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const later = await page.evaluate(look(0, 0.49));
  expect(later.sum !== sides[0].sum && !later.marked, `${name}: follows the finding that is chosen`);
  await page.evaluate('plannerCcd.setTime(0.5), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect((await page.evaluate(look(0, 0.49))).sum !== later.sum, `${name}: follows the time`);
}

async function noWebGl() {
  for (const [name, options] of [['desktop', {}], ['phone', {width: 360, height: 640, mobile: true, dark: true}]]) {
    const page = await without.open(`${folder}/puma.html`, options);
    await expectFacts(page, `no WebGL, ${name}`, /^The 3D view is not available here \(.+\)\. These pictures from two sides/);
    expect(await page.evaluate('plannerCcd.selected') === 1, 'the first contact is shown at the start');
    expect(await page.evaluate('plannerCcd.time') === 3.25, 'at its moment');
    await drawnWithoutWebGl(page, `no WebGL, ${name}`);
    await close(page, `no WebGL, ${name}`);
  }
}

// A driver that stops, and one that draws nothing and says nothing.
async function webGlThatFails() {
  const page = await browser.open(`${folder}/puma.html`);
  const lose = `new Promise((done) => {
    const canvas = document.getElementById('canvas');
    window.extension = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    canvas.addEventListener('webglcontextlost', () => requestAnimationFrame(done));
    extension.loseContext();
  })`;
  await page.evaluate('plannerCcd.setTime(1.5)');
  await page.evaluate(lose);
  await expectFacts(page, 'lost', /not available here \(the graphics system gave it up\)/);
  expect(await page.evaluate('plannerCcd.time') === 1.5, 'time stays where it was');
  await drawnWithoutWebGl(page, 'lost');
  await page.evaluate('new Promise((done) => { document.getElementById("canvas").addEventListener("webglcontextrestored", () => requestAnimationFrame(done)); extension.restoreContext(); })');
  expect(await page.evaluate('plannerCcd.view') === 'solid' && !(await page.evaluate(visible('#notice'))), 'and it comes back');
  await close(page, 'lost');
  const blank = await browser.open(`${folder}/puma.html`, {before: 'WebGL2RenderingContext.prototype.drawElements = WebGL2RenderingContext.prototype.drawArrays = () => {}'});
  await expectFacts(blank, 'blank', /not available here \(the graphics system draws nothing\)/);
  await drawnWithoutWebGl(blank, 'blank');
  await close(blank, 'blank');
}

// The base64 of the element `id`, changed.
function damaged(id, change) {
  const begin = whole.indexOf('>', whole.indexOf(`id="${id}"`)) + 1, end = whole.indexOf('<', begin);
  return whole.slice(0, begin) + change(whole.slice(begin, end)) + whole.slice(end);
}

const swapped = (text) => {
  const at = text.length >> 1;
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
};

async function pagesThatBreak() {
  const failed = /^Nothing is drawn: the script of this page failed \(.+\)\. What is written here does not depend on it\.$/;
  const cases = [
    ['one letter of the data', damaged('data', swapped), {}, /its data was damaged on its way/],
    ['one letter of the script', damaged('app', swapped), {}, /its app was damaged on its way/],
    ['no data', damaged('data', () => ''), {}, failed],
    ['data that is no base64', damaged('data', () => '%%%'), {}, failed],
    ['no decompression', whole, {before: 'window.DecompressionStream = class { constructor() { this.readable = null; } }'}, failed],
    ['an old browser', whole, {before: 'delete window.ResizeObserver'}, failed],
    ['a browser without modern syntax', whole, {before: 'document.addEventListener("readystatechange", () => dispatchEvent(new ErrorEvent("error", {message: "SyntaxError: ?."})), {once: true})'},
      /this browser is too old for it, SyntaxError/],
    ['a list that is not that of the data', whole.replace(/<li><div class="finding">.*<\/div><\/li>\n(?=<\/ol>)/, ''), {}, null],
    ['the end is missing', whole.slice(0, whole.lastIndexOf('<script')), {}, /^Nothing is drawn: this file was damaged on its way\./],
    ['half is missing', whole.slice(0, whole.length >> 1), {}, /^Nothing is drawn: this file was damaged on its way\./],
    ['one letter of the script that starts it', whole.replace('DecompressionStream', 'DecompressionScream'), {}, /^Nothing is drawn: this file was damaged on its way\./],
    ['one letter of the first script', whole.replace('plannerCcdGuard=', 'plannerCcdGuart='), {}, /^Nothing is drawn: the script of this page was not run\./],
  ];
  for (const [name, html, options, notice] of cases) {
    writeFileSync(`${folder}/broken.html`, html);
    const page = await browser.open(`${folder}/broken.html`, options);
    if (notice) await expectFacts(page, name, notice);
    else expect(failed.test(await page.evaluate('document.getElementById("notice").innerText')), `${name}: is noticed`);
    expect(await page.evaluate('document.documentElement.className') === 'plain', `${name}: a document, not an empty stage`);
    await close(page, name, {errors: true});
  }
}

async function aFailureAfterwardsIsTold() {
  for (const failure of ['void setTimeout(() => { throw new Error("too late"); })', 'void Promise.reject(new Error("too late"))']) {
    const page = await browser.open(`${folder}/puma.html`);
    await page.evaluate(failure);
    await page.until('plannerCcdGuard.failed');
    await expectFacts(page, 'late', /^What is drawn may be wrong: the script of this page failed \(.*too late\)/);
    expect(await page.evaluate(visible('#canvas')), 'the picture stays');
    await close(page, 'late', {errors: true});
  }
}

// A clearance that is not known was drawn and told as 0, or left out.
async function unknownClearanceIsTold() {
  const page = await browser.open(`${folder}/full.html`);
  const readout = async (time) => {
    await page.evaluate(`plannerCcd.setTime(${time})`);
    return page.evaluate('document.getElementById("readout").textContent');
  };
  expect((await readout(0.75)).includes('at least 20.0 mm between forearm and car'), 'where it is known');
  expect((await readout(1.25)).includes('clearance not known, at most 110.0 mm between gripper and car'), 'where it is not');
  // Pixels of the plot at half its height, where no line is: in a stretch that is known, and in two that are not.
  const filled = await page.evaluate(`(() => {
    const plot = document.getElementById('plot'), c = plot.getContext('2d');
    const area = (from, to) => {
      const x = (t) => 9 + t / plannerCcd.data.motion.length * (plot.width - 18);
      const {data} = c.getImageData(x(from) + 3, plot.height / 2, x(to) - x(from) - 6, 4);
      return data.filter((_, i) => i % 4 === 3 && data[i] > 0).length / (data.length / 4);
    };
    return [area(0, 0.5), area(1, 1.5), area(1.5, 2)];
  })()`);
  expect(filled[0] === 1 && filled.slice(1).every((share) => share > 0.05 && share < 0.7), `known is filled, unknown hatched: ${filled}`);
  await close(page, 'unknown clearance');
}

async function aScriptThatWasAddedDoesNotRun() {
  writeFileSync(`${folder}/added.html`, whole.replace('<header>', '<header><script>window.injected = 5</script><p onclick="window.injected = 6" id="trap">x</p>'));
  const page = await browser.open(`${folder}/added.html`);
  await page.evaluate('document.getElementById("trap").click()');
  expect(await page.evaluate('Boolean(window.plannerCcd)'), 'the page itself works');
  await close(page, 'an added script', {errors: true});
}

// As Python's _repr_html_ inserts it, in a frame in which scripts may not run.
async function insideOfANotebookThatIsNotTrusted() {
  const cell = whole.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  for (const [name, from, sandbox] of [['no scripts', browser, 'sandbox="allow-same-origin"'], ['no WebGL', without, '']]) {
    writeFileSync(`${folder}/cell.html`, `<body data-ready="1"><iframe ${sandbox} style="width:100%;height:500px;border:0" srcdoc="${cell}"></iframe></body>`);
    const page = await from.open(`${folder}/cell.html`);
    const inside = (expression) => page.evaluate(`((document) => ${expression})(frames[0].document)`);
    await page.until('frames[0].document.querySelector("#facts")');
    if (!sandbox) await page.until('frames[0].plannerCcd');
    expect(await inside('document.querySelector("#verdict").innerText.trim()') === 'Contact', `notebook, ${name}: the verdict`);
    expect(await inside('[...document.querySelectorAll("#findings li")].every((li) => li.innerText.includes("gripper"))'), `notebook, ${name}: findings`);
    const said = await inside('[...document.querySelectorAll(".notice")].filter((e) => e.getClientRects().length).map((e) => e.innerText).join()');
    expect(said.startsWith(sandbox ? 'Scripts are off' : 'The 3D view is not available'), `notebook, ${name}: ${said}`);
    await close(page, `notebook, ${name}`, {errors: Boolean(sandbox)});  // Chromium tells of every script that it does not run
  }
}

try {
  await everyTextIsShown();
  await Promise.all([scriptsOff(), noWebGl()]);
  await webGlThatFails();
  await pagesThatBreak();
  await aFailureAfterwardsIsTold();
  await unknownClearanceIsTold();
  await aScriptThatWasAddedDoesNotRun();
  await insideOfANotebookThatIsNotTrusted();
} catch (error) {
  expect(false, error.stack);
} finally {
  await Promise.all([browser.close(), without.close()]);
}
finish();
