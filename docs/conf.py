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
html_theme = "furo"
html_title = "planner_ccd"
html_theme_options = {"light_css_variables": {"color-brand-primary": "#0f5f9e", "color-brand-content": "#0f5f9e"},
                      "dark_css_variables": {"color-brand-primary": "#6cb8f0", "color-brand-content": "#6cb8f0"}}
pygments_style, pygments_dark_style = "default", "native"
html_copy_source = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autoclass_content = "both"
suppress_warnings = ["myst.header"]
html_static_path = ["site"]
html_css_files = ["site.css"]

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


def complete_furo(app, error):
    """Debian's furo leaves to a web server what pages in a folder have to bring along, a style sheet of /javascript and a script that is imported by
    one that is no module; and its dark colours wait for the button, whatever the reader's system says. Other furos have all this."""
    static = pathlib.Path(app.outdir) / "_static"
    css, script, imported = static / "styles/furo.css", static / "scripts/furo.js", static / "scripts/gumshoe-patched.js"
    text = css.read_text(encoding="utf-8")
    lacking = re.match(r"@import url\(/javascript/(.+?)\);", text)
    if lacking:
        text = pathlib.Path("/usr/share/javascript", lacking[1]).read_text(encoding="utf-8") + text[lacking.end():]
    if "prefers-color-scheme" not in text:
        dark = re.search(r'body\[data-theme="dark"\] \{(.*?)\}', text, re.DOTALL)[1]
        text += "@media not print { @media (prefers-color-scheme: dark) { body:not([data-theme=light]) {" + dark + "} } }\n"
    css.write_text(text, encoding="utf-8")
    text = script.read_text(encoding="utf-8")
    if text.startswith("import Gumshoe"):
        script.write_text(imported.read_text(encoding="utf-8") + text.partition("\n")[2], encoding="utf-8")


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
    app.connect("build-finished", complete_furo)
