// The slider with its plot: clearance over time, a band of proved stretches below it, marks of the findings. The slider is a
// native range input, so that keyboards and screen readers support it; the plot can be dragged as well.

const kInset = 9;       // [px] half the slider's thumb: offset of its middle at both ends
const kStripHeight = 8;  // [px]
const kSteps = 100000;  // of the slider
const kLongestStep = 0.2;  // [s] between two pictures: slow machines show the motion slowly rather than in leaps

export class Timeline {
  constructor(data, motion, theme, elements) {
    this.data = data;
    this.motion = motion;
    this.elements = elements;
    this.listeners = [];
    this.playListeners = [];
    this.time = motion.begin;
    this.playing = false;
    this.rate = this.defaultRate();
    theme.listen(() => this.drawPlot());
    elements.slider.max = kSteps;
    elements.slider.addEventListener('input', () => this.set(this.timeOf(elements.slider.value / kSteps), true));
    elements.play.addEventListener('click', () => this.toggle());
    elements.speed.addEventListener('change', () => this.setSpeed(Number(elements.speed.value)));
    this.dragPlot();
    new ResizeObserver(() => this.drawPlot()).observe(elements.plot);
    this.show();
  }

  get length() {
    return this.motion.end - this.motion.begin;
  }

  // Seconds pass in real time; segments at a rate that shows short paths in five seconds and long ones in half a minute.
  defaultRate() {
    return this.data.time_is_known ? 1 : this.length / Math.min(30, Math.max(5, this.length * 1.5));
  }

  setSpeed(factor) {
    this.rate = this.defaultRate() * factor;
  }

  timeOf(fraction) {
    return this.motion.begin + this.length * Math.min(1, Math.max(0, fraction));
  }

