// Robot and scene as three.js objects: one group per body, which contains the body's items.
import {
  Box3, Color, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, SRGBColorSpace,
  Vector3,
} from 'three';
import {compose, stayAt} from './kinematics.js';
import {creaseGeometry, surfaceGeometry} from './geometry.js';
import {kFirst, kSecond} from './theme.js';

export function matrixOf(pose, matrix = new Matrix4()) {
  const p = pose;
  return matrix.set(p[0], p[1], p[2], p[9], p[3], p[4], p[5], p[10], p[6], p[7], p[8], p[11], 0, 0, 0, 1);
}

const kMostGhostTriangles = 600000;
const kMostGhosts = 7;
const kLeastOpacity = 0.15;  // keeps everything visible

export class World {
  constructor(data, motion, theme) {
    this.data = data;
    this.motion = motion;
    this.root = new Group();
    this.layer = 'collision';
    this.surfaces = data.meshes.map(() => null);
    this.creases = data.meshes.map(() => null);
    this.materials = {};
    for (const kind of ['link', 'attached', 'obstacle']) {
      for (const role of ['', 'first', 'second']) this.materials[kind + role] = this.surfaceMaterial();
    }
    this.coloured = new Map();
    this.edges = new LineBasicMaterial({transparent: true, opacity: 0.55});
    // The ghost is drawn twice: into the depth buffer, then its nearest surface in colour, so that copies do not pile up.
    this.ghostDepth = new MeshLambertMaterial({transparent: true, colorWrite: false});
    this.ghostMaterial = new MeshLambertMaterial({transparent: true, opacity: 0.3, depthWrite: false});
    this.bodies = data.bodies.map(() => {
      const group = new Group();
      group.matrixAutoUpdate = false;
      this.root.add(group);
      return group;
    });
    this.hasVisuals = data.items.some((item) => item.visual);
    this.items = data.items.map((item) => this.build(item));
    this.ghost = null;
    theme.listen((colours) => this.paint(colours));
  }

