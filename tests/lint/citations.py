#!/usr/bin/env python3
"""Checks that what comments and documents cite exists.

- `MATHS.md 7a`, `MATHS.md T5`, `MATHS.md 3, (2)`, `MATHS.md T16 to T18`: sections, theorems and equations of planner_ccd/MATHS.md; also `(10)`
  alone in a comment of the core, unless the file itself numbers that equation.
- The other way round: every theorem is cited by a source, or the page says `Not cited`; every equation is named a second time.
- `(L) of FILE` and `FILE, (L)`: a label at the end of a line, or the beginning of a comment, of that file; `FILE.md, section WORDS`: a heading.
- Files named with a folder, and documents (*.md), in comments of C++ and Python and in code spans; links of Markdown, with their headings.

Prints every citation that leads nowhere as file:line: citation, and exits with 1 if there is any.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "planner_ccd/MATHS.md"
CORE = set("math geometry triangle_ccd hierarchy robot motion scene moving_pairs first_look advancement query validation roadmap".split())
SKIP = {"build", "node_modules", ".git", "_build"}
ELSEWHERE = {"SOURCES.md", "SKILL.md"}  # of the data shared by several projects
REFERENCE = r"(?:T\d+|\d+[a-f]?\b|\(\d+\))"
CITED = re.compile(rf"MATHS\.md(?P<list>(?:,? (?:and |to |section )?{REFERENCE})+)")
NUMBER = re.compile(r"(?<=[\s,])\(([1-9]\d?)\)(?![\w^(])")
FILE = re.compile(r"[\w.~/-]*[\w-]\.(?:md|hpp|cpp|py)\b(?![\w*/])")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
HOME = re.compile(r"\((\w{1,2})\)(?: (?:to|and) \((\w{1,2})\))? of ([\w/]+\.(?:hpp|cpp))|([\w/]+\.(?:hpp|cpp)), \((\w{1,2})\)")

faults = []


def fault(path, line, what):
    faults.append(f"{path.relative_to(ROOT)}:{line}: {what}")


def files(*suffixes):
    for path in sorted(ROOT.rglob("*")):
        if path.suffix in suffixes and not SKIP.intersection(path.relative_to(ROOT).parts) and path.is_file():
            yield path


def comments(path, text):
    """(line number, text) of each comment or docstring; of other files all lines."""
    lines = text.splitlines()
    if path.suffix in (".hpp", ".cpp"):
        return [(i, m.group(1)) for i, line in enumerate(lines, 1) if (m := re.search(r"(?:^|\s)//[/!]?<?(.*)$", line))]
    if path.suffix == ".py":
        inside, out = False, []
        for i, line in enumerate(lines, 1):
            quotes = line.count('"""')
            if inside or quotes:
                out.append((i, line))
            elif (m := re.search(r"(?:^|\s)#(.*)$", line)) and "http" not in line:
                out.append((i, m.group(1)))
            inside ^= quotes % 2 == 1
        return out
    return list(enumerate(lines, 1))


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower()).replace(" ", "-")


def headings(path):
    fenced, out = False, []
    for line in path.read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        if not fenced and (m := re.match(r"#+ (.*)", line)):
            out.append(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", m.group(1)))
    return out


def found(path, name):
    """The file of this name as seen from `path`: beside it, in a folder above, or where includes and documents begin."""
    for folder in [path.parent, *path.parent.parents, ROOT / "planner_ccd", ROOT / "docs", ROOT / "tests"]:
        if (folder / name).is_file() and ROOT in [folder, *folder.parents]:
            return folder / name
    return None


def names_of_page():
    text = PAGE.read_text(encoding="utf-8")
    sections = {m.group(1) for m in re.finditer(r"^#+ (\d+[a-f]?)\b", text, re.MULTILINE)}
    theorems = re.findall(r"^\*\*(T\d+)\b", text, re.MULTILINE)
    equations = re.findall(r"(?<=[ .,:;|])\((\d+)\)$", "\n".join(re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)), re.MULTILINE)
    for kind, all_of in (("theorem", theorems), ("equation", equations)):
        numbers = [int(x.lstrip("T")) for x in all_of]
        if sorted(numbers) != list(range(1, len(numbers) + 1)):
            fault(PAGE, 1, f"{kind}s are numbered {numbers}")
    return text, sections, set(theorems), set(equations)


def known(reference, sections, theorems, equations):
    return reference in sections or reference in theorems or reference.strip("()") in equations and reference.startswith("(")


