// Camera, light, ground and the loop that draws only when something has changed.
import {
  AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, Mesh, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Raycaster, Scene, ShaderMaterial, ShadowMaterial, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';

const kSlowFrame = 60;             // [ms]
const kSharpness = [1, 0.75, 0.5];  // share of the screen's resolution, by coarseness

const gridShader = {
  vertexShader: `
    varying vec2 place;
    void main() {
      place = (modelMatrix * vec4(position, 1.0)).xy;
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`,
  fragmentShader: `
    uniform vec3 colour;
    uniform vec2 centre;
    uniform float cell, reach;
    varying vec2 place;
    float line(float size) {
      vec2 x = place / size;
      vec2 width = fwidth(x);
      vec2 d = abs(fract(x - 0.5) - 0.5) / width;
      vec2 seen = clamp(1.0 - d, 0.0, 1.0) * clamp(1.0 - 2.0 * width, 0.0, 1.0);
      return max(seen.x, seen.y);
    }
    void main() {
      float fade = 1.0 - smoothstep(0.35, 1.0, distance(place, centre) / reach);
      float seen = max(0.35 * line(cell), 0.8 * line(10.0 * cell));
      gl_FragColor = vec4(colour, seen * fade);
      #include <colorspace_fragment>
    }`,
};

// As three.js asks for it, which would say no more than that there is none.
function contextOf(canvas) {
  let why = 'this browser does not offer WebGL 2';
  canvas.addEventListener('webglcontextcreationerror', (event) => {
    why = event.statusMessage || why;
  });
  const context = canvas.getContext('webgl2', {antialias: true, powerPreference: 'high-performance'});
  if (!context) throw new Error(why);
  return context;
}

export class Stage {
  // `failed` is called with the reason when a picture cannot be drawn. Throws when none ever can.
  constructor(canvas, theme, failed) {
    this.canvas = canvas;
    this.failed = failed;
    this.renderer = new WebGLRenderer({canvas, context: contextOf(canvas)});
    this.renderer.debug.onShaderError = () => failed('the graphics driver refused its programs');
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => this.setBusy(true));
    this.controls.addEventListener('end', () => this.setBusy(false));
    this.beforeFrame = [];
    this.pending = false;
    this.flight = null;
    this.busy = false;
    this.coarseness = 0;
    this.slowFrames = 0;
    this.pictures = 0;
    this.addLight();
    this.addGround();
    theme.listen((colours) => this.paint(colours));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  addLight() {
    this.sky = new HemisphereLight();
    this.sky.position.set(0, 0, 1);
    this.key = new DirectionalLight();
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.bias = -0.0005;
    this.key.shadow.normalBias = 0.01;
    this.ambient = new AmbientLight('#ffffff', 0.25);
    this.scene.add(this.sky, this.key, this.key.target, this.ambient);
  }

  addGround() {
    this.grid = new Mesh(new PlaneGeometry(2, 2), new ShaderMaterial({
      ...gridShader, transparent: true, depthWrite: false,
      uniforms: {colour: {value: new Color()}, centre: {value: [0, 0]}, cell: {value: 0.1}, reach: {value: 5}},
    }));
    this.shade = new Mesh(this.grid.geometry, new ShadowMaterial({depthWrite: false}));
    this.shade.receiveShadow = true;
    this.grid.renderOrder = -2;
    this.shade.renderOrder = -1;
    this.scene.add(this.grid, this.shade);
  }

  paint(colours) {
    this.scene.background = new Color(colours.background);
    this.sky.color.set(colours.sky);
    this.sky.groundColor.set(colours.floor);
    this.sky.intensity = colours.fill;
    this.key.intensity = colours.key;
    this.grid.material.uniforms.colour.value.set(colours.ground);
    this.shade.material.opacity = colours.shadow;
    this.invalidate();
  }

  // `focus`: the camera's initial view; `all`: everything that casts a shadow or lies on the ground.
  furnish(focus, all) {
    this.focus = focus;
    const centre = focus.getCenter(new Vector3());
    const radius = Math.max(1e-3, focus.getSize(new Vector3()).length() / 2);
    this.radius = radius;
    const cell = 10 ** Math.round(Math.log10(radius / 8));
    const reach = Math.max(6 * radius, all.getSize(new Vector3()).length());
    const height = all.min.z - 0.002 * radius;
    for (const mesh of [this.grid, this.shade]) {
      mesh.position.set(centre.x, centre.y, height);
      mesh.scale.set(reach, reach, 1);
    }
    const uniforms = this.grid.material.uniforms;
    uniforms.centre.value = [centre.x, centre.y];
    uniforms.cell.value = cell;
    uniforms.reach.value = reach;
    this.key.target.position.copy(centre);
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -1.7 * radius;
    shadow.right = shadow.top = 1.7 * radius;
    shadow.near = 0.1 * radius;
    shadow.far = 12 * radius;
    shadow.updateProjectionMatrix();
    this.camera.near = 0.004 * radius;
    this.camera.far = 60 * radius + 2 * reach;
    this.controls.minDistance = 0.02 * radius;
    this.controls.maxDistance = 30 * radius;
  }

  // The distance from which a ball fills the picture.
  distanceFor(radius) {
    const half = Math.tan(this.camera.fov * Math.PI / 360);
    return radius / Math.sin(Math.atan(half * Math.min(1, this.camera.aspect)));
  }

  // A direction from which `obstacles` do not hide `point`; among those, one close to `wanted` and perpendicular to
// `normal`.
  clearDirection(target, distance, {point, normal, wanted, obstacles}) {
    const candidates = [];
    for (const elevation of [0.35, 0.6, 0.9]) {
      for (let i = 0; i < 12; i++) {
        const azimuth = 2 * Math.PI * i / 12 + 0.2;
        const direction = new Vector3(
          Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
        const eye = target.clone().addScaledVector(direction, distance);
        const sight = point.clone().sub(eye);
        const across = normal ? 1 - Math.abs(sight.clone().normalize().dot(normal)) : 0;
        candidates.push({direction, eye, sight, score: direction.dot(wanted) + 0.7 * across});
      }
    }
    candidates.sort((a, b) => b.score - a.score);
    const ray = new Raycaster();
    const isClear = ({eye, sight}) => {
      ray.set(eye, sight.clone().normalize());
      ray.far = sight.length() - 0.03 * this.radius;
      return ray.intersectObjects(obstacles, false).length === 0;
    };
    return (candidates.find(isClear) || candidates[0]).direction;
  }

  // Shows the whole robot, from a side from which `sight` (see clearDirection) is visible.
  lookAtAll(sight = this.sight) {
    this.sight = sight;
    const centre = this.focus.getCenter(new Vector3());
    const distance = this.distanceFor(this.radius);
    const wanted = new Vector3(0.6, -0.7, 0.38).normalize();
    const direction = this.clearDirection(centre, distance, {point: centre, obstacles: [], ...sight, wanted});
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    // Light comes from above, from the viewer's left, a little from the front.
    const left = new Vector3(0, 0, 1).cross(direction).normalize();
    this.key.position.copy(centre).addScaledVector(direction, 1.2 * this.radius).addScaledVector(left, -1.5 * this.radius);
    this.key.position.z = centre.z + 3.2 * this.radius;
    this.moved();
  }

  // Turns to a point and moves as near as `radius` requires; keeps the current direction if the point is visible from there.
  lookAt(radius, sight) {
    const {point} = sight;
    const wanted = this.camera.position.clone().sub(this.controls.target).normalize();
    const distance = Math.min(this.camera.position.distanceTo(this.controls.target), this.distanceFor(radius));
    const direction = this.clearDirection(point, distance, {...sight, wanted});
    const to = {target: point.clone(), position: point.clone().addScaledVector(direction, distance)};
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.controls.target.copy(to.target);
      this.camera.position.copy(to.position);
      this.controls.update();
      return;
    }
    this.flight = {
      to, start: performance.now(),
      from: {target: this.controls.target.clone(), position: this.camera.position.clone()},
    };
    this.invalidate();
  }

  fly(now) {
    if (!this.flight) return;
    const u = Math.min(1, (now - this.flight.start) / 450);
    const ease = u * u * (3 - 2 * u);
    this.controls.target.lerpVectors(this.flight.from.target, this.flight.to.target, ease);
    this.camera.position.lerpVectors(this.flight.from.position, this.flight.to.position, ease);
    if (u === 1) this.flight = null;
    this.controls.update();
    this.invalidate();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio) * kSharpness[this.coarseness]);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // A new size clears the canvas. The picture is drawn in the same task, since the next frame may be late.
    this.drawNow();
  }

  // While things move (`busy`), slow machines get coarser pictures without shadows; at rest the picture is
