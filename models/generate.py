#!/usr/bin/env python3
"""Makes every mesh, robot, scene and path of the project. Python 3 and numpy (Debian: python3-numpy).

  generate.py              write models/ and urdf/ of this repository
  generate.py --out DIR    write DIR/models and DIR/urdf instead
  generate.py --check      make everything in memory and compare it with the files, byte by byte; 1 on a difference
  generate.py --pictures   draw models/contact_sheet.png (not compared: it depends on the zlib version)
"""
import argparse
import sys
from pathlib import Path

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit("generate.py needs numpy: apt-get install python3-numpy, then run it with /usr/bin/python3")

from generator import catalogue

ROOT = Path(__file__).resolve().parent.parent
OWNED = ("models/meshes", "models/scenes", "models/scans", "models/paths", "urdf")


def write(files, root):
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return 0


def check(files, root):
    """Missing, different and surplus files; 0 when there are none."""
    wrong = []
    for name, data in files.items():
        path = root / name
        if not path.is_file():
            wrong.append(f"missing: {name}")
        elif path.read_bytes() != data:
            wrong.append(f"differs: {name}")
    present = [p.relative_to(root).as_posix() for folder in OWNED for p in (root / folder).rglob("*") if p.is_file()]
    wrong += [f"not made by the generator: {name}" for name in sorted(present) if name not in files]
    print("\n".join(wrong) if wrong else f"{len(files)} files, {sum(map(len, files.values()))} bytes: all as generated")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT, help="folder to write to or to compare with")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    arguments = parser.parse_args()
    if arguments.pictures:
        from generator import pictures
        pictures.contact_sheet(arguments.out / "models/contact_sheet.png")
        return 0
    files = catalogue.files((ROOT / "models/README.md").read_text(encoding="utf-8"))
    return check(files, arguments.out) if arguments.check else write(files, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
