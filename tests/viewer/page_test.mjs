// node page_test.mjs FOLDER CHROMIUM: opens the pages of FOLDER in a headless Chromium and operates them like a user.
import {readFileSync, writeFileSync} from 'node:fs';
import {Browser} from './browser.mjs';
import {expect, finish, poseError, readText} from './checks.mjs';

const [folder, program] = process.argv.slice(2);
const browser = new Browser(program);

async function open(name, options) {
  const page = await browser.open(`${folder}/${name}.html`, options);
  expect(await page.evaluate('Boolean(window.plannerCcd)'), `${name} starts`);
  return page;
}

async function closeWithoutErrors(page, name) {
  expect(page.errors.length === 0, `${name}: ${page.errors.join('; ')}`);
  expect(page.requests.length === 0, `${name} asked for ${page.requests}`);
  await browser.call('Target.closeTarget', {targetId: page.targetId});
}

async function expectPoses(page, poses, where) {
  const error = poseError(await page.evaluate('plannerCcd.poses()'), poses);
  expect(error < 1e-11, `${where}: the poses are off by ${error}`);
}

// The native slider, moved to a place by its own event, as dragging it does.
async function moveSlider(page, time) {
  await page.evaluate(`(() => {
    const slider = document.getElementById('slider'), motion = plannerCcd.data.motion;
    const begin = motion[0].begin, end = motion[motion.length - 1].end;
    slider.value = (${time} - begin) / (end - begin) * slider.max;
    slider.dispatchEvent(new Event('input'));
  })()`);
}

async function pumaMoves() {
  const {moments, triangles} = readText(`${folder}/puma.json`);
  const page = await open('puma');
  expect(await page.evaluate('plannerCcd.triangles') === triangles, 'all triangles are drawn');
  for (const {time, poses} of moments) {
    await page.evaluate(`plannerCcd.setTime(${time})`);
    await expectPoses(page, poses, `time ${time}`);
    await moveSlider(page, time);
    const step = await page.evaluate('plannerCcd.data.motion.length / document.getElementById("slider").max');
    expect(Math.abs(await page.evaluate('plannerCcd.time') - time) <= 0.51 * step, `slider at ${time}`);
  }
  const changed = await page.evaluate(`(() => {
    const pixels = () => { const c = document.createElement('canvas'), s = document.getElementById('canvas');
      c.width = 64; c.height = 48; c.getContext('2d').drawImage(s, 0, 0, 64, 48);
      return c.getContext('2d').getImageData(0, 0, 64, 48).data; };
    plannerCcd.setTime(0); plannerCcd.measure(1); const a = pixels();
    plannerCcd.measure(2); const b = pixels();
    return a.reduce((n, x, i) => n + (Math.abs(x - b[i]) > 20 ? 1 : 0), 0);
  })()`);
  expect(changed > 20, `the picture changes with time: ${changed} samples`);
  await closeWithoutErrors(page, 'puma');
}

// In the same task that clears the canvas, before any frame: a slow machine must not show an empty picture.
async function theCanvasIsNeverLeftEmpty() {
  const page = await open('puma');
  const colours = (clear) => page.evaluate(`(() => {
    const c = document.createElement('canvas'), s = document.getElementById('canvas');
    ${clear};
    c.width = 64; c.height = 48; c.getContext('2d').drawImage(s, 0, 0, 64, 48);
    return new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, 64, 48).data.buffer)).size;
  })()`);
  for (const coarseness of [1, 2, 0]) {
    const seen = await colours(`plannerCcd.setCoarseness(${coarseness})`);
    expect(seen > 20, `resolution step ${coarseness} shows ${seen} colours`);
  }
  const drawn = await page.evaluate('plannerCcd.pictures');
  await page.evaluate(`new Promise((done) => {
    const canvas = document.getElementById('canvas'), gl = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    canvas.addEventListener('webglcontextrestored', () => requestAnimationFrame(() => requestAnimationFrame(done)));
    gl.loseContext();
    setTimeout(() => gl.restoreContext(), 100);
  })`);
  expect(await page.evaluate('plannerCcd.pictures') > drawn, 'a restored context is drawn to');
  await closeWithoutErrors(page, 'puma, canvas');
}

