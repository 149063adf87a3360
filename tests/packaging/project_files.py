#!/usr/bin/env python3
"""project_files.py: what is said in several files is said alike: the version, the maintainer, the stages of CI, the templates of two hosts."""

import json
import pathlib
import re
import xml.etree.ElementTree

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# File: where its version stands.
VERSIONS = {
    "package.xml": r"<version>([\d.]+)<",
    "CITATION.cff": r"^version: ([\d.]+)$",
    "planner_ccd/python/pyproject.toml": r'^version = "([\d.]+)"$',
    "planner_ccd/cli/README.md": r'"planner_ccd": "([\d.]+)"',
    "packaging/debian/changelog": r"\Aplanner-ccd \(([\d.]+)\) ",
    "packaging/conda/meta.yaml": r'set version = "([\d.]+)"',
    "packaging/vcpkg/vcpkg.json": r'"version": "([\d.]+)"',
}
# The interface of shared libraries is called MAJOR.MINOR.
INTERFACES = {
    "packaging/debian/control": r"\blibplanner-ccd([\d.]+\d)",
    "docs/install.md": r"\blibplanner-ccd([\d.]+\d)",
    "docs/versions.md": r"libplanner_ccd_core\.so\.([\d.]+\d)",
}


def text(file):
    return (ROOT / file).read_text(encoding="utf-8")


def check_versions():
    version = re.search(r"^project\(planner_ccd VERSION ([\d.]+) ", text("CMakeLists.txt"), re.MULTILINE)[1]
    for file, pattern in VERSIONS.items():
        found = set(re.findall(pattern, text(file), re.MULTILINE))
        assert found == {version}, f"{file}: version {found}, and {version} in CMakeLists.txt"
    interface = version.rsplit(".", 1)[0]
    for file, pattern in INTERFACES.items():
        found = set(re.findall(pattern, text(file)))
        assert found == {interface}, f"{file}: interface {found}, and {interface} in CMakeLists.txt"
    names = {file.name for file in (ROOT / "packaging/debian").glob("libplanner-ccd[0-9]*")}
    assert names and all(name.startswith(f"libplanner-ccd{interface}.") for name in names), names


def check_maintainer():
    package = xml.etree.ElementTree.parse(ROOT / "package.xml").getroot().find("maintainer")
    wanted = f"{package.text} <{package.get('email')}>"
    assert f"\nMaintainer: {wanted}\n" in text("packaging/debian/control"), wanted
    assert f"\n -- {wanted}  " in text("packaging/debian/changelog"), wanted


def check_ci():
    stages = re.search(r"^all_stages=\(install (.*)\)$", text(".ci/run"), re.MULTILINE)[1].split()
    for file, job in ((".github/workflows/ci.yml", lambda ci: ci["jobs"]["stages"]["strategy"]["matrix"]["stages"]),
                      (".gitlab-ci.yml", lambda ci: ci["check"]["parallel"]["matrix"][0]["STAGES"])):
        listed = " ".join(job(yaml.safe_load(text(file)))).split()
        assert listed == stages, f"{file}: {listed}, and in .ci/run {stages}"


def check_templates():
    for github in (ROOT / ".github/ISSUE_TEMPLATE").iterdir():
        front, body = re.fullmatch(r"---\n(.*?)\n---\n\n(.*)", text(github), re.DOTALL).groups()
        assert set(yaml.safe_load(front)) == {"name", "about"}, github
        assert text(f".gitlab/issue_templates/{github.name}") == body, github.name
    assert text(".gitlab/merge_request_templates/default.md") == text(".github/pull_request_template.md")


def check_citation():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(citation)
    assert citation["license"] == json.loads(text("packaging/vcpkg/vcpkg.json"))["license"] == "BSD-3-Clause"


def check_man_page():
    options = set(re.findall(r"--[a-z]+", re.search(r'kUsage =\n(.*?)";', text("planner_ccd/certificate/verifier/main.cpp"), re.DOTALL)[1]))
    page = text("planner_ccd/certificate/verifier/planner_ccd_verify.1").replace("\\-", "-")
    assert len(options) > 5 and all(option in page for option in options), options


check_versions()
check_maintainer()
check_ci()
check_templates()
check_citation()
check_man_page()
print("every file says the same")
