#!/usr/bin/env python3
"""Breaks the code on purpose, one small unsound change at a time, and sees whether a test falls.

./dev mutants [FILTER...]  runs the mutants whose name or file contains one of the filters (all without one): in a git worktree
of its own (build/mutants/tree, at the commit that is checked out here) each change is made, what the likely tests need is built,
and they run until one fails; then the other tests. Results are kept in build/mutants/results.json, so a run can be stopped and
goes on where it was; what was killed is not run again while its file is the same, what survived is when a test has changed.

The lists are tests/mutants/*.txt:

  file PATH             of the mutants that follow
  tests NAME...         tests, as ctest lists them, that should kill them; the name of a mutant may be followed by its own in brackets
  NAME [TEST...]: what it breaks
  - text                found exactly once in the file; lines with "-" in a row are one text
  + replacement
  = equivalent: why     no test can see it: it is not run, or only to see that it does nothing

With ? and : in place of - and + both are expressions of one type, which a number in the environment can choose between: all of
these are built together, once, and only run one by one. --draw 50 takes that many of them, of a few files, which the date draws (--date for another): CI runs these for --minutes.
"""
import argparse
import concurrent.futures
import dataclasses
import fcntl
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from named import entries  # noqa: E402

LISTS = pathlib.Path(__file__).resolve().parent
WORK = ROOT / "build" / "mutants"
TREE, RESULTS = WORK / "tree", WORK / "results.json"
BUILD = TREE / "build" / "release"  # as anybody's, so that ccache knows what is not changed
TEST_SECONDS = 300  # of processor time: a test that takes longer has been killed
WAIT_SECONDS = 1800  # a test that waits so long for something never gets it
TOO_LONG = 124  # what timeout(1) exits with


@dataclasses.dataclass
class Mutant:
    name: str
    file: str
    breaks: str
    tests: list
    text: str = ""
    replacement: str = ""
    equivalent: str = ""
    expression: bool = False


def parse(path):
    mutants, file, tests, previous = [], None, [], ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        head = re.match(r"([a-z0-9_]+)(?: \[([^\]]*)\])?: (.+)$", line)
        if not line.strip() or line.startswith("#"):
            pass
        elif line.startswith("file "):
            file, tests = line.split()[1], []
        elif line.startswith("tests "):
            tests = line.split()[1:]
        elif line.startswith(("- ", "+ ", "? ", ": ")) and mutants:
            name = "text" if line[0] in "-?" else "replacement"
            mutants[-1].expression = line[0] in "?:"
            before = getattr(mutants[-1], name)
            setattr(mutants[-1], name, before + "\n" + line[2:] if line[0] == previous else line[2:])
        elif line == "+" and mutants:
            pass  # nothing in its place
        elif line.startswith("= equivalent: ") and mutants:
            mutants[-1].equivalent = line[len("= equivalent: "):]
        elif head and file:
            mutants.append(Mutant(head[1], file, head[3], head[2].split() if head[2] else tests))
        else:
            sys.exit(f"{path}:{number}: not understood: {line}")
        previous = line[:1]
    return mutants


def load():
    mutants = [m for path in sorted(LISTS.glob("*.txt")) for m in parse(path)]
    names = [m.name for m in mutants]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        sys.exit("mutants with one name: " + ", ".join(sorted(twice)))
    return mutants


def binds_outwards(text, before, after):
    """Whether what stands around an expression takes a part of it as operand, which parentheses around all of it would change."""
    inside = text
    while (outer := re.sub(r"\([^()]*\)|\[[^][]*\]", "", inside)) != inside:
        inside = outer
    left, right = before.rstrip()[-1:], after.lstrip()[:1]
    loose, tight = re.search(r" (\+|-|<|>|<=|>=|==|!=|&&|\|\||&|\|) ", inside), re.search(r" [*/%] ", inside)
    if loose or tight:
        if after[:1] in (".", "[", "(") or after[:2] == "->":
            return True
        if left in ("/", "%", "-") and (loose or left != "-"):
            return True
    return bool(loose) and (left in ("*", "!") or right in ("*", "/", "%"))