async function findingsLeadToTheirMoments() {
  const {findings} = readText(`${folder}/puma.json`);
  const page = await open('puma', {dark: true});
  expect(await page.evaluate('plannerCcd.selected') === 1, 'the first contact is shown at the start');
  expect(await page.evaluate('plannerCcd.time') === findings[1], 'at its moment');
  for (let i = 0; i < findings.length; i++) {
    await page.click(`#findings li:nth-child(${i + 1}) button`);
    expect(await page.evaluate('plannerCcd.time') === findings[i], `click on finding ${i}`);
    const current = await page.evaluate('[...document.querySelectorAll("#findings button")].findIndex((b) => b.ariaCurrent === "true")');
    expect(current === i, `finding ${i} is marked in the list, not ${current}`);
    expect(await page.evaluate('document.getElementById("label").hidden') === (i !== 1), 'the label stands at contacts only');
  }
  await page.evaluate('document.activeElement.blur()');
  await page.press('n', 'KeyN');
  expect(await page.evaluate('plannerCcd.time') === findings[0], 'n leads to the next finding');
  await page.press('p', 'KeyP');
  expect(await page.evaluate('plannerCcd.time') === findings[findings.length - 1], 'p leads to the one before');
  await page.press('Escape');
  expect(await page.evaluate('plannerCcd.selected') === -1, 'Escape leaves the finding');
  expect(await page.evaluate('document.querySelector("#findings b").textContent') === '<i>finding</i>', 'texts are no HTML');
  const relied = await page.evaluate('[...document.querySelectorAll("#assumptions li")].map((li) => li.textContent).join("|")');
  expect(relied === '<b>no inside</b>: car|pairs not checked', `what the verdict relies on is listed: ${relied}`);
  expect(!(await page.evaluate('document.getElementById("assumptions").hidden')), 'and shown');
  await closeWithoutErrors(page, 'puma, findings');
}

async function keysPlay() {
  const page = await open('puma');
  await page.press('Home');
  expect(await page.evaluate('plannerCcd.time') === 0, 'Home leads to the start');
  const readout = 'document.getElementById("readout").textContent';
  expect((await page.evaluate(readout)).endsWith('free with every joint within 0.0123 rad, m'), 'the error that is proved is told');
  await page.evaluate('plannerCcd.setTime(1.5)');
  expect((await page.evaluate(readout)).endsWith('not free'), 'and where there is none');
  await page.press('Home');
  await page.press(' ', 'Space');
  await page.until('plannerCcd.time > 0.05');
  await page.press(' ', 'Space');
  const stopped = await page.evaluate('plannerCcd.time');
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await page.evaluate('plannerCcd.time') === stopped, 'space pauses');
  await page.press('ArrowRight');
  expect(await page.evaluate('plannerCcd.time') > stopped, 'the arrow leads on');
  await page.press('End');
  expect(await page.evaluate('plannerCcd.time') === await page.evaluate('plannerCcd.data.motion.length'), 'End leads to the end');
  for (const key of ['g', 'e', 'f']) await page.press(key, `Key${key.toUpperCase()}`);
  expect(await page.evaluate('document.getElementById("ghost").checked'), 'g shows the ghost');
  expect(!(await page.evaluate('document.getElementById("edges").checked')), 'e hides the edges');
  await closeWithoutErrors(page, 'puma, keys');
}

