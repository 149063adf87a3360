// Marks a finding in the scene: the points that touch, the normal, the two triangles, a label. The marker keeps its
// size on the screen, and shines through whatever hides it.
import {
  BufferAttribute, BufferGeometry, CylinderGeometry, ConeGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, Quaternion,
  RingGeometry, SphereGeometry, Vector3,
} from 'three';
import {kFirst, kSecond} from './theme.js';

const kZ = new Vector3(0, 0, 1);
const kMarker = '#ffd400';

// Drawn twice: normally, and faintly through whatever is in front of it.
function addBoth(group, geometry, colour, order) {
  const parts = [
    new Mesh(geometry, new MeshBasicMaterial({color: colour, side: DoubleSide})),
    new Mesh(geometry, new MeshBasicMaterial({color: colour, side: DoubleSide, transparent: true, opacity: 0.45,
                                              depthTest: false, depthWrite: false})),
  ];
  parts.forEach((part, i) => {
    part.renderOrder = order + i;
    group.add(part);
  });
  return parts;
}

export class Marker {
  constructor(stage, world, label) {
    this.stage = stage;
    this.world = world;
    this.label = label;
    this.finding = null;
    this.group = new Group();
    this.sign = new Group();  // scaled with the distance
    this.group.add(this.sign);
    this.triangles = [];
    this.buildSign();
    stage.scene.add(this.group);
    stage.beforeFrame.push(() => this.place());
    this.group.visible = false;
  }

  buildSign() {
    const shaft = new CylinderGeometry(0.06, 0.06, 1.1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.55);
    const head = new ConeGeometry(0.2, 0.5, 24).rotateX(Math.PI / 2).translate(0, 0, 1.3);
    this.arrow = [...addBoth(this.sign, shaft, kMarker, 10), ...addBoth(this.sign, head, kMarker, 10)];
    this.ring = [...addBoth(this.sign, new RingGeometry(0.42, 0.52, 48), '#14181d', 9),
                 ...addBoth(this.sign, new RingGeometry(0.45, 0.49, 48), kMarker, 11)];
    addBoth(this.sign, new SphereGeometry(0.13, 24, 16), '#14181d', 9);
    addBoth(this.sign, new SphereGeometry(0.1, 24, 16), kMarker, 12);
  }

  show(finding) {
    this.finding = finding;
    for (const mesh of this.triangles) {
      mesh.parent.remove(mesh);
      mesh.geometry.dispose();
    }
    this.triangles = [];
    this.group.visible = Boolean(finding && finding.touch);
    this.label.hidden = !this.group.visible;
    if (!finding) return;
    finding.triangles.forEach((triangle, i) => this.addTriangle(triangle, i === 0 ? kFirst : kSecond));
    if (!finding.touch) return;
    this.at = new Vector3(...finding.touch.point_a).add(new Vector3(...finding.touch.point_b)).multiplyScalar(0.5);
    const normal = new Vector3(...finding.touch.normal);
    const hasNormal = normal.lengthSq() > 0.5;
    for (const part of [...this.arrow, ...this.ring]) part.visible = hasNormal;
    this.sign.position.copy(this.at);
    this.sign.quaternion.copy(hasNormal ? new Quaternion().setFromUnitVectors(kZ, normal) : new Quaternion());
    this.label.querySelector('.first').textContent = finding.a.join(', ');
    this.label.querySelector('.second').textContent = finding.b.join(', ');
  }

  // Corners are in the frame of the body, and move with it.
  addTriangle(triangle, colour) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(triangle.corners.flat()), 3));
    for (const mesh of addBoth(this.world.bodies[triangle.body], geometry, colour, 6)) {
      mesh.material.polygonOffset = true;
      mesh.material.polygonOffsetFactor = -1;
      mesh.material.polygonOffsetUnits = -2;
      this.triangles.push(mesh);
    }
  }

  // Before every frame: sets the size on the screen and the place of the label.
  place() {
    if (!this.group.visible) return;
    const {camera, canvas} = this.stage;
    camera.updateMatrixWorld();
    const distance = camera.position.distanceTo(this.at);
    const perPixel = 2 * distance * Math.tan(camera.fov * Math.PI / 360) / Math.max(1, canvas.clientHeight);
    this.sign.scale.setScalar(34 * perPixel);
    const p = this.at.clone().project(camera);
    const x = (p.x + 1) / 2 * canvas.clientWidth, y = (1 - p.y) / 2 * canvas.clientHeight;
    this.label.hidden = p.z > 1 || x < 0 || y < 0 || x > canvas.clientWidth || y > canvas.clientHeight;
    const left = Math.min(x + 26, canvas.clientWidth - this.label.offsetWidth - 8);
    this.label.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, y + 14)}px)`;
  }
}
