// Connects the parts: time drives poses, findings drive time and camera, keys drive everything.
import {Vector3} from 'three';
import {readData} from './data.js';
import {Motion} from './kinematics.js';
import {Marker} from './marker.js';
import {Panel} from './panel.js';
import {boxOf, Stage} from './stage.js';
import {Theme} from './theme.js';
import {Timeline} from './timeline.js';
import {World} from './world.js';

const byId = (id) => document.getElementById(id);

class App {
  constructor(data) {
    this.data = data;
    this.motion = new Motion(data);
    this.theme = new Theme();
    this.stage = new Stage(byId('canvas'), this.theme);
    this.world = new World(data, this.motion, this.theme);
    this.stage.scene.add(this.world.root);
    this.stage.furnish(this.world.focus(), boxOf([this.world.root]));
    this.marker = new Marker(this.stage, this.world, byId('label'));
    this.timeline = new Timeline(data, this.motion, this.theme, {
      slider: byId('slider'), play: byId('play'), speed: byId('speed'), readout: byId('readout'), head: byId('head'),
      plot: byId('plot'),
    });
    this.timeline.listen((time) => this.showTime(time));
    this.timeline.playListeners.push((playing) => this.stage.setBusy(playing));
    this.panel = new Panel(data, this.motion, this.timeline, {
      select: (index, near) => this.select(index, near), setJoint: (index, value) => this.setJoint(index, value),
    });
    byId('timeline').hidden = !data.moving;
    document.body.classList.toggle('still', !data.moving);
    document.body.classList.toggle('profile', Boolean(data.profile || data.tracking));
    this.connect();
    this.theme.listen(() => this.stage.moved());
    this.showTime(this.motion.begin);
    const contact = data.findings.findIndex((f) => f.kind === 'contact' || f.kind === 'margin');
    this.select(contact >= 0 ? contact : data.findings.findIndex((f) => f.kind !== 'event'), false);
    const finding = data.findings[this.panel.selected];
    this.stage.lookAtAll(finding && finding.touch ? this.sightOf(finding) : {});
  }

  connect() {
    const check = (id, action) => byId(id).addEventListener('change', (event) => {
      action(event.target.checked);
      this.stage.moved();
    });
    byId('layers').hidden = !this.world.hasVisuals;
    check('collision', () => this.world.setLayer('collision'));
    check('visual', () => this.world.setLayer('visual'));
    check('edges', (on) => this.world.setEdges(on));
    check('ghost', (on) => this.world.setGhost(on));
    check('ground', (on) => {
      this.stage.grid.visible = this.stage.shade.visible = on;
    });
    byId('ghost-switch').hidden = !this.data.moving;
    byId('theme').addEventListener('click', () => this.theme.toggle());
    byId('all').addEventListener('click', () => this.stage.lookAtAll());
    byId('joints').addEventListener('toggle', () => this.panel.showJoints(this.timeline.time));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target.tagName;
    const isControl = tag === 'BUTTON' || tag === 'SUMMARY' || tag === 'SELECT' || tag === 'INPUT';
    const isRange = tag === 'INPUT' && event.target.type === 'range';
    if (isControl && (event.key === ' ' || event.key === 'Enter') && !(isRange && event.key === ' ')) return;
    const actions = {
      ' ': () => this.timeline.toggle(),
      n: () => this.step(1),
      p: () => this.step(-1),
      f: () => this.stage.lookAtAll(),
      g: () => byId('ghost').click(),
      e: () => byId('edges').click(),
      v: () => byId(this.world.layer === 'visual' ? 'collision' : 'visual').click(),
      Escape: () => this.select(-1, false),
    };
    if (!isRange) {
      actions.ArrowLeft = () => this.timeline.set(this.timeline.time - this.timeline.length / 200, true);
      actions.ArrowRight = () => this.timeline.set(this.timeline.time + this.timeline.length / 200, true);
      actions.Home = () => this.timeline.set(this.motion.begin, true);
      actions.End = () => this.timeline.set(this.motion.end, true);
    }
    const action = actions[event.key];
    if (!action || (tag === 'SELECT')) return;
    event.preventDefault();
    action();
  }

  step(by) {
    const count = this.data.findings.length;
    if (count > 0) this.select((this.panel.selected + by + count) % count, true);
  }

  // Jumps to a finding; `near`: the camera goes there too.
  select(index, near) {
    const finding = this.data.findings[index] || null;
    this.panel.setSelected(finding ? index : -1);
    this.world.highlight(finding ? finding.a : [], finding ? finding.b : []);
    this.marker.show(finding);
    if (finding) this.timeline.set(finding.moment, true);
    if (finding && finding.touch && near) this.stage.lookAt(0.3 * this.stage.radius, this.sightOf(finding));
    this.stage.moved();
  }

  sightOf(finding) {
    this.world.root.updateMatrixWorld(true);
    const {point_a: a, point_b: b, normal} = finding.touch;
    return {
      point: new Vector3(...a).add(new Vector3(...b)).multiplyScalar(0.5), normal: new Vector3(...normal),
      obstacles: this.world.surfacesShown(),
    };
  }

  setJoint(index, value) {
    this.motion.byHand = this.motion.byHand || this.motion.coordinates(this.motion.begin);
    this.motion.byHand[index] = value;
    this.showTime(this.motion.begin);
  }

  showTime(time) {
    this.world.setTime(time);
    this.panel.showJoints(time);
    this.stage.moved();
  }

  // Milliseconds per frame, and the share of this page's own code, over a sweep through the motion.
  measure(frames) {
    let own = 0;
    const start = performance.now();
    for (let i = 0; i < frames; i++) {
      const before = performance.now();
      this.timeline.set(this.timeline.timeOf(i / Math.max(1, frames - 1)), true);
      this.stage.draw(before);
      own += performance.now() - before;
      this.stage.waitForPicture();
    }
    return {frame_ms: (performance.now() - start) / frames, script_ms: own / frames};
  }
}

// For tests and for use in the console: window.plannerCcd.
function scripting(app) {
  return {
    data: app.data,
    get time() { return app.timeline.time; },
    get selected() { return app.panel.selected; },
    get triangles() { return app.world.triangleCount; },
    get pictures() { return app.stage.pictures; },
    get coarseness() { return app.stage.coarseness; },
    get shown() { return app.world.surfacesShown().map((mesh) => [mesh.name, mesh.geometry.index.count / 3]); },
    get colours() {
      return app.world.surfacesShown().map(({name, material}) => [name, material.color.getHexString(), material.opacity]);
    },
    setTime: (time) => app.timeline.set(time, true),
    select: (index) => app.select(index, true),
    poses: () => app.world.bodies.map((group) => {
      const e = group.matrix.elements;
      return [e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10], e[12], e[13], e[14]];
    }),
    places: () => {
      app.world.root.updateMatrixWorld(true);
      return Object.fromEntries(app.world.items.map(({name, layers}) =>
        [name, (layers.collision || layers.visual).matrixWorld.elements.slice(12, 15)]));
    },
    measure: (frames) => app.measure(frames),
    setCoarseness: (coarseness) => app.stage.setCoarseness(coarseness),
  };
}

window.plannerCcdStart = async (bytes) => {
  const began = performance.now();
  const app = new App(readData(bytes));
  byId('message').hidden = true;
  app.stage.drawNow();
  app.stage.waitForPicture();
  document.body.dataset.ready = 'true';  // for screenshots
  window.plannerCcd = scripting(app);
  window.plannerCcd.startMs = performance.now() - began;
};
