#!/usr/bin/env python3
"""Checks every link between the project's documents: the file exists, and so does the heading. Prints broken links
as file:line, and exits with 1 if there is any. Offline."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def anchor(heading):
    """Anchors as made by GitHub and MyST."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m.group(1) or "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_code(text):
    return re.sub(r"^```.*?^```$", lambda m: "\n" * m.group().count("\n"), text, flags=re.MULTILINE | re.DOTALL)


def anchors(file):
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", without_code(file.read_text(encoding="utf-8")), re.MULTILINE)}


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT,
                            capture_output=True, text=True)
    files = [ROOT / name for name in listed.stdout.split()] if listed.returncode == 0 else sorted(ROOT.glob("**/*.md"))
    links, broken = 0, []
    for file in files:
        for number, line in enumerate(without_code(file.read_text(encoding="utf-8")).splitlines(), 1):
            for target in LINK.findall(line):
                if re.match(r"\w+:", target):
                    continue
                links += 1
                name, _, heading = target.partition("#")
                path = (file.parent / name).resolve() if name else file
                if not path.exists():
                    broken.append(f"{file.relative_to(ROOT)}:{number}: {target}: there is no such file")
                elif heading and heading not in anchors(path):
                    broken.append(f"{file.relative_to(ROOT)}:{number}: {target}: there is no such heading")
    if links < 40:
        broken.append(f"only {links} links were found: links.py no longer knows what one looks like")
    print("\n".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
