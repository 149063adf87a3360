"""Sphinx, with Debian's packages alone: ./dev docs."""

import json
import os
import pathlib
import re

from docutils.nodes import reference
from myst_parser.parsers.sphinx_ import MystParser
from pygments.lexers.special import TextLexer
from sphinx.util.nodes import make_refnode

project = "planner_ccd"
author = "the planner_ccd developers"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {"description": "Is this motion free of collision? A proof, or the first contact.", "page_width": "1100px",
                      "font_family": 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
                      "head_font_family": "inherit", "font_size": "16px", "sidebar_width": "240px"}
html_copy_source = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autoclass_content = "both"
suppress_warnings = ["myst.header"]
html_static_path = ["site"]
html_css_files = ["dark.css"]

# Some pages are README files, read where they lie: {README: page}. What they link to is sought from there, too.
DOCS = pathlib.Path(__file__).resolve().parent
READ_THERE = {(DOCS / there).resolve(): page.stem for page in DOCS.glob("*.md")
              for there in re.findall(r"^```\{include\} (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)}


def link_between_files(app, env, node, text):
    """A link from one file of the project to another: to its page, where it has one, else to a copy; of a folder the words alone."""
    name, _, heading = node["reftarget"].partition("#")
    here = node["refdoc"]
    for folder in [DOCS, *(readme.parent for readme, page in READ_THERE.items() if page == here)]:
        file = pathlib.Path(os.path.normpath(folder / name))
        page = READ_THERE.get(file) or (file.stem if file.parent == DOCS and file.suffix in (".md", ".ipynb") else None)
        if page in env.found_docs:
            return make_refnode(app.builder, here, page, heading, text)
        if file.is_file():
            return reference("", "", text, internal=True, refuri=f"_downloads/{env.dlfiles.add_file(here, str(file))}")
        if file.is_dir():
            return text
    return None  # Sphinx warns, and ./dev docs fails


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
    app.connect("missing-reference", link_between_files)
