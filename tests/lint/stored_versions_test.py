#!/usr/bin/env python3
"""The check of stored_versions.py, on a copy of the sources that this changes.

Its story: levers of bodies became corners, proofs of cells were other proofs from then on, and the version in their files stayed 1. Files
written before were believed.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tests/lint/stored_versions.py"
HEADER, TABLE = "planner_ccd/math/stored_versions.hpp", "tests/lint/stored_versions.txt"
LEVER = "planner_ccd/motion/lever_form.cpp"


class StoredVersions(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(ROOT / "planner_ccd", self.root / "planner_ccd", ignore=shutil.ignore_patterns("pictures", "*.js"))
        (self.root / TABLE).parent.mkdir(parents=True)
        self.assertEqual(self.run_tool("--record", "--unchanged", "as it is today")[0], 0)

    def run_tool(self, *arguments):
        done = subprocess.run([sys.executable, str(TOOL), "--root", str(self.root), *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def change(self, name, before, after):
        text = (self.root / name).read_text()
        self.assertIn(before, text)
        (self.root / name).write_text(text.replace(before, after, 1))

    def test_a_change_of_code_needs_a_version_or_a_reason(self):
        self.assertEqual(self.run_tool()[0], 0)
        self.change(LEVER, "return ", "return 1.0 * ")
        code, told = self.run_tool()
        self.assertEqual(code, 1)
        for part in (LEVER + ": changed", "cells, verdicts", "--unchanged", HEADER):
            self.assertIn(part, told)
        code, told = self.run_tool("--record")
        self.assertEqual(code, 1)
        self.assertIn("was not raised", told)
        self.assertEqual(self.run_tool()[0], 1, "a refused record leaves the table as it was")
        self.change(HEADER, "kCells = ", "kCells = 1")
        self.assertIn("the version of verdicts was not raised", self.run_tool("--record")[1], "both rest on it")
        self.change(HEADER, "kVerdicts = ", "kVerdicts = 1")
        self.assertEqual(self.run_tool("--record")[0], 0)
        self.assertEqual(self.run_tool()[0], 0)

    def test_a_reason_is_kept(self):
        self.change(LEVER, "return ", "return 1.0 * ")
        self.assertEqual(self.run_tool("--record", "--unchanged", "why not")[0], 2, "that is no reason")
        self.assertEqual(self.run_tool("--record", "--unchanged", "a factor of one is exact")[0], 0)
        self.assertEqual(self.run_tool()[0], 0)
        lines = [line for line in (self.root / TABLE).read_text().splitlines() if line.startswith(LEVER)]
        self.assertTrue(lines[0].endswith("| a factor of one is exact"), lines)

    def test_comments_and_layout_are_no_change(self):
        self.change(LEVER, "return ", "// why\n  return /* here */   ")
        self.change("planner_ccd/python/planner_ccd/campaign/work.py", "import time", "import time  # of the clock\n\n")
        self.assertEqual(self.run_tool()[0], 0)

    def test_new_and_missing_sources_are_changes(self):
        (self.root / "planner_ccd/motion/shorter.hpp").write_text("#pragma once\n")
        (self.root / LEVER).unlink()
        code, told = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("shorter.hpp: new", told)
        self.assertIn(LEVER + ": no longer there", told)

    def test_verifiers_read_what_is_written(self):
        self.change(HEADER, "kCertificates = 1", "kCertificates = 2")
        self.assertIn("verify.py: reads another version", self.run_tool()[1])

    def test_what_is_left_out_is_not_used(self):
        self.change(LEVER, "namespace", '#include "planner_ccd/robot/mount.hpp"\nnamespace')
        self.assertIn("leaves out of 'cells'", self.run_tool("--record", "--unchanged", "for the sake of this test")[1])


if __name__ == "__main__":
    unittest.main()
