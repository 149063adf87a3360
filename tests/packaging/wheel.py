#!/usr/bin/env python3
"""wheel.py SOURCE WORK: what a user of pip meets, without a network. A source distribution is made and installed into a fresh venv,
which builds a wheel of it in a build environment of its own; module and commands are used from there. Its wheel is what the project's tree
gives too, as far as that can be told without a second build."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

SOURCE, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PROJECT = SOURCE / "planner_ccd/python"
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
# As auditwheel has it: what every Linux has (manylinux), what auditwheel would put into a wheel of the module, and of the commands.
EVERYWHERE = {"libstdc++.so", "libgcc_s.so", "libm.so", "libc.so", "ld-linux-x86-64.so", "ld-linux-aarch64.so", "libz.so"}
GRAFTED = {"libtinyxml2.so", "libyaml-cpp.so", "libtbb.so", "liblz4.so", "libzstd.so", "libbz2.so", "libsqlite3.so", "libhwy.so"}
GRAFTED_FOR_COMMANDS = {"libompl.so", "libassimp.so"}


def run(*command, expected=0, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | OFFLINE
    done = subprocess.run([str(word) for word in command], cwd=WORK, env=environment, text=True, capture_output=True, **more)
    if done.returncode != expected:
        sys.exit(f"{' '.join(map(str, command))}\nexits with {done.returncode}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def audit(file):
    """What an ELF file needs of other libraries: nothing unexpected, and nothing by a path of this machine. The least GNU libc that has its symbols."""
    said = run("objdump", "-p", file)
    needed = {re.sub(r"\.so.*", ".so", name) for name in re.findall(r"NEEDED +(\S+)", said)}
    known = EVERYWHERE | GRAFTED | (set() if file.name.startswith("_core") else GRAFTED_FOR_COMMANDS)
    assert needed <= known, f"{file.name} needs {needed - known}"
    for path in re.findall(r"(?:RPATH|RUNPATH) +(\S+)", said):
        assert all(part.startswith("$ORIGIN") for part in path.split(":")), f"{file.name}: {path}"
    versions = [tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", run("objdump", "-T", file))]
    return max(versions)


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
sys.path.insert(0, str(PROJECT / "backend"))
import cmake_backend  # noqa: E402

# The source distribution: the same bytes twice, with everything that the build lists.
sdist = WORK / cmake_backend.build_sdist(WORK)
first = sdist.read_bytes()
cmake_backend.build_sdist(WORK)
assert sorted(tarfile.open(sdist).getnames()) and len(first) == len(sdist.read_bytes())

# Its wheel, built by pip in an environment without our packages, and installed where there is only NumPy.
venv = WORK / "venv"
run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", venv)
run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", WORK, sdist)
(wheel,) = WORK.glob("*.whl")
run(sys.executable, "-m", "pip", "--python", venv / "bin/python", "install", "--no-deps", wheel)
run(venv / "bin/python", SOURCE / "tests/packaging/wheel_works.py", SOURCE, WORK)
for command in ("planner_ccd", "planner_ccd_verify"):
    assert (venv / "bin" / command).exists(), command
run(venv / "bin/planner_ccd", "check", "--robot", SOURCE / "urdf/puma.urdf", "--srdf", SOURCE / "urdf/puma.srdf", "--scene",
    SOURCE / "models/scenes/puma_car.yaml", "--path", SOURCE / "models/paths/puma_fender.csv", expected=1)
run(venv / "bin/planner_ccd_verify", "way.pccd")

# Its contents and metadata.
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
    record = archive.read(f"{cmake_backend.NAME}.dist-info/RECORD").decode()
    metadata = archive.read(f"{cmake_backend.NAME}.dist-info/METADATA").decode()
    archive.extractall(WORK / "unpacked")
programs = [file for file in (WORK / "unpacked").rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
assert len(programs) >= 3, programs
newest = max(map(audit, programs))
assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names)
assert "Name: planner_ccd\n" in metadata and "Requires-Dist: numpy\n" in metadata
for file in (PROJECT / "planner_ccd").rglob("*.py*"):
    if "__pycache__" not in file.parts:
        assert str(file.relative_to(PROJECT)) in names, file
print(f"needs GNU libc {'.'.join(map(str, newest))}: manylinux_{'_'.join(map(str, newest))} once repaired", *names, sep="\n")
