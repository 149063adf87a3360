#!/usr/bin/env python3
"""The campaign: what the tests of certificates do, many times over.

    campaign.py BUILD [--scale N] [--tamper N]

Of a build with tests (build/release): free edges and curves of all scenarios, 25 in each certificate, certified and verified by C++ (--scale 250
makes more than 10,000 edges and 500 curves; with PLANNER_CCD_TEST_SEED in parts); the first twelve of each scenario, of one motion each
and at most 400 kB, verified by verify.py too; planted contacts, none of which may be
certified or forged; certificates tampered with (--tamper 10000). It takes hours; run it with nice.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VERIFY = HERE.parents[1] / "planner_ccd/certificate/verify.py"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--scale", default="250")
    arguments.add_argument("--tamper", default="10000")
    chosen = arguments.parse_args()
    programs = chosen.build / "bin"
    both = [str(VERIFY), str(programs / "planner_ccd_verify")]
    with tempfile.TemporaryDirectory() as folder:
        kept, samples = pathlib.Path(folder, "kept"), pathlib.Path(folder, "samples")
        kept.mkdir(), samples.mkdir()
        environment = dict(os.environ, PLANNER_CCD_TEST_SCALE=chosen.scale, PLANNER_CCD_KEEP=str(kept))
        steps = [([str(programs / "certificate_campaign_tests")], environment),
                 ([str(programs / "certificate_planted_tests")], environment),
                 ([sys.executable, str(HERE / "both.py"), *both, "true", str(kept)], None),
                 ([str(programs / "certificate_write_samples"), str(samples)], None),
                 ([sys.executable, str(HERE / "tamper.py"), *both, chosen.tamper, "samples of", str(samples)], None)]
        failed = 0
        for command, env in steps:
            if "samples of" in command:
                command = command[:-2] + sorted(str(f) for f in samples.glob("*.pccd"))
            print("==", *[pathlib.Path(word).name for word in command[:6]], flush=True)
            failed += subprocess.run(command, env=env).returncode != 0
    print("all passed" if failed == 0 else "%d steps failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
