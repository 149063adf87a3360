"""SVG plots that follow the reader's light or dark setting, with their own background: legible on any page."""

import html
import math

# Blue, vermilion and purple after Okabe and Ito, dark enough for text; every series also has its own mark.
STYLE = """
svg { --back: #ffffff; --ink: #1f2328; --dim: #57606a; --grid: #dde2e7; --first: #0067a3; --second: #b84a00; --third: #94407a; --fourth: #007a58; --plain: #57606a }
@media (prefers-color-scheme: dark) {
  svg { --back: #14181d; --ink: #e8ecf1; --dim: #a3afbc; --grid: #343d48; --first: #5cb6f2; --second: #ff9a55; --third: #e69ac8; --fourth: #4cc9a4; --plain: #a3afbc }
}
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink) }
.dim { fill: var(--dim); font-size: 12px }
.title { font-size: 16px; font-weight: 600 }
.head { font-weight: 600 }
.back { fill: var(--back); stroke: var(--grid) }
.grid { stroke: var(--grid) }
.axis { stroke: var(--dim) }
.first { --c: var(--first) } .second { --c: var(--second) } .third { --c: var(--third) } .fourth { --c: var(--fourth) } .plain { --c: var(--plain) }
.line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round }
.area { fill: var(--c); fill-opacity: .22 }
.mark { fill: var(--c); stroke: var(--back); stroke-width: 1 }
.hollow { fill: var(--back); stroke: var(--c); stroke-width: 2 }
text.first, text.second, text.third, text.fourth { fill: var(--c) }
"""

MARKS = {"first": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", "second": "M-4-4h8v8h-8z", "third": "M0-5.5L5.2 4h-10.4z",
         "plain": "M0-5.5L5.5 0L0 5.5L-5.5 0z"}


def number(value):
    """Formatted for people: 0.12, 2.5, 26, 1,097."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


class Scale:
    """Maps the values begin..end to the pixels low..high; by default on a logarithmic scale."""

    def __init__(self, begin, end, low, high, linear=False):
        self.of = (lambda v: v) if linear else math.log10
        self.begin, self.end, self.low, self.high = begin, end, low, high

    def __call__(self, value):
        begin, end = self.of(self.begin), self.of(self.end)
        return self.low + (self.high - self.low) * (self.of(value) - begin) / (end - begin)


class Chart:
    """Shapes in pixels; `title` describes the plot, `source` the origin of its data."""

    def __init__(self, width, height, title, source):
        self.width, self.height, self.described = width, height, f"{title}. {source}"
        self.parts = []
        self.text(20, 28, title, "title")
        self.text(20, 48, source, "dim")

    def text(self, x, y, words, kind="", anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{html.escape(words)}</text>')

    def upright(self, x, y, words):
        self.parts.append(f'<text transform="translate({x:.1f} {y:.1f}) rotate(-90)" class="dim" text-anchor="middle">{html.escape(words)}</text>')

    def segment(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>')

    def line(self, points, kind):
        self.parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="line {kind}"/>')

    def area(self, points, kind):
        self.parts.append(f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="area {kind}"/>')

    def mark(self, x, y, kind, hollow=False):
        self.parts.append(f'<path transform="translate({x:.1f} {y:.1f})" d="{MARKS[kind]}" class="{"hollow" if hollow else "mark"} {kind}"/>')

    def axes(self, x, y, x_marks, y_marks, x_name, y_name=None):
        """Grid and labels for two scales; the vertical ones only with a name."""
        for value in x_marks:
            self.segment(x(value), y.low, x(value), y.high, "grid")
            self.text(x(value), y.low + 18, number(value) if value else "0", "dim", "middle")
        for value in y_marks:
            self.segment(x.low, y(value), x.high, y(value), "grid")
            if y_name:
                self.text(x.low - 8, y(value) + 4, number(value) if value else "0", "dim", "end")
        self.segment(x.low, y.low, x.high, y.low, "axis")
        self.segment(x.low, y.low, x.low, y.high, "axis")
        self.text((x.low + x.high) / 2, y.low + 38, x_name, "dim", "middle")
        if y_name:
            self.upright(x.low - 48, (y.low + y.high) / 2, y_name)

    def svg(self):
        inside = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}" '
                f'role="img">\n<title>{html.escape(self.described)}</title>\n<style>{STYLE}</style>\n'
                f'<rect x=".5" y=".5" width="{self.width - 1}" height="{self.height - 1}" rx="10" class="back"/>\n{inside}\n</svg>\n')
