#!/usr/bin/env python3
"""./dev test NAME...: builds and runs what a name says and nothing else. A name is a folder of tests/, an entry of ctest, a file of
tests, or a test or suite of GoogleTest.

All is built in build/dev, which is quick to build (preset dev), but for the Python module, the page, the README's examples and the
installed package, which are those of build/release.
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
IN_RELEASE = {"python", "viewer", "readme", "packaging"}


@dataclasses.dataclass
class Entry:
    """Of ctest, in a build tree."""

    command: list
    target: str  # what has to be built for it


def entries(tree):
    """The entries of ctest by their names, whether they are built or not."""
    found = {}
    for file in sorted((tree / "tests").rglob("CTestTestfile.cmake")):
        for name, line in re.findall(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", file.read_text(), re.M):
            command = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
            program = pathlib.Path(command[0])
            whole = file.parent.relative_to(tree) / "all"
            found[name] = Entry(command, str(program.relative_to(tree) if program.is_relative_to(tree / "bin") else whole))
    return found


def folder_called(name):
    """Below tests/: query, or ompl for adapters/ompl."""
    folders = [p.parent.relative_to(TESTS) for p in TESTS.rglob("CMakeLists.txt")]
    fitting = [f for f in folders if f.parts and str(f) in (name, f"adapters/{name}")]
    return fitting[0] if fitting else None


def configured(tree):
    if not (tree / "build.ninja").exists():
        linker = next((l for l in ("lld", "gold") if shutil.which(f"ld.{l}")), "")
        fast = [f"-DCMAKE_{kind}_LINKER_FLAGS=-fuse-ld={linker}" for kind in ("EXE", "SHARED")] if linker else []
        print(f"configuring {tree.relative_to(ROOT)}", flush=True)
        options = os.environ.get("PLANNER_CCD_CMAKE_ARGS", "").split()
        preset = ["dev", *fast] if tree.name == "dev" else ["test"]
        subprocess.run(["cmake", "--preset", *preset, *options], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return tree


def files_with(name):
    """The files of tests that are called so, or that have the suite or test of this name, and whether it is these."""
    files = sorted(TESTS.rglob(name.removesuffix(".cpp") + ".cpp"))
    if files:
        return files, False
    suite, _, test = name.partition(".")
    head = re.compile(rf"^ *TEST(_F|_P)?\(\s*{re.escape(suite)},\s*{re.escape(test)}", re.M)
    return [f for f in sorted(TESTS.rglob("*.cpp")) if head.search(f.read_text())], True


def find(name):
    """(tree, target, command): what to build and then to run."""
    folder = folder_called(name)
    tree = configured(ROOT / "build" / ("release" if folder and folder.parts[0] in IN_RELEASE else "dev"))
    ctest = ["ctest", "--output-on-failure", "--no-tests=error", "--parallel", str(os.cpu_count()), "--test-dir"]
    if folder:
        return [(tree, "all" if name == "packaging" else f"tests/{folder}/all", [*ctest, tree / "tests" / folder])]
    known = entries(tree)
    release = ROOT / "build" / "release"
    for where, listed in (tree, known), (release, entries(release)):
        if name in listed:
            return [(where, listed[name].target, [*ctest, where, "-R", f"^{name}$"])]
    files, of_suite = files_with(name)
    found = []
    for file in files:
        programs = {e.target for e in known.values()
                    if any(a.startswith("--files=") and file.name in a[8:].replace("/", ",").split(",") for a in e.command)}
        suite, _, test = name.partition(".")
        choice = f"--gtest_filter={suite}.{test or '*'}:*/{suite}.{test or '*'}/*" if of_suite else f"--files={file.name}"
        found += [(tree, p, [tree / p, choice]) for p in sorted(programs)]
    return found or sys.exit(f"error: no folder of tests/, entry of ctest, file or test is called {name}")


def main(names):
    runs = [run for name in names for run in find(name)]
    for tree in {run[0] for run in runs}:
        targets = sorted({target for t, target, _ in runs if t == tree})
        print(f"building {' '.join(targets)} in {tree.relative_to(ROOT)}", flush=True)
        if subprocess.run(["cmake", "--build", tree, "--parallel", str(os.cpu_count()), "--target", *targets]).returncode:
            sys.exit("error: it does not build")
    failed = [c for c in dict.fromkeys(tuple(map(str, command)) for _, _, command in runs) if subprocess.run(c).returncode]
    sys.exit("error: failed:\n" + "\n".join("  " + " ".join(c) for c in failed) if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
