// Connects the parts: time drives poses, findings drive time and camera, keys drive everything. There are two views of the
// same: in three dimensions, and, where that is not to be had, from two sides.
import {readData} from './data.js';
import {Motion} from './kinematics.js';
import {Panel} from './panel.js';
import {Sketch} from './sketch.js';
import {Solid} from './solid.js';
import {Theme} from './theme.js';
import {Timeline} from './timeline.js';

const byId = (id) => document.getElementById(id);

class App {
  constructor(data) {
    this.data = data;
    this.motion = new Motion(data);
    this.theme = new Theme();
    this.shown = {layer: 'collision', edges: true, ghost: false, ground: true};
    this.finding = null;
    this.solid = this.sketch = null;
    this.openView();
    this.timeline = new Timeline(data, this.motion, this.theme, {
      slider: byId('slider'), play: byId('play'), speed: byId('speed'), readout: byId('readout'), head: byId('head'),
      plot: byId('plot'),
    });
    this.timeline.listen((time) => this.showTime(time));
    this.timeline.playListeners.push((playing) => this.view.setBusy(playing));
    this.panel = new Panel(data, this.motion, {
      select: (index, near) => this.select(index, near), setJoint: (index, value) => this.setJoint(index, value),
    });
    byId('timeline').hidden = !data.moving;
    document.body.classList.toggle('still', !data.moving);
    document.body.classList.toggle('profile', Boolean(data.profile || data.tracking));
    this.connect();
    this.showTime(this.motion.begin);
    const contact = data.findings.findIndex((f) => f.kind === 'contact' || f.kind === 'margin');
    this.select(contact >= 0 ? contact : data.findings.findIndex((f) => f.kind !== 'event'), false);
    this.view.lookAtAll();
  }

  openView() {
    try {
      this.solid = this.view = new Solid(this.data, this.motion, this.theme, {
        canvas: byId('canvas'), label: byId('label'), lost: (why) => this.drawWithoutWebGl(why),
        found: () => this.use(this.solid, ''),
      });
    } catch (error) {
      this.drawWithoutWebGl(error.message);
    }
  }

  drawWithoutWebGl(why) {
    this.sketch = this.sketch || new Sketch(this.data, this.motion, this.theme, {canvas: byId('sketch'), label: byId('label')});
    this.use(this.sketch, `The 3D view is not available here (${why}). These pictures from two sides are drawn without it; drag one to turn it.`);
  }

  // Shows the present state in this view; `notice`: what is to be said about it.
  use(view, notice) {
    const before = this.view;
    this.view = view;
    document.body.classList.toggle('sketched', view === this.sketch);
    byId('canvas').hidden = view !== this.solid;
    byId('sketch').hidden = view === this.solid;
    window.plannerCcdGuard.notice(notice);
    if (!before) return;
    view.setTime(this.timeline ? this.timeline.time : this.motion.begin);
    view.setLayer(this.shown.layer);
    view.setEdges(this.shown.edges);
    view.setGround(this.shown.ground);
    view.setGhost(this.shown.ghost);
    view.select(this.finding, false);
    if (view === this.sketch) view.lookAtAll();
  }

  connect() {
    const check = (id, name, value) => byId(id).addEventListener('change', (event) => {
      this.shown[name] = value || event.target.checked;
      this.view[`set${name[0].toUpperCase()}${name.slice(1)}`](this.shown[name]);
    });
    byId('layers').hidden = !this.data.items.some((item) => item.visual);
    check('collision', 'layer', 'collision');
    check('visual', 'layer', 'visual');
    check('edges', 'edges');
    check('ghost', 'ghost');
    check('ground', 'ground');
    byId('ghost-switch').hidden = !this.data.moving;
    byId('theme').addEventListener('click', () => this.theme.toggle());
    byId('all').addEventListener('click', () => this.view.lookAtAll());
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
      f: () => this.view.lookAtAll(),
      g: () => byId('ghost').click(),
      e: () => byId('edges').click(),
      v: () => byId(this.shown.layer === 'visual' ? 'collision' : 'visual').click(),
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

  // Jumps to a finding; `near`: the camera goes there, too.
  select(index, near) {
    this.finding = this.data.findings[index] || null;
    this.panel.setSelected(this.finding ? index : -1, near);
    if (this.finding) this.timeline.set(this.finding.moment, true);
    this.view.select(this.finding, near);
  }

  setJoint(index, value) {
    this.motion.byHand = this.motion.byHand || this.motion.coordinates(this.motion.begin);
    this.motion.byHand[index] = value;
    this.showTime(this.motion.begin);
  }

  showTime(time) {
    this.view.setTime(time);
    this.panel.showJoints(time);
  }

  // Milliseconds per frame, and the share of this page's own code, over a sweep through the motion.
  measure(frames) {
    let own = 0;
    const start = performance.now();
    for (let i = 0; i < frames; i++) {
      const before = performance.now();
      this.timeline.set(this.timeline.timeOf(i / Math.max(1, frames - 1)), true);
      this.view.drawNow();
      own += performance.now() - before;
      if (this.view === this.solid) this.solid.stage.waitForPicture();
    }
    return {frame_ms: (performance.now() - start) / frames, script_ms: own / frames};
  }
}

// For tests and for use in the console: window.plannerCcd.
function scripting(app) {
  return {
    data: app.data,
    get view() { return app.view === app.solid ? 'solid' : 'sketch'; },
    get time() { return app.timeline.time; },
    get selected() { return app.panel.selected; },
    get triangles() { return app.view.triangleCount; },
    get pictures() { return app.view.pictures; },
    get coarseness() { return app.solid.stage.coarseness; },
    get shown() { return app.solid.world.surfacesShown().map((mesh) => [mesh.name, mesh.geometry.index.count / 3]); },
    get colours() {
      return app.solid.world.surfacesShown().map(({name, material}) => [name, material.color.getHexString(), material.opacity]);
    },
    setTime: (time) => app.timeline.set(time, true),
    select: (index) => app.select(index, true),
    poses: () => app.solid.world.bodies.map((group) => {
      const e = group.matrix.elements;
      return [e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10], e[12], e[13], e[14]];
    }),
    places: () => {
      app.solid.world.root.updateMatrixWorld(true);
      return Object.fromEntries(app.solid.world.items.map(({name, layers}) =>
        [name, (layers.collision || layers.visual).matrixWorld.elements.slice(12, 15)]));
    },
    measure: (frames) => app.measure(frames),
    setCoarseness: (coarseness) => app.solid.stage.setCoarseness(coarseness),
  };
}

window.plannerCcdStart = async (bytes) => {
  const began = performance.now();
  const app = new App(readData(bytes));
  byId('message').hidden = true;
  app.view.drawNow();
  if (app.view === app.solid && app.view.triangleCount > 0 && app.solid.stage.isEmpty()) app.drawWithoutWebGl('the graphics system draws nothing');
  document.body.dataset.ready = 'true';  // for screenshots
  window.plannerCcd = scripting(app);
  window.plannerCcd.startMs = performance.now() - began;
};