async function phoneAndOldBrowser() {
  const page = await open('puma', {width: 360, height: 640, mobile: true, before: 'delete window.DecompressionStream'});
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), 'a phone need not scroll sideways');
  expect(await page.evaluate('document.getElementById("canvas").clientHeight >= 250'), 'the picture has its place on a phone');
  const box = await page.evaluate('(({x, y, width, height}) => ({x, y, width, height}))(document.getElementById("plot").getBoundingClientRect())');
  const at = {x: box.x + box.width / 2, y: box.y + box.height / 2};
  await page.call('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [at]});
  await page.call('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
  const middle = await page.evaluate('plannerCcd.data.motion.length / 2');
  expect(Math.abs(await page.evaluate('plannerCcd.time') - middle) < 0.02 * middle, 'a touch of the plot leads there');
  await closeWithoutErrors(page, 'puma on a phone');
}

async function whatIsHeldFollowsTheHand() {
  const page = await open('handed');
  const findings = await page.evaluate('plannerCcd.data.findings.map((f) => f.kind)');
  const count = await page.evaluate('document.querySelector("#findings .count").textContent');
  expect(Number(count) === findings.length - 1 && findings.includes('event'), `events are not counted as findings: ${count}`);
  const expectPlace = async ({time, cup}) => {
    await page.evaluate(`plannerCcd.setTime(${time})`);
    const there = (await page.evaluate('plannerCcd.places()')).cup;
    const error = Math.max(...cup.map((x, i) => Math.abs(x - there[i])));
    expect(error < 1e-9, `the cup at ${time} is off by ${error}`);
  };
  const places = readText(`${folder}/handed.json`);
  for (const place of [...places, ...places.toReversed()]) await expectPlace(place);  // forwards and backwards
  await page.evaluate('document.getElementById("ghost").click()');
  await closeWithoutErrors(page, 'handed');
}

async function randomRobot() {
  const page = await open('random');
  for (const {time, poses} of readText(`${folder}/random.json`)) {
    await page.evaluate(`plannerCcd.setTime(${time})`);
    await expectPoses(page, poses, `random robot at ${time}`);
  }
  await closeWithoutErrors(page, 'random');
}

async function jointsMoveByHand() {
  const page = await open('still');
  expect(await page.evaluate('document.getElementById("timeline").hidden'), 'no time without a motion');
  await expectPoses(page, readText(`${folder}/still.json`), 'robot at rest');
  await page.evaluate(`(() => {
    const slider = document.querySelectorAll('#joints input')[1];
    slider.value = 1.25;
    slider.dispatchEvent(new Event('input'));
  })()`);
  await expectPoses(page, readText(`${folder}/moved.json`), 'robot moved by hand');
  const triangles = () => page.evaluate('Object.fromEntries(plannerCcd.shown)');
  const collision = await triangles();
  expect(collision.upper_arm > 12, 'collision meshes are shown at first');
  await page.click('#visual');
  const visual = await triangles();
  expect(visual.upper_arm === 12, 'the visual of the upper arm is a box');
  const colours = await page.evaluate('Object.fromEntries(plannerCcd.colours.map(([name, ...rest]) => [name, rest.join()]))');
  expect(colours.upper_arm === 'ff8000,0.25', `the box has its own colour, not ${colours.upper_arm}`);
  expect(colours.forearm !== colours.upper_arm, 'links without one have the theme\'s');
  expect(visual.forearm === collision.forearm, 'links without a visual keep their collision mesh');
  await page.click('#collision');
  expect((await triangles()).upper_arm === collision.upper_arm, 'and back');
  await closeWithoutErrors(page, 'still');
}

async function whatWasNotCheckedSaysSo() {
  const heading = 'document.querySelector("#findings h2").textContent', none = 'document.querySelector("#findings .none") === null';
  const page = await open('unchecked');
  expect(await page.evaluate(heading) === 'Events (nothing was checked) 1', 'an event without a verdict');
  expect(await page.evaluate(none), 'a page that was not checked does not say that there is nothing to report');
  expect(await page.evaluate('document.getElementById("verdict").innerText.trim()') === 'Nothing was checked', 'it says so');
  await closeWithoutErrors(page, 'unchecked');
  const checked = await open('puma');
  expect((await checked.evaluate(heading)).startsWith('Findings '), 'findings of a check');
  await closeWithoutErrors(checked, 'puma');
}

// As inserted by Python's _repr_html_.
async function insideOfANotebookItsGroundDecides() {
  const cell = readFileSync(`${folder}/puma.html`, 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  for (const [ground, theme] of [['#ffffff', 'light'], ['#111111', 'dark']]) {
    writeFileSync(`${folder}/notebook.html`, `<body data-ready="1" style="background:${ground}"><div>
      <iframe style="width:100%;height:400px;border:0" srcdoc="${cell}"></iframe></div></body>`);
    const page = await browser.open(`${folder}/notebook.html`, {dark: theme === 'light'});
    await page.until('frames[0].document.body?.dataset.ready');
    expect(await page.evaluate('frames[0].document.documentElement.dataset.theme') === theme, `${theme} on ${ground}`);
    expect(await page.evaluate('frames[0].plannerCcd.selected') === 1, 'and works there');
    await closeWithoutErrors(page, `notebook on ${ground}`);
  }
}

try {
  await Promise.all([pumaMoves(), findingsLeadToTheirMoments(), randomRobot(), jointsMoveByHand()]);
  await keysPlay();
  await whatIsHeldFollowsTheHand();
  await whatWasNotCheckedSaysSo();
  await phoneAndOldBrowser();
  await insideOfANotebookItsGroundDecides();
  await theCanvasIsNeverLeftEmpty();
} catch (error) {
  expect(false, error.stack);
} finally {
  await browser.close();
}
finish();