// complete again.
  setBusy(busy) {
    this.busy = busy;
    this.slowFrames = 0;
    if (!busy) this.setCoarseness(0);
  }

  setCoarseness(coarseness) {
    if (coarseness === this.coarseness) return;
    this.coarseness = coarseness;
    this.key.castShadow = coarseness === 0;
    this.resize();
    this.moved();
  }

  // `waited`: [ms] from requesting a frame to its callback; long when pictures queue up.
  watchPace(waited) {
    if (!this.busy || waited < kSlowFrame) {
      this.slowFrames = 0;
      return;
    }
    if (++this.slowFrames < 2 || this.coarseness + 1 >= kSharpness.length) return;
    this.slowFrames = 0;
    this.setCoarseness(this.coarseness + 1);
  }

  // Something moved: shadows too.
  moved() {
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  invalidate() {
    if (this.pending) return;
    this.pending = true;
    const asked = performance.now();
    requestAnimationFrame((now) => {
      this.pending = false;
      this.watchPace(performance.now() - asked);
      this.fly(now);
      this.draw(now);
    });
  }

  // Draws without waiting for a frame; does nothing before the scene is set up.
  drawNow() {
    if (this.focus) this.draw(performance.now());
  }

  // Waits until the last picture is on the canvas, by reading a pixel.
  waitForPicture() {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  draw(now) {
    this.pictures++;
    try {
      for (const task of this.beforeFrame) task(now);
      this.renderer.render(this.scene, this.camera);
    } catch (error) {
      this.failed(error.message);
    }
  }

  // Whether the last picture, in the task that drew it, has a single colour: some drivers draw nothing and say nothing.
  isEmpty() {
    const gl = this.renderer.getContext(), {drawingBufferWidth: width, drawingBufferHeight: height} = gl;
    const bytes = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    const pixels = new Uint32Array(bytes.buffer);
    return pixels.every((pixel) => pixel === pixels[0]);
  }
}

export function boxOf(objects) {
  const box = new Box3();
  for (const object of objects) box.expandByObject(object);
  return box;
}
