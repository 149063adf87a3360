// Colours. Bodies that meet are distinguished by vermilion and blue of Okabe and Ito's palette, which colour-blind people
// can tell apart, and by shapes and words.

export const kFirst = '#d55e00';
export const kSecond = '#0072b2';

const themes = {
  light: {
    background: '#eef1f4', ground: '#9aa5b1', link: '#e9e4d8', obstacle: '#aab4c0', attached: '#cbb88a', edge: '#2b3440',
    sky: '#ffffff', floor: '#aab2bd', key: 2.0, fill: 1.75, ghost: '#5b7fa6', shadow: 0.22, axes: '#5a6673',
  },
  dark: {
    background: '#14181d', ground: '#55606d', link: '#cfcabf', obstacle: '#6f7a87', attached: '#a08f63', edge: '#05070a',
    sky: '#dfe7f2', floor: '#5a6470', key: 1.8, fill: 1.5, ghost: '#86aeda', shadow: 0.45, axes: '#9aa7b5',
  },
};

// A page inside another, as in a notebook, adapts to it: whether that one is dark, or null for a stand-alone page.
function groundIsDark() {
  for (let e = window.frameElement?.parentElement; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor.match(/^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/);
    if (!colour) continue;
    const [red, green, blue, alpha] = colour.slice(1).map((text) => Number(text ?? 1));
    if (alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  return null;
}

export class Theme {
  constructor() {
    this.ground = groundIsDark();
    this.media = window.matchMedia('(prefers-color-scheme: dark)');
    this.chosen = null;
    this.listeners = [];
    this.media.addEventListener('change', () => this.apply());
    this.apply();
  }

  get name() {
    return this.chosen || (this.ground ?? this.media.matches ? 'dark' : 'light');
  }

  get colours() {
    return themes[this.name];
  }

  toggle() {
    this.chosen = this.name === 'dark' ? 'light' : 'dark';
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.name;
    document.getElementById('dark').media = this.name === 'dark' ? 'all' : 'not all';
    for (const listener of this.listeners) listener(this.colours);
  }

  listen(listener) {
    this.listeners.push(listener);
    listener(this.colours);
  }
}
