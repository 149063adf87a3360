"""PEP 517 back end: builds the module and the commands with CMake and packs them into a wheel. Standard library alone.

    pip install ./planner_ccd/python                          # or --no-build-isolation, or with --no-index
    pip wheel ./planner_ccd/python -w dist
    PLANNER_CCD_CMAKE_ARGS="-DCMAKE_CXX_COMPILER=clang++" pip install ./planner_ccd/python

In the project's tree it builds in build/cp..., which is kept: a second time costs seconds.
"""

import base64
import hashlib
import importlib.util
import io
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    import tomli as tomllib

HERE = pathlib.Path(__file__).resolve().parents[1]
# In a source distribution pyproject.toml lies at the top, in the project's tree two folders below it.
ROOT = HERE if (HERE / "LICENSE").exists() else HERE.parents[1]
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = f"{PROJECT['name']}-{PROJECT['version']}"
TAG = "cp{0}{1}-cp{0}{1}-{2}".format(*sys.version_info[:2], sysconfig.get_platform().replace("-", "_").replace(".", "_"))
COMMANDS = ("planner_ccd", "planner_ccd_verify", "planner_ccd_read_mesh")  # the last where Assimp is found
UNPACKED = {"__pycache__", "node_modules", "pictures"}
TIME = max(int(os.environ.get("SOURCE_DATE_EPOCH", 315532800)), 315532800)  # a zip file knows no time before 1980


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder)
        build(stage)
        for file in sorted((stage / "planner_ccd").rglob("*")):
            if file.is_file():
                files[str(file.relative_to(stage))] = file.read_bytes()
        for command in (stage / "bin" / command for command in COMMANDS):
            if command.exists():
                files[f"{NAME}.data/scripts/{command.name}"] = command.read_bytes()
    info = f"{NAME}.dist-info"
    files |= {f"{info}/{name}": text for name, text in metadata().items()}
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{NAME}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(TIME)[:6])
            runs = "/scripts/" in name or name.endswith((".so", "/planner_ccd_read_mesh"))
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory, f"{NAME}.dist-info")
    info.mkdir()
    for name, text in metadata().items():
        (info / name).write_bytes(text)
    return info.name


def build_sdist(sdist_directory, config_settings=None):
    """All that is compiled, with pyproject.toml and this back end at the top."""
    files = {f"{NAME}/PKG-INFO": metadata()["METADATA"]}
    for file in ("pyproject.toml", "backend/cmake_backend.py"):
        files[f"{NAME}/{file}"] = (HERE / file).read_bytes()
    for file in ("CMakeLists.txt", "LICENSE", "README.md", "package.xml"):
        files[f"{NAME}/{file}"] = (ROOT / file).read_bytes()
    for file in sorted((ROOT / "planner_ccd").rglob("*")):
        if file.is_file() and not any(part.startswith(".") or part in UNPACKED for part in file.relative_to(ROOT).parts):
            files[f"{NAME}/{file.relative_to(ROOT)}"] = file.read_bytes()
    sdist = f"{NAME}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory, sdist), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), TIME, 0o644
            archive.addfile(entry, io.BytesIO(data))
    return sdist


def build(stage):
    """Configures, builds and installs into `stage`."""
    folder = ROOT / "build" / TAG
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DPLANNER_CCD_TESTS=OFF", "-DPLANNER_CCD_PYTHON=ON", "-DPLANNER_CCD_CLI=ON",
               "-DBUILD_SHARED_LIBS=OFF", "-DPLANNER_CCD_PCH=ON", "-DPLANNER_CCD_PYTHON_DIR=.", f"-DPython3_EXECUTABLE={sys.executable}"]
    if importlib.util.find_spec("pybind11"):
        import pybind11

        options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    if shutil.which("ninja"):
        options.append("-GNinja")
    options += shlex.split(os.environ.get("PLANNER_CCD_CMAKE_ARGS", ""))
    run("cmake", "-S", ROOT, "-B", folder, *options)
    run("cmake", "--build", folder, "--parallel", len(os.sched_getaffinity(0)),
        "--target", "planner_ccd_python", "planner_ccd_cli", "planner_ccd_verify")
    for component in ("python", "command"):
        run("cmake", "--install", folder, "--prefix", stage, "--component", component, "--strip")


def run(*command):
    # As ./dev has it: what was compiled in another folder need not be compiled again.
    environment = os.environ | {"CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}
    result = subprocess.run([str(word) for word in command], env=environment)
    if result.returncode:
        sys.exit(f"planner_ccd: {command[0]} failed. It needs CMake, a C++20 compiler and the Debian packages that "
                 ".ci/packages lists in its group `build`, or their equivalents")


def metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {PROJECT['name']}", f"Version: {PROJECT['version']}",
             f"Summary: {PROJECT['description']}", f"License: {PROJECT['license']['text']}",
             f"Requires-Python: {PROJECT['requires-python']}"]
    lines += [f"Classifier: {c}" for c in PROJECT["classifiers"]]
    lines += [f"Requires-Dist: {d}" for d in PROJECT["dependencies"]]
    for extra, needs in PROJECT.get("optional-dependencies", {}).items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {d}; extra == "{extra}"' for d in needs)]
    wheel = ["Wheel-Version: 1.0", "Generator: planner_ccd", "Root-Is-Purelib: false", f"Tag: {TAG}"]
    return {"METADATA": "\n".join(lines + [""]).encode(), "WHEEL": "\n".join(wheel + [""]).encode(),
            "LICENSE": (ROOT / "LICENSE").read_bytes(),
            "LICENSES-of-pages.txt": (ROOT / "planner_ccd/viewer/web/dist/LICENSES.txt").read_bytes()}


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
