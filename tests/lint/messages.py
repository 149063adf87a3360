#!/usr/bin/env python3
"""Checks that docs/messages.md has an entry for every message shown to users, and no other.

A message is an argument of a call of TELLERS, and in C++ any other text of four words or more, except in REPORTS. Its constant parts
must be in the page, in code spans; a part of one or two words only if the message has no longer one. Of a message of the page, which stands
in a code span of its own at the beginning of a line, every word must be part of a text in the code, and of longer ones two words of one text. Prints what
is missing as file:line: text, and exits with 1 if there is any.
"""

import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "planner_ccd"
TELLERS = set("InputError Unreadable Refuted Refused DamagedShard SchedulerLost ArgumentTypeError index_error fail fail_at_line "
              "fail_damaged _fail refuse require unreadable warn warn_once".split())
# Manuals, results, docstrings, and words of other formats.
REPORTS = re.compile(r"cli/(options|main|man_page|completion|formats|check|\w+_report|prepare|inspect|inspect_log)\.cpp$|python/|"
                     r"viewer/(facts|report_page)\.cpp$|report/|validation/input_warning\.cpp$|certificate/verifier/(main|show)\.cpp$|io/(log/rosbag2_db|collision_rules|octomap_write|scene_write)\.cpp$|scene/collision_world\.cpp$")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|#\s*include[^\n]*|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\d[\w\'.]*|'
                   r"'(?:\\.|[^'\\\n])+'|[A-Za-z_]\w*|\s+|.", re.DOTALL)


def words(text):
    return len([word for word in text.split() if re.search(r"[A-Za-z]{2}|^a$", word)])


def told_by_cpp(text, is_report):
    """(line, constant parts) of each message."""
    found, calls, line = [], [], 1  # of each open bracket its message, or None
    before = ["", "", ""]
    for token in TOKEN.findall(text):
        at, line = line, line + token.count("\n")
        if token.isspace() or token.startswith(("//", "/*", "#")):
            continue
        if token.startswith('"'):
            part = token[1:-1].replace("\\n", " ").replace('\\"', '"')
            call = next((call for call in calls if call is not None), None)
            if before[-1].startswith('"'):
                parts[-1] += part
            else:
                parts = call if call is not None else []
                parts.append(part)
                if call is None and not is_report:
                    found.append((at, parts, 4))
        elif token in "([{":
            call = None
            if before[-1] in TELLERS or before[-1] in ("push_back", "emplace_back") and before[-3].startswith("warnings"):
                call = []
                found.append((at, call, 1))
            elif before[-1] in ("static_assert", "deprecated"):
                call = []
            calls.append(call)
        elif token in ")]}" and calls:
            calls.pop()
        before = before[1:] + [token]
    return [(at, parts) for at, parts, least in found if max(map(words, parts), default=0) >= least]


def told_by_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in TELLERS:
            inner = [c for a in node.args for c in ast.walk(a)]
            yield node.lineno, [part for c in inner if isinstance(c, ast.Constant) and isinstance(c.value, str)
                                for part in re.split(r"%[ds]|%\.9g", c.value)]


def texts_of(file):
    """Texts in the code, where they are broken by values; the words of messages and much else."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from re.split(r"%[ds]|%\.9g", node.value)
        return
    parts = []
    for token in (*TOKEN.findall(text), "."):
        if token.startswith('"'):
            parts.append(token[1:-1].replace("\\n", " ").replace('\\"', '"'))
        elif parts and not token.isspace() and not token.startswith(("//", "/*")):
            yield "".join(parts)
            parts = []


def nobodys(page, files):
    """(line, words) of the page's messages of which the code does not say these words, or no two words together."""
    texts = {" ".join(re.sub(r"^:?\d+: ", "", text).split()).strip(" :;,.'()") for file in files for text in texts_of(file)}
    texts = sorted((text for text in texts if len(text) > 2), key=len, reverse=True)
    for line, message in enumerate(page.split("\n"), 1):
        span = re.match(r"(?:- |  )(?:``(.+?)``|`([^`]+)`)(?: \*\([a-z]+\)\*)* \\$", message)
        if span is None:
            continue
        rest = (span[1] or span[2]).strip()
        wanted, longest = 2 if len(re.findall("[a-z]{2,}", rest)) > 4 else 1, 0
        for text in texts:
            if text in rest:
                rest, longest = rest.replace(text, " "), max(longest, len(re.findall("[a-z]{2,}", text)))
        left = re.findall(r"\b[a-z]{3,}\b", rest)
        if left or longest < wanted:
            yield line, " ".join(left) or "no two words of it stand together"


def main():
    page = (ROOT / "docs/messages.md").read_text(encoding="utf-8")
    spans = [a or b for a, b in re.findall(r"``(.+?)``|`([^`\n]+)`", page)]
    missing, count = [], 0
    files = [file for file in sorted(SOURCES.rglob("*.*")) if file.suffix in (".hpp", ".cpp", ".py")]
    for file in files:
        text = file.read_text(encoding="utf-8")
        name = str(file.relative_to(SOURCES))
        for line, parts in told_by_python(text) if file.suffix == ".py" else told_by_cpp(text, REPORTS.search(name)):
            longest = max(map(words, parts), default=0)
            for part in parts:
                part = " ".join(re.sub(r"^:?\d+: ", "", part).split()).strip(" :;,.'()")
                if words(part) >= min(3, max(longest, 1)):
                    count += 1
                    if not any(part in span for span in spans):
                        missing.append(f"planner_ccd/{name}:{line}: {part}")
    missing += [f"docs/messages.md:{line}: no message of the code says: {said}" for line, said in nobodys(page, files)]
    if count < 700:
        missing.append(f"only {count} parts of messages were found: messages.py no longer knows what one looks like")
    print("\n".join(missing) if missing else "every message has its entry in docs/messages.md, and every entry its message")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