def expand(listed):
    """References in ` T16 to T18, (2)`, ranges in full."""
    out = re.findall(REFERENCE, listed)
    for first, last in re.findall(r"T(\d+) to T(\d+)", listed):
        out += [f"T{i}" for i in range(int(first) + 1, int(last))]
    return out


def labels(path):
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r"\((\w{1,2})\)$", text, re.MULTILINE)) | set(re.findall(r"//+ \((\w{1,2})\) ", text))


def check_files_named(path, line, text):
    if path.suffix == ".md":
        text = " ".join(re.findall(r"`([^`]+)`", text))
    for name in FILE.findall(text):
        name = name.lstrip("./") if name.startswith("./") else name
        in_repository = "/" in name and re.match(r"(planner_ccd|tests|bench|docs|\.ci|" + "|".join(CORE) +
                                                  r"|papers|certificate|verifier|io|cli|viewer|python|adapters|detail)/", name)
        if not (in_repository or name.endswith(".md") and "/" not in name) or pathlib.PurePath(name).name in ELSEWHERE:
            continue
        beside = found(path, name) or any(ROOT.glob(f"planner_ccd/**/{name}")) or (path.suffix == ".md" and "/" not in name)
        if not beside:
            fault(path, line, f"{name} is not there")


def check_links(path, text):
    fenced = False
    for line, content in enumerate(text.splitlines(), 1):
        fenced ^= content.startswith("```")
        for target in [] if fenced else LINK.findall(re.sub(r"`[^`]*`", "", content)):
            name, _, anchor = target.partition("#")
            if re.match(r"\w+:", target) or name.endswith((".html", ".ipynb")):
                continue
            there = (path.parent / name).resolve() if name else path
            if not there.exists():
                fault(path, line, f"the link {target} leads nowhere")
            elif anchor and there.suffix == ".md" and anchor not in map(slug, headings(there)):
                fault(path, line, f"{name or path.name} has no heading for #{anchor}")


page, *names = names_of_page()
cited = set()
for path in files(".hpp", ".cpp", ".py", ".md"):
    if path == pathlib.Path(__file__).resolve():
        continue
    text = path.read_text(encoding="utf-8")
    is_core = path.suffix in (".hpp", ".cpp") and path.relative_to(ROOT).parts[:1] == ("planner_ccd",) and path.relative_to(ROOT).parts[1] in CORE
    own = labels(path) if path.suffix in (".hpp", ".cpp") else set()
    for line, comment in comments(path, text):
        for match in CITED.finditer(comment):
            for reference in expand(match.group("list")):
                if not known(reference, *names):
                    fault(path, line, f"MATHS.md has no {reference}")
                if path != PAGE and path.suffix != ".md":
                    cited.add(reference)
        if path.suffix != ".md" and comment.count("MATHS.md") > len(CITED.findall(comment)):
            fault(path, line, "MATHS.md is cited without a section, theorem or equation")
        for number in NUMBER.findall(comment) if is_core else []:
            if number in names[2]:
                cited.add(f"({number})")
            elif number not in own:
                fault(path, line, f"there is no equation ({number}), here or in MATHS.md")
        for theorem in re.findall(r"\((T\d+)\)", comment) if path.suffix in (".hpp", ".cpp") else []:
            cited.add(theorem)
            if theorem not in names[1]:
                fault(path, line, f"MATHS.md has no {theorem}")
        for first, last, home, other, label in HOME.findall(comment) if path.suffix != ".md" else []:
            there = found(path, home or other)
            for wanted in filter(None, (first, last, label)):
                if there and wanted not in labels(there):
                    fault(path, line, f"{there.name} has no ({wanted})")
        for name, words in re.findall(r"`?([\w/.]+\.md)`?, section ([A-Za-z]+)", comment):
            there = found(path, name)
            if there and not any(words.lower() in heading.lower() for heading in headings(there)):
                fault(path, line, f"{name} has no section {words}")
        if path.name != "CHANGELOG.md":  # what it names may be gone
            check_files_named(path, line, comment)
    if path.suffix == ".md":
        check_links(path, text)

exempt = {t for listed in re.findall(r"^Not cited: (.*)$", page, re.MULTILINE) for t in re.findall(r"T\d+", listed)}
for theorem in sorted(names[1] - cited - exempt, key=lambda t: int(t[1:])):
    fault(PAGE, 1, f"no source cites {theorem}; cite it, or say `Not cited: {theorem}, because`")
for number in sorted(names[2], key=int):
    if f"({number})" not in cited and len(re.findall(rf"\({number}\)", page)) < 2:
        fault(PAGE, 1, f"nothing names equation ({number})")

print("\n".join(faults) if faults else "every citation leads somewhere")
sys.exit(1 if faults else 0)