  fractionOf(time) {
    return this.length > 0 ? (time - this.motion.begin) / this.length : 0;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  set(time, byHand = false) {
    if (byHand) this.pause();
    this.time = Math.min(this.motion.end, Math.max(this.motion.begin, time));
    this.show();
    for (const listener of this.listeners) listener(this.time, byHand);
  }

  show() {
    const {slider, readout, head, plot} = this.elements;
    slider.value = Math.round(kSteps * this.fractionOf(this.time));
    const text = this.text(this.time);
    slider.setAttribute('aria-valuetext', text);
    readout.textContent = text + this.clearanceText() + this.trackingText();
    head.style.transform = `translateX(${kInset + this.fractionOf(this.time) * (plot.clientWidth - 2 * kInset)}px)`;
  }

  text(time) {
    return this.data.time_is_known ? `${time.toFixed(3)} s` : `segment ${time.toFixed(3)}`;
  }

  clearanceText() {
    const piece = this.profilePiece(this.time);
    if (piece < 0) return '';
    const {lower, upper, pair, names} = this.data.profile;
    const bodies = names[pair[piece]].join(' and ');
    if (lower[piece] !== null) return ` \u00b7 at least ${lengthText(Math.max(0, lower[piece]))} between ${bodies}`;
    if (upper[piece] === null) return '';  // no pair is checked
    return ` \u00b7 clearance not known, at most ${lengthText(Math.max(0, upper[piece]))} between ${bodies}`;
  }

  trackingText() {
    const {tracking} = this.data;
    if (!tracking) return '';
    const piece = tracking.to.findIndex((end) => this.time <= end);
    const error = tracking.error[piece];
    if (error === undefined) return '';
    return error === null ? ' \u00b7 not free' : ` \u00b7 free with every joint within ${errorText(error)}`;
  }

  // Index of the piece of the profile that covers a time; -1 if none.
  profilePiece(time) {
    const profile = this.data.profile;
    if (!profile) return -1;
    let low = 0, high = profile.from.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (profile.from[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return time <= profile.to[low] ? low : -1;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.length <= 0) return;
    if (this.time >= this.motion.end) this.set(this.motion.begin);
    this.playing = true;
    this.last = performance.now();
    this.showPlaying();
    requestAnimationFrame((now) => this.advance(now));
  }

  advance(now) {
    if (!this.playing) return;
    const passed = Math.min(kLongestStep, Math.max(0, now - this.last) / 1000);
    const time = this.time + passed * this.rate;
    this.last = now;
    this.set(time);
    if (this.time >= this.motion.end) this.pause();
    else requestAnimationFrame((next) => this.advance(next));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.showPlaying();
  }

  showPlaying() {
    for (const listener of this.playListeners) listener(this.playing);
    this.elements.play.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
    this.elements.play.classList.toggle('playing', this.playing);
  }

  dragPlot() {
    const {plot} = this.elements;
    const follow = (event) => {
      const box = plot.getBoundingClientRect();
      this.set(this.timeOf((event.clientX - box.left - kInset) / (box.width - 2 * kInset)), true);
    };
    plot.addEventListener('pointerdown', (event) => {
      plot.setPointerCapture(event.pointerId);
      follow(event);
    });
    plot.addEventListener('pointermove', (event) => {
      if (plot.hasPointerCapture(event.pointerId)) follow(event);
    });
  }

  drawPlot() {
    const {plot} = this.elements;
    const width = plot.clientWidth, height = plot.clientHeight;
    if (width === 0 || height === 0) return;
    const scale = window.devicePixelRatio;
    plot.width = width * scale;
    plot.height = height * scale;
    const c = plot.getContext('2d');
    c.scale(scale, scale);
    const style = getComputedStyle(plot);
    const paint = (name) => style.getPropertyValue(name).trim();
    const x = (time) => kInset + this.fractionOf(time) * (width - 2 * kInset);
    if (this.data.profile) this.drawProfile(c, x, height - kStripHeight - 3, paint);
    if (this.data.tracking) this.drawTracking(c, x, height - kStripHeight - 3, paint);
    this.drawCaptions(c, width, paint);
    this.drawStrip(c, x, height - kStripHeight, paint);
    this.show();
  }

  // Steps: each piece's bounds hold for all of it. The certified lower bound is the strong line; where it is not known the
  // plot is hatched.
  drawProfile(c, x, height, paint) {
    const {from, to, lower, upper} = this.data.profile;
    const most = this.mostClearance();
    const y = (value) => height - 1 - (height - 16) * Math.max(0, value) / most;
    // Steps, broken where there is no value; `ground`: closed along the bottom.
    const steps = (values, ground) => {
      c.beginPath();
      values.forEach((v, i) => {
        if (v === null) return;
        const begins = i === 0 || values[i - 1] === null, ends = i + 1 === values.length || values[i + 1] === null;
        if (begins) c.moveTo(x(from[i]), ground ? height : y(v));
        c.lineTo(x(from[i]), y(v));
        c.lineTo(x(to[i]), y(v));
        if (ends && ground) c.lineTo(x(to[i]), height);
      });
    };
    c.fillStyle = hatching(c, paint('--dim'));
    from.forEach((start, i) => this.isUnknown(i) && c.fillRect(x(start), 15, x(to[i]) - x(start), height - 15));
    c.fillStyle = paint('--plot-area');
    steps(lower, true);
    c.fill();
    for (const [values, colour, width] of [[upper, '--plot-upper', 1], [lower, '--plot-lower', 1.5]]) {
      c.lineWidth = width;
      c.strokeStyle = paint(colour);
      steps(values, false);
      c.stroke();
    }
    if (this.data.margin > 0) {
      c.setLineDash([5, 4]);
      c.strokeStyle = paint('--bad');
      c.beginPath();
      c.moveTo(x(this.motion.begin), y(this.data.margin));
      c.lineTo(x(this.motion.end), y(this.data.margin));
      c.stroke();
      c.setLineDash([]);
    }
  }

  mostClearance() {
    return this.data.profile.upper.reduce((m, v) => (v === null ? m : Math.max(m, v)), Math.max(1.5 * this.data.margin, 1e-9));
  }

  mostError() {
    return this.data.tracking.error.reduce((m, e) => Math.max(m, e ?? 0), 1e-9);
  }

  // A piece whose pairs are checked, without a bound.
  isUnknown(piece) {
    return this.data.profile.lower[piece] === null && this.data.profile.upper[piece] !== null;
  }

  // The greatest error of every joint, segment by segment, on a scale of its own.
  drawTracking(c, x, height, paint) {
    const {begin, to, error} = this.data.tracking;
    const most = this.mostError();
    const y = (value) => height - 1 - (height - 16) * value / most;
    c.strokeStyle = c.fillStyle = paint('--plot-tracking');
    c.lineWidth = 1.5;
    c.setLineDash([2, 3]);
    c.beginPath();
    error.forEach((e, i) => {
      c.lineTo(x(i === 0 ? begin : to[i - 1]), y(e ?? 0));
      c.lineTo(x(to[i]), y(e ?? 0));
    });
    c.stroke();
    c.setLineDash([]);
  }

  // What both lines are, in the longest words for which there is room.
  drawCaptions(c, width, paint) {
    const {profile, tracking} = this.data;
    const clearance = profile ? [`clearance, up to ${lengthText(this.mostClearance())}`] : [''];
    if (profile && profile.from.some((_, i) => this.isUnknown(i))) clearance.unshift(`${clearance[0]}; hatched: not known`);
    if (profile) clearance.push(lengthText(this.mostClearance()));
    const error = tracking ? errorText(this.mostError()) : '';
    const errors = tracking ? [`error of every joint, up to ${error}`, `error up to ${error}`, error] : [''];
    c.font = '11px system-ui, sans-serif';
    const size = (text) => c.measureText(text).width;
    const choices = clearance.flatMap((left) => errors.map((right) => [left, right]));
    const [left, right] = choices.find((texts) => size(texts[0]) + size(texts[1]) + 14 < width - 2 * kInset) || choices[choices.length - 1];
    c.fillStyle = paint('--dim');
    c.fillText(left, kInset, 11);
    c.fillStyle = paint('--plot-tracking');
    c.fillText(right, width - kInset - size(right), 11);
  }

  // The state of each stretch of the motion, and a mark for each finding, whose shape shows its kind.
  drawStrip(c, x, top, paint) {
    const colours = {
      free: paint('--good'), contact: paint('--bad'), margin: paint('--close'), undecided: paint('--unsure'),
      unchecked: paint('--line'),
    };
    for (const span of this.data.spans) {
      c.fillStyle = colours[span.kind];
      c.fillRect(x(span.begin), top, Math.max(1, x(span.end) - x(span.begin)), kStripHeight);
    }
    for (const finding of this.data.findings) {
      const at = x(finding.moment), middle = top + kStripHeight / 2;
      c.fillStyle = colours[finding.kind] || paint('--text');
      c.strokeStyle = paint('--panel');
      c.lineWidth = 1.5;
      c.beginPath();
      if (finding.kind === 'contact' || finding.kind === 'margin') {
        c.moveTo(at, middle - 8), c.lineTo(at + 6, middle), c.lineTo(at, middle + 8), c.lineTo(at - 6, middle);
      } else if (finding.kind === 'undecided') {
        c.rect(at - 4, middle - 4, 8, 8);
      } else {
        c.moveTo(at, middle - 6), c.lineTo(at + 5, middle + 4), c.lineTo(at - 5, middle + 4);
      }
      c.closePath();
      c.fill();
      c.stroke();
    }
  }
}

function hatching(context, colour) {
  const tile = Object.assign(document.createElement('canvas'), {width: 8, height: 8});
  const c = tile.getContext('2d');
  c.strokeStyle = colour;
  c.globalAlpha = 0.45;
  for (const shift of [-8, 0, 8]) {
    c.moveTo(shift, 8);
    c.lineTo(shift + 8, 0);
  }
  c.stroke();
  return context.createPattern(tile, 'repeat');
}

// Radians and metres alike, downwards.
function errorText(error) {
  return error < 1e-4 ? '0' : `${(Math.floor(error * 1e4) / 1e4).toFixed(4)} rad, m`;
}

export function lengthText(metres) {
  const size = Math.abs(metres);
  if (size < 1e-3) return `${(metres * 1e3).toFixed(3)} mm`;
  return size < 1 ? `${(metres * 1e3).toFixed(1)} mm` : `${metres.toFixed(3)} m`;
}
