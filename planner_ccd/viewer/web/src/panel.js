// The side panel. Its texts are in the page (facts.cpp writes them); added are what only a script can do: findings that lead
// to their moments, and the joints.
import {lengthText} from './timeline.js';

function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export class Panel {
  constructor(data, motion, actions) {
    this.data = data;
    this.motion = motion;
    this.actions = actions;
    this.selected = -1;
    this.makeFindingsButtons();
    this.listJoints();
    this.tellHowItIsDrawn();
    for (const part of document.querySelectorAll('#panel > details')) part.open = false;  // open where no script runs
  }

  makeFindingsButtons() {
    const entries = [...document.querySelectorAll('#findings .finding')];
    if (entries.length !== this.data.findings.length) throw new Error('its list of findings is not that of its data');
    this.buttons = entries.map((entry, index) => {
      const button = element('button', {type: 'button', className: 'finding'}, [...entry.childNodes]);
      button.addEventListener('click', () => this.actions.select(index, true));
      entry.replaceWith(button);
      return button;
    });
  }

  // `reveal`: scrolls the list to it.
  setSelected(index, reveal) {
    this.selected = index;
    this.buttons.forEach((button, i) => {
      if (i === index) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    });
    if (index >= 0 && reveal) this.buttons[index].scrollIntoView({block: 'nearest'});
  }

  listJoints() {
    const section = document.getElementById('joints');
    const q = this.motion.coordinates(this.motion.begin);
    this.joints = [];
    this.data.coordinates.forEach((coordinate, index) => {
      if (q[index] === null) return;
      const lower = coordinate.lower ?? (coordinate.angle ? -Math.PI : -1);
      const upper = coordinate.upper ?? (coordinate.angle ? Math.PI : 1);
      const value = element('output');
      const slider = element('input', {type: 'range', min: lower, max: upper, step: 'any', value: q[index]});
      slider.disabled = this.data.moving;
      slider.setAttribute('aria-label', coordinate.name);
      slider.addEventListener('input', () => this.actions.setJoint(index, Number(slider.value)));
      const row = element('label', {className: 'joint'}, [element('span', {textContent: coordinate.name}), slider, value]);
      section.append(row);
      this.joints.push({index, coordinate, slider, value, row});
    });
    section.hidden = this.joints.length === 0;
    section.open = !this.data.moving;
  }

  showJoints(time) {
    const section = document.getElementById('joints');
    if (!section.open) return;
    const q = this.motion.coordinates(time);
    for (const {index, coordinate, slider, value, row} of this.joints) {
      if (this.data.moving) slider.value = q[index];
      value.textContent = coordinate.angle ? `${(q[index] * 180 / Math.PI).toFixed(1)}\u00b0` : `${q[index].toFixed(4)} m`;
      const outside = (coordinate.lower !== null && q[index] < coordinate.lower - 1e-12) ||
                      (coordinate.upper !== null && q[index] > coordinate.upper + 1e-12);
      row.classList.toggle('outside', outside);
    }
  }

  tellHowItIsDrawn() {
    const drawn = Math.sqrt(3) / 2 * this.data.meshes.reduce((most, mesh) => Math.max(most, mesh.step), 0);
    document.querySelector('#facts dl').append(
      element('dt', {textContent: 'drawn'}),
      element('dd', {textContent: `corners within ${lengthText(drawn)} of the meshes of the model`}));
  }
}
