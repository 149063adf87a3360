// Colours. Bodies that meet are told apart by vermilion and blue of Okabe and Ito's palette, which colour-blind people
// can distinguish, and by the shapes and words that go with them.

export const kFirst = '#d55e00';
export const kSecond = '#0072b2';

const themes = {
  light: {
    background: '#eef1f4', ground: '#9aa5b1', link: '#e9e4d8', obstacle: '#aab4c0', attached: '#cbb88a', edge: '#2b3440',
    sky: '#ffffff', floor: '#aab2bd', key: 2.0, fill: 1.75, ghost: '#5b7fa6', shadow: 0.22,
  },
  dark: {
    background: '#14181d', ground: '#55606d', link: '#cfcabf', obstacle: '#6f7a87', attached: '#a08f63', edge: '#05070a',
    sky: '#dfe7f2', floor: '#5a6470', key: 1.8, fill: 1.5, ghost: '#86aeda', shadow: 0.45,
  },
};

export class Theme {
  constructor() {
    this.media = window.matchMedia('(prefers-color-scheme: dark)');
    this.chosen = null;
    this.listeners = [];
    this.media.addEventListener('change', () => this.apply());
    this.apply();
  }

  get name() {
    return this.chosen || (this.media.matches ? 'dark' : 'light');
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
    for (const listener of this.listeners) listener(this.colours);
  }

  listen(listener) {
    this.listeners.push(listener);
    listener(this.colours);
  }
}
