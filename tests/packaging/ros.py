#!/usr/bin/env python3
"""ros.py SOURCE WORK [BUILD]: planner_ccd in a workspace of ROS 2.

package.xml names keys that rosdep has, and all that .ci/packages has. The sources configure as colcon configures them, with and without tests,
with and without optional packages. A package of ament that depends on the library, as BUILD installs it, is configured, built and run.
Without BUILD (./dev ros) colcon builds both from their sources, and the Python module is found as its workspace is set up.
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree

SOURCE, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
BUILD = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
USER = SOURCE / "tests/packaging/ament_user"
PUMA = [SOURCE / file for file in ("urdf/puma.urdf", "urdf/puma.srdf", "models/scenes/puma_car.yaml")]
ANSWERS = {"puma_window.csv": "free\n", "puma_fender.csv": "contact\n"}
OPTIONAL = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("hwy", "TBB", "ompl", "pybind11", "ZLIB")]
OPTIONAL += [f"-DPLANNER_CCD_{name}_LIBRARY=NOTFOUND" for name in ("LZ4", "ZSTD", "BZIP2", "SQLITE3")]


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\nexits with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


def rows(file):
    return [line.split() for line in (SOURCE / file).read_text().splitlines() if line.strip() and not line.startswith("#")]


def check_keys():
    known = rows("tests/packaging/rosdep_keys.txt")
    installed_by = {key: package for key, package, *_ in known if key != "-"}
    package = xml.etree.ElementTree.parse(SOURCE / "package.xml").getroot()
    wanted = {element.text for element in package if element.tag.endswith("depend")}
    assert len(wanted) > 20
    unknown = sorted(wanted - set(installed_by))
    assert not unknown, f"package.xml: rosdep may not know {unknown}; look it up and add it to rosdep_keys.txt"
    unused = sorted(set(installed_by) - wanted)
    assert not unused, f"rosdep_keys.txt: package.xml does not name {unused}"
    debian = {package for groups, package, *_ in rows(".ci/packages") if {"build", "test"} & set(groups.split(","))}
    listed = {package for _, package, *_ in known}
    assert debian == listed, f"only in .ci/packages: {sorted(debian - listed)}; only in rosdep_keys.txt: {sorted(listed - debian)}"


def check_configures():
    """Every combination has the targets that it should have."""
    for name, options, has_tests, has_module in (
            ("default", [], True, True), ("minimal", OPTIONAL, True, False),
            ("no_tests", ["-DBUILD_TESTING=OFF"], False, True),
            ("minimal_no_tests", ["-DBUILD_TESTING=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON", *OPTIONAL], False, False)):
        folder = WORK / name
        run("cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={WORK}/install", *options)
        targets = run("ninja", "-C", folder, "-t", "targets", "all")
        assert ("_tests: phony" in targets) == has_tests, name
        assert ("planner_ccd_python: phony" in targets) == has_module, name
        assert "planner_ccd_cli: phony" in targets, name
        if has_module:  # where colcon has PYTHONPATH point to
            assert "/site-packages" in run("cmake", "-N", "-LA", folder).split("PLANNER_CCD_PYTHON_DIR:")[1].splitlines()[0], name
    # A tree that had tests loses them when it is told so.
    run("cmake", "-DBUILD_TESTING=OFF", WORK / "default")
    assert "_tests: phony" not in run("ninja", "-C", WORK / "default", "-t", "targets", "all")


def check_node(node):
    for path, answer in ANSWERS.items():
        assert run(node, *PUMA, SOURCE / "models/paths" / path) == answer, path


def check_dependent():
    """As colcon does it: the dependency's prefix is in the environment."""
    run("cmake", "--install", BUILD, "--prefix", WORK / "install")
    assert (WORK / "install/share/ament_index/resource_index/packages/planner_ccd").exists()
    folder = WORK / "ament_user"
    environment = os.environ | {"CMAKE_PREFIX_PATH": f"{WORK}/install", "AMENT_PREFIX_PATH": f"{WORK}/install"}
    run("cmake", "-S", USER, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPython3_EXECUTABLE=/usr/bin/python3",
        f"-DCMAKE_INSTALL_PREFIX={WORK}/user", "-DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON", env=environment)
    run("cmake", "--build", folder, "--target", "install")
    check_node(WORK / "user/lib/ament_user/node")


def check_workspace():
    options = shlex.split(os.environ.get("PLANNER_CCD_CMAKE_ARGS", ""))
    # As deep below the sources as other builds: a compiler cache uses relative paths.
    environment = os.environ | {"CCACHE_BASEDIR": str(SOURCE), "CCACHE_NOHASHDIR": "1"}
    run("/usr/bin/colcon", "--log-base", WORK / "log", "build", "--paths", SOURCE, USER, "--build-base", SOURCE / "build",
        "--install-base", WORK / "install", "--executor", "sequential", "--cmake-args", "-GNinja", "-DBUILD_TESTING=OFF", "-DPython3_EXECUTABLE=/usr/bin/python3", *options,
        cwd=WORK, env=environment)
    check_node(WORK / "install/ament_user/lib/ament_user/node")
    script = f". {WORK}/install/setup.sh; /usr/bin/python3 -c 'import planner_ccd; print(planner_ccd.__file__)'; planner_ccd --version"
    said = run("sh", "-c", script, cwd=WORK).splitlines()
    assert said[0].startswith(f"{WORK}/install/planner_ccd/"), said


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
check_keys()
check_configures()
if BUILD:
    check_dependent()
else:
    check_workspace()
print("as a workspace would have it")