  surfaceMaterial() {
    // Pushed back a little, so that the creases drawn on a surface are not hidden by it.
    return new MeshLambertMaterial({polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
  }

  // The material of a shape: a visual's own colour if it has one, or that of its kind; in a role, that of the role.
  materialOf(kind, colour, role) {
    if (!colour || role) return this.materials[kind + role];
    const key = colour.join();
    if (!this.coloured.has(key)) {
      const material = this.surfaceMaterial();
      material.color.setRGB(colour[0], colour[1], colour[2], SRGBColorSpace);
      material.opacity = Math.max(colour[3], kLeastOpacity);
      material.transparent = material.opacity < 1;
      this.coloured.set(key, material);
    }
    return this.coloured.get(key);
  }

  surface(mesh) {
    this.surfaces[mesh] = this.surfaces[mesh] || surfaceGeometry(this.data.meshes[mesh]);
    return this.surfaces[mesh];
  }

  crease(mesh) {
    this.creases[mesh] = this.creases[mesh] || creaseGeometry(this.data.meshes[mesh]);
    return this.creases[mesh];
  }

  build(item) {
    const built = {item, name: item.name, layers: {}, mark: null};
    for (const layer of ['collision', 'visual']) {
      if (!item[layer]) continue;
      const group = new Group();
      group.matrixAutoUpdate = false;
      for (const shape of item[layer]) {
        const mesh = new Mesh(this.surface(shape.mesh), this.materialOf(item.kind, shape.colour, ''));
        mesh.userData.colour = shape.colour;
        const lines = new LineSegments(this.crease(shape.mesh), this.edges);
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.name = item.name;
        lines.name = 'crease';
        for (const part of [mesh, lines]) {
          part.matrixAutoUpdate = false;
          matrixOf(shape.pose, part.matrix);
          group.add(part);
        }
      }
      group.visible = layer === 'collision' || item.collision === undefined;
      built.layers[layer] = group;
    }
    this.place(built, stayAt(item, this.motion.begin));
    return built;
  }

  place(built, stay) {
    if (built.stay === stay) return;
    built.stay = stay;
    for (const group of Object.values(built.layers)) {
      this.bodies[stay.body].add(group);
      matrixOf(stay.pose, group.matrix);
      group.matrixWorldNeedsUpdate = true;
    }
  }

  paint(colours) {
    // Obstacles are often large: they are tinted where links are coloured.
    for (const [kind, strength] of [['link', 0.85], ['attached', 0.85], ['obstacle', 0.5]]) {
      for (const [role, colour] of [['', null], ['first', kFirst], ['second', kSecond]]) {
        const material = this.materials[kind + role];
        material.color.set(colours[kind]);
        if (colour) material.color.lerp(new Color(colour), strength);
      }
    }
    this.edges.color.set(colours.edge);
    this.ghostMaterial.color.set(colours.ghost);
  }

  setTime(time) {
    this.motion.poses(time).forEach((pose, i) => {
      matrixOf(pose, this.bodies[i].matrix);
      this.bodies[i].matrixWorldNeedsUpdate = true;
    });
    for (const built of this.items) {
      if (built.item.stays) this.place(built, stayAt(built.item, time));
    }
  }

  // 'collision', or 'visual' with collision meshes for items without a visual.
  setLayer(layer) {
    this.layer = layer;
    for (const {layers} of this.items) {
      if (layers.collision) layers.collision.visible = layer === 'collision' || !layers.visual;
      if (layers.visual) layers.visual.visible = layer === 'visual' || !layers.collision;
    }
  }

  setEdges(shown) {
    this.edges.visible = shown;
  }

  // Colours the items with these names as first and second body; all others have their own colour.
  highlight(first, second) {
    for (const built of this.items) {
      const role = first.includes(built.name) ? 'first' : second.includes(built.name) ? 'second' : '';
      for (const group of Object.values(built.layers)) {
        for (const part of group.children) {
          if (part.isMesh) part.material = this.materialOf(built.item.kind, part.userData.colour, role);
        }
      }
    }
  }

  surfacesShown() {
    return this.items.flatMap(({layers}) => Object.values(layers).filter((group) => group.visible))
      .flatMap((group) => group.children.filter((part) => part.isMesh));
  }

  movingItems() {
    return this.items.filter((built) => built.item.body > 0 || built.item.stays);
  }

  // The box of everything that moves, at instants throughout the motion; of everything if nothing moves.
  focus() {
    const box = new Box3();
    const items = this.movingItems().length > 0 ? this.items.filter((b) => b.item.kind !== 'obstacle' || b.item.stays) : this.items;
    const steps = this.data.moving ? 12 : 0;
    for (let i = 0; i <= steps; i++) {
      const time = this.motion.begin + (this.motion.end - this.motion.begin) * i / Math.max(1, steps);
      this.setTime(time);
      this.root.updateMatrixWorld(true);
      for (const built of items) box.union(new Box3().setFromObject(built.layers.collision || built.layers.visual));
    }
    return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
  }

  // Translucent copies of moving items, at evenly spaced instants of the motion; fewer for large robots.
  setGhost(shown) {
    if (shown && !this.ghost) this.ghost = this.buildGhost();
    if (this.ghost) this.ghost.visible = shown;
  }

  buildGhost() {
    const ghost = new Group();
    const shapes = this.movingItems().flatMap((built) => (built.item.collision || built.item.visual)
      .map((shape) => ({mesh: shape.mesh, item: built.item, pose: shape.pose})));
    const triangles = shapes.reduce((sum, s) => sum + this.data.meshes[s.mesh].indices.length / 3, 0);
    const count = Math.max(2, Math.min(kMostGhosts, Math.floor(kMostGhostTriangles / Math.max(1, triangles))));
    const instants = Array.from({length: count}, (_, i) => {
      const time = this.motion.begin + (this.motion.end - this.motion.begin) * i / (count - 1);
      return {time, poses: this.motion.poses(time)};
    });
    const matrix = new Matrix4();
    for (const shape of shapes) {
      [this.ghostDepth, this.ghostMaterial].forEach((material, pass) => {
        const copies = new InstancedMesh(this.surface(shape.mesh), material, count);
        instants.forEach(({time, poses}, i) => {
          const stay = stayAt(shape.item, time);
          copies.setMatrixAt(i, matrixOf(compose(poses[stay.body], compose(stay.pose, shape.pose)), matrix));
        });
        copies.frustumCulled = false;
        copies.renderOrder = 1 + pass;
        ghost.add(copies);
      });
    }
    this.root.add(ghost);
    return ghost;
  }

  get triangleCount() {
    return this.data.items.reduce((sum, item) => sum + (item.collision || item.visual)
      .reduce((s, shape) => s + this.data.meshes[shape.mesh].indices.length / 3, 0), 0);
  }
}
