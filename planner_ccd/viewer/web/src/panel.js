// The side panel: verdict, findings, drawing options, joints, facts. Texts from the data are set as text, never as HTML.

import {lengthText} from './timeline.js';

function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const kWords = {free: 'Free', contact: 'Contact', undecided: 'Undecided'};

export class Panel {
  constructor(data, motion, timeline, actions) {
    this.data = data;
    this.motion = motion;
    this.timeline = timeline;
    this.actions = actions;
    this.selected = -1;
    this.showVerdict();
    this.listFindings();
    this.listAssumptions();
    this.listJoints();
    this.listFacts();
  }

  showVerdict() {
    document.getElementById('title').textContent = this.data.title;
    const verdict = document.getElementById('verdict');
    verdict.hidden = !this.data.verdict;
    verdict.dataset.verdict = this.data.verdict;
    verdict.querySelector('.word').textContent = kWords[this.data.verdict] || '';
    document.getElementById('summary').textContent = this.data.summary;
  }

  listFindings() {
    const section = document.getElementById('findings');
    section.hidden = this.data.verdict === '' && this.data.findings.length === 0;
    const list = section.querySelector('ol');
    const checked = this.data.verdict !== '';  // else there are only events, and nothing says that nothing was found
    const count = this.data.findings.filter((finding) => !checked || finding.kind !== 'event').length;
    section.querySelector('h2').firstChild.textContent = checked ? 'Findings ' : 'Events (nothing was checked) ';
    section.querySelector('.count').textContent = count;
    section.querySelector('.none').hidden = count > 0;
    this.buttons = this.data.findings.map((finding, index) => {
      const button = element('button', {type: 'button'}, [
        element('span', {className: `sign ${finding.kind}`, ariaHidden: 'true'}),
        element('span', {className: 'what'}, [element('b', {textContent: finding.title}), this.names(finding)]),
        element('span', {className: 'when', textContent: this.timeline.text(finding.moment)}),
        element('span', {className: 'text', textContent: finding.text}),
      ]);
      button.addEventListener('click', () => this.actions.select(index, true));
      list.append(element('li', {}, [button]));
      return button;
    });
  }

  listAssumptions() {
    const section = document.getElementById('assumptions');
    section.hidden = this.data.assumptions.length === 0;
    section.querySelector('.count').textContent = this.data.assumptions.length;
    section.querySelector('ul').append(...this.data.assumptions.map((text) => element('li', {textContent: text})));
  }

  names(finding) {
    const names = element('span', {className: 'names'});
    if (finding.a.length > 0) names.append(element('span', {className: 'first', textContent: finding.a.join(', ')}));
    if (finding.b.length > 0) names.append(element('span', {className: 'second', textContent: finding.b.join(', ')}));
    return names;
  }

  setSelected(index) {
    this.selected = index;
    this.buttons.forEach((button, i) => {
      if (i === index) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    });
    if (index >= 0) this.buttons[index].scrollIntoView({block: 'nearest'});
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

  listFacts() {
    const list = document.querySelector('#facts dl');
    const drawn = Math.sqrt(3) / 2 * this.data.meshes.reduce((most, mesh) => Math.max(most, mesh.step), 0);
    const facts = [...this.data.facts, ['drawn', `corners within ${lengthText(drawn)} of the meshes that are checked`]];
    for (const [name, value] of facts) list.append(element('dt', {textContent: name}), element('dd', {textContent: value}));
  }
}
