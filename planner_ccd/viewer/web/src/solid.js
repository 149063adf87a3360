// The view in three dimensions. `lost(reason)` is called when the graphics system gives it up, `found()` when it is back.
import {Vector3} from 'three';
import {Marker} from './marker.js';
import {boxOf, Stage} from './stage.js';
import {World} from './world.js';

export class Solid {
  constructor(data, motion, theme, {canvas, label, lost, found}) {
    this.stage = new Stage(canvas, theme, lost);
    this.world = new World(data, motion, theme);
    this.stage.scene.add(this.world.root);
    this.stage.furnish(this.world.focus(), boxOf([this.world.root]));
    this.marker = new Marker(this.stage, this.world, label);
    this.finding = null;
    theme.listen(() => this.stage.moved());
    canvas.addEventListener('webglcontextlost', () => lost('the graphics system gave it up'));
    canvas.addEventListener('webglcontextrestored', found);  // three.js restores its state, but draws nothing
  }

  setTime(time) {
    this.world.setTime(time);
    this.stage.moved();
  }

  // Colours and marks a finding; `near`: the camera goes there, too.
  select(finding, near) {
    this.finding = finding;
    this.world.highlight(finding ? finding.a : [], finding ? finding.b : []);
    this.marker.show(finding);
    if (finding && finding.touch && near) this.stage.lookAt(0.3 * this.stage.radius, this.sight());
    this.stage.moved();
  }

  lookAtAll() {
    this.stage.lookAtAll(this.finding && this.finding.touch ? this.sight() : undefined);
  }

  setLayer(layer) {
    this.world.setLayer(layer);
    this.stage.moved();
  }

  setEdges(shown) {
    this.world.setEdges(shown);
    this.stage.moved();
  }

  setGhost(shown) {
    this.world.setGhost(shown);
    this.stage.moved();
  }

  setGround(shown) {
    this.stage.grid.visible = this.stage.shade.visible = shown;
    this.stage.moved();
  }

  setBusy(busy) {
    this.stage.setBusy(busy);
  }

  drawNow() {
    this.stage.drawNow();
  }

  get pictures() {
    return this.stage.pictures;
  }

  get triangleCount() {
    return this.world.triangleCount;
  }

  sight() {
    this.world.root.updateMatrixWorld(true);
    const {point_a: a, point_b: b, normal} = this.finding.touch;
    return {
      point: new Vector3(...a).add(new Vector3(...b)).multiplyScalar(0.5), normal: new Vector3(...normal),
      obstacles: this.world.surfacesShown(),
    };
  }
}
