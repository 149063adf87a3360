// A headless Chromium, driven through the DevTools protocol over a pipe: needs only Node.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

export class Browser {
  // `webgl`: false takes it away, as a remote desktop or an old driver does.
  constructor(program, {webgl = true} = {}) {
    this.profile = mkdtempSync(join(tmpdir(), 'planner_ccd_browser_'));
    this.process = spawn(program, [
      '--headless=new', '--no-sandbox', '--remote-debugging-pipe',
      ...(webgl ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu', '--disable-3d-apis']),
      '--hide-scrollbars', '--mute-audio', '--no-first-run', '--disable-extensions', '--disable-background-networking',
      '--disable-dev-shm-usage', '--proxy-server=127.0.0.1:9', `--user-data-dir=${this.profile}`, 'about:blank',
    ], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.waiting = new Map();
    this.listeners = [];
    this.next = 1;
    this.received = '';
    this.process.stdio[4].setEncoding('utf8');
    this.process.stdio[4].on('data', (text) => this.receive(text));
    this.process.on('exit', () => {
      for (const {reject} of this.waiting.values()) reject(new Error('the browser ended'));
    });
  }

  receive(text) {
    const messages = (this.received + text).split('\0');
    this.received = messages.pop();
    for (const message of messages.map((m) => JSON.parse(m))) {
      const call = this.waiting.get(message.id);
      if (!call) {
        for (const listener of this.listeners) listener(message);
        continue;
      }
      this.waiting.delete(message.id);
      if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
      else call.resolve(message.result);
    }
  }

  call(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject, method}));
  }

  // A page of this size that shows `file`; resolves when its first picture is drawn or the page says it failed. `before`: a
  // script that runs first. `scripts`: false switches those of the page off.
  async open(file, {width = 900, height = 560, mobile = false, dark = false, before = '', scripts = true} = {}) {
    const {targetId} = await this.call('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.call('Target.attachToTarget', {targetId, flatten: true});
    const page = new Page(this, sessionId, targetId, scripts);
    for (const domain of ['Runtime', 'Page', 'Network', 'Log']) await page.call(`${domain}.enable`);
    await page.call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: mobile ? 2 : 1, mobile});
    if (mobile) await page.call('Emulation.setTouchEmulationEnabled', {enabled: true, maxTouchPoints: 5});
    await page.call('Emulation.setEmulatedMedia', {features: [
      {name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}, {name: 'prefers-reduced-motion', value: 'reduce'}]});
    if (before) await page.call('Page.addScriptToEvaluateOnNewDocument', {source: before});
    if (!scripts) await page.call('Emulation.setScriptExecutionDisabled', {value: true});
    await page.call('Page.navigate', {url: pathToFileURL(file).href});
    const loaded = 'location.protocol === "file:" && document.readyState === "complete"';
    await page.until(scripts ? `document.body?.dataset.ready || (${loaded} && (!window.plannerCcdGuard || plannerCcdGuard.failed))` : loaded);
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.on('exit', resolve));
    await this.call('Browser.close').catch(() => {});
    await ended;
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
  }
}

class Page {
  constructor(browser, sessionId, targetId, scripts) {
    this.browser = browser;
    this.scripts = scripts;
    this.sessionId = sessionId;
    this.targetId = targetId;
    this.errors = [];    // exceptions, and errors on the console
    this.requests = [];  // all network requests
    browser.listeners.push((message) => message.sessionId === sessionId && this.note(message));
  }

  note({method, params}) {
    if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description || 'exception');
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type)) {
      this.errors.push(params.args.map((a) => a.value ?? a.description).join(' '));
    }
    // Chromium itself warns about slow software rendering, which is not the page's fault.
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(params.entry.text);
    if (method === 'Network.requestWillBeSent' && /^(https?|wss?):/.test(params.request.url)) this.requests.push(params.request.url);
  }

  call(method, params) {
    return this.browser.call(method, params, this.sessionId);
  }

  async evaluate(expression) {
    const {result, exceptionDetails} = await this.call('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  async until(condition, milliseconds = 90000) {
    const end = Date.now() + milliseconds;
    while (!(await this.evaluate(`Boolean(${condition})`))) {
      if (Date.now() > end) throw new Error(`waited in vain for ${condition}; errors: ${this.errors.join('; ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async press(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    await this.call('Input.dispatchKeyEvent', {type: 'keyDown', key, code, text});
    await this.call('Input.dispatchKeyEvent', {type: 'keyUp', key, code});
  }

  // A click in the middle of an element.
  async click(selector) {
    const [x, y] = await this.evaluate(`(() => {
      const e = document.querySelector(${JSON.stringify(selector)});
      e.scrollIntoView({block: 'nearest'});
      const b = e.getBoundingClientRect();
      return [b.x + b.width / 2, b.y + b.height / 2];
    })()`);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.call('Input.dispatchMouseEvent', {type, x, y, button: 'left', clickCount: 1});
    }
  }

  async screenshot(file) {
    if (this.scripts) await this.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const format = file.endsWith('.png') ? 'png' : 'jpeg';
    const options = format === 'png' ? {format} : {format, quality: 82};
    const {data} = await this.call('Page.captureScreenshot', options);
    writeFileSync(file, Buffer.from(data, 'base64'));
  }
}
