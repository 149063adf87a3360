"""Sphinx, with Debian's packages alone: ./dev docs."""

import json

from myst_parser.parsers.sphinx_ import MystParser
from pygments.lexers.special import TextLexer

project = "planner_ccd"
author = "the planner_ccd developers"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {"description": "Is this motion free of collision? A proof, or the first contact.", "page_width": "1100px"}
html_copy_source = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
# Parts are the README files of folders, read where they lie: what their links lead to is checked by tests/readme/links.py.
suppress_warnings = ["myst.header", "ref.myst"]


class Notebook(MystParser):
    """The cells of a notebook, as text and code."""

    supported = ("notebook",)

    def parse(self, inputstring, document):
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(inputstring)["cells"]]
        super().parse("\n\n".join(f"```python\n{text}\n```" if kind == "code" else text for kind, text in cells), document)


def setup(app):
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(Notebook)
    app.add_lexer("csv", TextLexer)
