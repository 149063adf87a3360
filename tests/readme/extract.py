#!/usr/bin/env python3
"""extract.py OUT_DIR DOCUMENT.md...: writes the documents' examples to files and prints their names, one a line.

A block fenced as ```cpp becomes <document>_<n>.cpp, a whole program; as ```python, <document>_<n>.py. A block fenced as ```sh whose first line
begins with `planner_ccd` becomes <document>_<n>.sh, to be run in the project's root with the command on the PATH; `# exits with N` in a
line of the block states the exit code expected of it (0 otherwise).
"""

import pathlib
import re
import sys

out, documents = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
out.mkdir(parents=True, exist_ok=True)
for old in out.glob("*_[0-9]*.*"):
    old.unlink()

for document in documents:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    count = 0
    for language, text in blocks:
        if language in ("cpp", "python"):
            suffix = {"cpp": "cpp", "python": "py"}[language]
        elif language == "sh" and text.startswith("planner_ccd"):
            suffix = "sh"
            code = re.search(r"# exits with (\d+)", text)
            text = f"{text}test $? -eq {code.group(1) if code else 0}\n"
        else:
            continue
        count += 1
        path = out / f"{document.stem.lower()}_{count}.{suffix}"
        path.write_text(text, encoding="utf-8")
        print(path)