def stale(mutant, root):
    """Why the change cannot be made; empty when it can."""
    path = root / mutant.file
    if not path.exists():
        return "no such file"
    code = path.read_text()
    found = code.count(mutant.text)
    if not mutant.text or mutant.text == mutant.replacement:
        return "it changes nothing"
    if mutant.expression and (";" in mutant.text or mutant.text.startswith("{")):
        return "it is marked as an expression, which it is not"
    if mutant.expression and found == 1 and binds_outwards(mutant.text, *code.split(mutant.text)):
        return "it is not a whole operand where it stands: widen it, or mark it with - and +"
    return "" if found == 1 else f"its text is found {found} times"


def check(mutants):
    bad = [(m, why) for m in mutants if (why := stale(m, ROOT))]
    for m, why in bad:
        print(f"{m.name}: {m.file}: {why}:\n  {m.text}\nWrite it anew for the code as it is, in tests/mutants.")
    print(f"{len(mutants)} mutants, {len(bad)} stale")
    return 1 if bad else 0


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def must(command, **options):
    result = run(command, **options)
    return result.stdout if result.returncode == 0 else sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout[-4000:]}")


class Bench:
    """The scratch worktree and its build."""

    def __init__(self, jobs):
        self.jobs = jobs
        WORK.mkdir(parents=True, exist_ok=True)
        self.lock = open(WORK / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("mutants are running already in this tree")
        self.commit = must(["git", "-C", ROOT, "rev-parse", "HEAD"]).strip()
        self.tests_hash = must(["git", "-C", ROOT, "rev-parse", "HEAD:tests"]).strip()
        if must(["git", "-C", ROOT, "status", "--porcelain", "--", "planner_ccd", "tests"]).strip():
            print("note: what is not committed here is not seen")
        must(["git", "-C", ROOT, "worktree", "prune"])
        if TREE.exists():
            must(["git", "-C", TREE, "checkout", "-q", "--force", "--detach", self.commit])
        else:
            must(["git", "-C", ROOT, "worktree", "add", "-q", "--detach", TREE, self.commit])
        self.env = dict(os.environ, CCACHE_BASEDIR=str(TREE), CCACHE_NOHASHDIR="1", PLANNER_CCD_DATA=str(
            pathlib.Path(os.environ.get("PLANNER_CCD_DATA", ROOT.parent / "shared" / "data"))))
        must(["cmake", "--preset", "test", "-DPLANNER_CCD_PYTHON=OFF", "-DPLANNER_CCD_OMPL=OFF", "-DPLANNER_CCD_CLI=OFF",
              *os.environ.get("PLANNER_CCD_CMAKE_ARGS", "").split()], cwd=TREE, env=self.env)
        listed = json.loads(must(["ctest", "--test-dir", BUILD, "--show-only=json-v1", "--label-exclude", "once"], env=self.env))
        known = entries(BUILD)
        self.commands, self.targets, self.sound = {}, {}, set()
        for name in [test["name"] for test in listed["tests"]]:
            if known[name].target == f"bin/{name}" or any(a.startswith("--files=") for a in known[name].command):
                self.commands[name], self.targets[name] = known[name].command, known[name].target

    def build(self, tests, mutated, seconds=None):
        """Of several tests of one program the program is built once."""
        env = dict(self.env, CCACHE_READONLY="1") if mutated else self.env
        every_error = [] if mutated else ["-k", "0"]
        targets = sorted({self.targets[t] for t in tests})
        within = ["timeout", str(seconds)] if seconds else []
        return run([*within, "nice", "-n", "5", "ninja", "-C", BUILD, "-j", str(self.jobs), *every_error, *targets], env=env)

    def first_failure(self, tests, number=0):
        """Of the mutant of this number, where several are built together."""
        env = dict(self.env, PLANNER_CCD_MUTANT=str(number))
        for test in tests:
            try:
                result = run(["prlimit", f"--cpu={TEST_SECONDS}:{TEST_SECONDS + 5}", *self.commands[test]], env=env, cwd=BUILD,
                             timeout=WAIT_SECONDS)
            except subprocess.TimeoutExpired:
                return test + " (waits too long)"
            if result.returncode == -signal.SIGXCPU:
                return test + " (takes too long)"
            if result.returncode != 0:
                return test
        return ""


    def see_sound(self, failure):
        """What first_failure said, having seen that the test which fell does not fall on the code as it is."""
        test = failure.partition(" ")[0]
        if test and test not in self.sound and self.first_failure([test]):
            print(f"{test} fails on the code as it is", flush=True)
            os._exit(1)
        self.sound.add(test)
        return failure


def key_of(mutant, root=ROOT):
    """What a result is about: the change, and the file as it is otherwise."""
    text = (root / mutant.file).read_text() if (root / mutant.file).exists() else ""
    return hashlib.sha256("\0".join([text, mutant.text, mutant.replacement]).encode()).hexdigest()[:16]


def unknown_tests(bench, mutant):
    unknown = [t for t in mutant.tests if t not in bench.commands]
    return {"result": "error", "by": "no such test: " + ", ".join(unknown)} if unknown else None


def others(bench, mutant, likely_only):
    return [] if likely_only and mutant.tests else [t for t in bench.commands if t not in mutant.tests]


def verdict(by, likely_only):
    return {"result": "killed", "by": by} if by else {
        "result": "survived", "by": "likely tests only" if likely_only else "all tests"}


def try_alone(bench, mutant, likely_only):
    path = TREE / mutant.file
    original = path.read_text()
    try:
        path.write_text(original.replace(mutant.text, mutant.replacement))
        for tests in (mutant.tests, others(bench, mutant, likely_only)):
            if not tests:
                continue
            built = bench.build(tests, True)
            if built.returncode != 0:
                return {"result": "error", "by": "does not build: " + built.stdout[-1500:]}
            by = bench.first_failure(tests)
            if by:
                break
        return verdict(by, likely_only)
    finally:
        path.write_text(original)


class Together:
    """Mutants that are expressions, built once: PLANNER_CCD_MUTANT says which one is at work, 0 none."""

    DECLARATION = 'extern "C" { extern const int planner_ccd_mutant; }\n'
    DEFINITION = ('\n#include <cstdlib>\nextern "C" {\nconst int planner_ccd_mutant = std::getenv("PLANNER_CCD_MUTANT") == nullptr '
                  '? 0 : std::atoi(std::getenv("PLANNER_CCD_MUTANT"));\n}\n')
    HOME = "planner_ccd/math/interval.cpp"  # every test program links it

    def __init__(self, mutants):
        self.numbers, self.spans, self.originals = {}, {}, {}
        for number, m in enumerate(mutants, 1):
            start = (TREE / m.file).read_text().find(m.text)
            span = (start, start + len(m.text))
            if all(span[1] <= a or b <= span[0] for a, b, _ in self.spans.get(m.file, [])):
                self.spans.setdefault(m.file, []).append((*span, m))
                self.numbers[m.name] = number

    def __enter__(self):
        for file in {*self.spans, self.HOME}:
            text = self.originals[file] = (TREE / file).read_text()
            for start, end, m in sorted(self.spans.get(file, []), key=lambda s: s[0], reverse=True):
                chosen = f"(planner_ccd_mutant == {self.numbers[m.name]} ? ({m.replacement}) : ({m.text}))"
                text = text[:start] + chosen + text[end:]
            (TREE / file).write_text(self.DECLARATION + text + (self.DEFINITION if file == self.HOME else ""))
        return self

    def __exit__(self, *_):
        for file, text in self.originals.items():
            (TREE / file).write_text(text)


def drawn(mutants, count, date):
    """So many mutants that can fall: those of one file after another, which the date draws, so that little has to be built."""
    files = sorted({m.file for m in mutants})
    random.Random(date).shuffle(files)
    chosen = [m for file in files for m in mutants if m.file == file and not m.equivalent]
    return chosen[:count]


def summary(mutants, results):
    counts = {}
    for m in mutants:
        done = results.get(m.name)
        state = "equivalent" if m.equivalent else done["result"] if done and done["key"] == key_of(m) else "not run"
        counts.setdefault(state, []).append(m)
    for state in ("survived", "stale", "error"):
        for m in counts.get(state, []):
            print(f"{state}: {m.name} ({m.file}): {m.breaks}; {results[m.name]['by']}")
    print(f"{len(mutants)} mutants: " + ", ".join(f"{len(v)} {k}" for k, v in sorted(counts.items())))
    return 1 if any(counts.get(s) for s in ("survived", "stale", "error")) else 0


def main():
    options = argparse.ArgumentParser(prog="./dev mutants", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("filters", nargs="*", metavar="FILTER")
    options.add_argument("--check", action="store_true", help="only see that no text is stale")
    options.add_argument("--summary", action="store_true", help="only say what is known")
    options.add_argument("--again", action="store_true", help="run also what has been run")
    options.add_argument("--equivalent", action="store_true", help="run those that are argued to be equivalent too")
    options.add_argument("--tests", metavar="NAME,...", help="of the tests that the lists name only these, which are quick to build")
    options.add_argument("--likely", action="store_true", help="only the tests that the lists name")
    options.add_argument("--minutes", type=float, default=1e6, help="begin no mutant after this time, and give up building")
    options.add_argument("--draw", type=int, metavar="COUNT", help="only so many, drawn by the date; implies --likely")
    options.add_argument("--date", default=time.strftime("%Y-%m-%d", time.gmtime()), help="the date that draws (default: today's)")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    args = options.parse_args()
    end = time.monotonic() + 60.0 * args.minutes
    mutants = load()
    if args.check:
        sys.exit(check(mutants))
    if args.filters:
        mutants = [m for m in mutants if any(f in m.name or f in m.file for f in args.filters)]
    if args.tests:
        args.likely = True
        for m in mutants:
            m.tests = [t for t in m.tests if t in args.tests.split(",")]
        mutants = [m for m in mutants if m.tests]
    if args.draw:
        args.likely = True
        mutants = drawn(mutants, args.draw, args.date)
        print(f"{args.date} draws {len(mutants)} mutants of {', '.join(sorted({m.file for m in mutants}))}", flush=True)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if args.summary:
        sys.exit(summary(mutants, results))
    bench = Bench(args.jobs)

    def open_still(m):
        done = results.get(m.name)
        if m.equivalent and not args.equivalent:
            return False
        if args.again or not done or done["key"] != keys[m.name] or done["result"] in ("error", "stale"):
            return True
        return done["result"] == "survived" and (done["tests"] != bench.tests_hash or
                                                 (done["by"] != "all tests" and not args.likely))

    keys = {m.name: key_of(m, TREE) for m in mutants}

    def keep(mutant, done, start, count):
        results[mutant.name] = dict(done, key=keys[mutant.name], tests=bench.tests_hash)
        RESULTS.with_suffix(".new").write_text(json.dumps(results, indent=1, sort_keys=True))
        RESULTS.with_suffix(".new").replace(RESULTS)
        seconds = time.monotonic() - start
        print(f"[{count}] {mutant.name}: {done['result']}, {done['by'][:300]} ({seconds:.0f} s)", flush=True)

    waiting = []
    for m in [m for m in mutants if open_still(m)]:
        why = stale(m, TREE)
        bad = {"result": "stale", "by": why} if why else unknown_tests(bench, m)
        if bad:
            keep(m, bad, time.monotonic(), "-")
        else:
            waiting.append(m)
    print(f"{len(waiting)} of {len(mutants)} mutants to run, at {bench.commit[:10]}", flush=True)

    # All that are expressions, whatever is waiting: ccache has them for the next run.
    built_together = mutants if args.tests or args.draw else load()
    with Together([m for m in built_together if m.expression and not stale(m, TREE)]) as together:
        many = [m for m in waiting if m.name in together.numbers]
        alone = [m for m in waiting if m not in many]
        needed = list(bench.commands) if not args.likely and many else sorted({t for m in many for t in m.tests})
        if many:
            built = bench.build(needed, False, max(1.0, end - time.monotonic()))
            if built.returncode == TOO_LONG:
                many.clear()
                end = 0.0
                print("--minutes are over before it is built")
            elif built.returncode != 0:
                sys.exit("expressions do not build together:\n" + "\n".join(re.findall(r".*error:.*\n.*", built.stdout)))

        def try_together(m):
            if time.monotonic() > end:
                return None
            start = time.monotonic()
            by = bench.see_sound(bench.first_failure(m.tests + others(bench, m, args.likely), together.numbers[m.name]))
            return m, verdict(by, args.likely), start

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            tried = [pool.submit(try_together, m) for m in many]
            for i, done in enumerate(concurrent.futures.as_completed(tried), 1):
                if done.result():
                    keep(*done.result(), f"{i}/{len(many)}")
    for i, m in enumerate(alone, 1):
        if time.monotonic() > end:
            break
        start = time.monotonic()
        keep(m, try_alone(bench, m, args.likely), start, f"alone, {i}/{len(alone)}")
    sys.exit(summary(mutants, results))


if __name__ == "__main__":
    main()
