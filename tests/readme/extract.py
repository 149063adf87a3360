#!/usr/bin/env python3
"""extract.py OUT_DIR DOCUMENT...: writes the documents' examples to files and prints their names, one a line.

A block fenced as ```cpp becomes <document>_<n>.cpp, a whole program; as ```python, <document>_<n>.py. A block fenced as ```sh whose first line
begins with `planner_ccd` becomes <document>_<n>.sh, to be run in the project's root with the command on the PATH; `# exits with N` in a
line of the block states the exit code expected of it (0 otherwise); of a ```yaml pipeline with `planner_ccd check` the command alone. A notebook becomes one program of its cells, each of which ends by showing its last value.
"""

import ast
import json
import pathlib
import re
import sys

out, documents = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
out.mkdir(parents=True, exist_ok=True)
for old in out.glob("*_[0-9]*.*"):
    old.unlink()



def program_of(cells):
    parts = ["def show(value):\n    if value is not None:\n        print(getattr(value, '_repr_html_', value.__repr__)()[:200])\n"]
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        if cell["outputs"] or cell["execution_count"] is not None:
            sys.exit(f"{document}: clear its outputs (jupyter nbconvert --clear-output)")
        *rest, last = ast.parse("".join(cell["source"])).body
        parts += map(ast.unparse, rest)
        parts.append(f"show({ast.unparse(last)})" if isinstance(last, ast.Expr) else ast.unparse(last))
    return "\n".join(parts) + "\n"


for document in documents:
    text = document.read_text(encoding="utf-8")
    if document.suffix == ".ipynb":
        blocks = [("python", program_of(json.loads(text)["cells"]))]
    else:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    count = 0
    for language, text in blocks:
        if language in ("cpp", "python"):
            suffix = {"cpp": "cpp", "python": "py"}[language]
        elif language == "sh" and text.startswith("planner_ccd"):
            suffix = "sh"
            code = re.search(r"# exits with (\d+)", text)
            text = f"{text}test $? -eq {code.group(1) if code else 0}\n"
        elif language == "yaml" and "planner_ccd check" in text:  # a pipeline: its command, with what it writes kept out of the source tree
            suffix = "sh"
            command = re.search(r"planner_ccd check.*?--html \S+", text, re.DOTALL)[0]
            text = re.sub(r"\\?\n\s*", " ", command).replace("motions.", f"{out}/motions.") + "\n"
        else:
            continue
        count += 1
        name = "examples" if document.parent.name == "examples" else document.stem.lower()
        path = out / f"{name}_{count}.{suffix}"
        path.write_text(text, encoding="utf-8")
        print(path)
