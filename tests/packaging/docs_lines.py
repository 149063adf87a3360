#!/usr/bin/env python3
"""docs_lines.py SOURCE WORK BUILD CXX: programs of the documentation, built by its own lines of CMake and by nothing else.

Each block of CMake in docs/planner.md that links something belongs to the program of C++ that follows it; both become a project, which finds
the library as BUILD installs it. docs/install.md's FetchContent is configured with these sources. Options that documents name exist.
"""

import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, WORK, BUILD, CXX = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
PROJECT = "cmake_minimum_required(VERSION 3.22)\nproject(my_planner LANGUAGES CXX)\nadd_executable(my_planner main.cpp)\n"


def run(*command):
    done = subprocess.run([str(word) for word in command], cwd=SOURCE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\nexits with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


def blocks(document):
    """(language, text) of the fenced blocks, in their order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (SOURCE / document).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def configure(name, lines, program, *options):
    folder = WORK / name
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(PROJECT + lines)
    (folder / "main.cpp").write_text(program)
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}", "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON", *options)
    return folder / "build"


def check_programs():
    run("cmake", "--install", BUILD, "--prefix", WORK / "prefix")
    answers = {"ompl": "proved free: 1", "planner_ccd": "segment 4: contact of gripper and car"}
    lines = None
    for language, text in blocks("docs/planner.md"):
        if language == "cmake":
            lines = text
        if language != "cpp" or lines is None:
            continue
        kind = "ompl" if "planner_ccd::ompl" in lines else "planner_ccd"
        if kind == "ompl" and not list((WORK / "prefix").rglob("planner_ccd-ompl.cmake")):
            answers.pop(kind)
            continue
        build = configure(kind, lines, text, f"-DCMAKE_PREFIX_PATH={WORK}/prefix")
        run("cmake", "--build", build)
        said = run(build / "my_planner")
        assert answers.pop(kind) in said, said
        lines = None
    assert not answers, f"docs/planner.md has no program for {list(answers)}"


def check_fetch_content():
    (lines,) = [text for language, text in blocks("docs/install.md") if language == "cmake" and "FetchContent_Declare" in text]
    configure("fetched", lines, "int main() {}\n", f"-DFETCHCONTENT_SOURCE_DIR_PLANNER_CCD={SOURCE}")


def check_options():
    cmake = "".join(file.read_text() for file in [SOURCE / "CMakeLists.txt", *SOURCE.glob("planner_ccd/**/CMakeLists.txt")])
    packaging = [file for file in SOURCE.glob("packaging/**/*") if file.is_file()]
    for document in [SOURCE / "README.md", *SOURCE.glob("docs/*.md"), *SOURCE.glob("planner_ccd/**/*.md"), *packaging]:
        for name in re.findall(r"-D(PLANNER_CCD_\w+)|`(PLANNER_CCD_\w+)=(?:ON|OFF)|^ +[a-z]+ (PLANNER_CCD_\w+)$",
                               document.read_text(encoding="utf-8"), re.MULTILINE):
            name = "".join(name)
            assert re.search(rf"option\({name}\b|set\({name}\b", cmake), f"{document}: there is no option {name}"


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
check_options()
check_programs()
check_fetch_content()
print("as documented")
