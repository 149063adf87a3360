#!/usr/bin/env python3
"""Both verifiers before every forgery of stories.py.

    run.py PLANNER_CCD_VERIFY [FILTER]     each must be answered as its row says, by both, in words that agree
    run.py --table                         writes STORIES.md, the same for people; --check: it is up to date
    run.py --write FOLDER [honest]         writes the certificates, by number; or the honest ones alone

A refusal must give the reason that stands in the row: a forgery that is refused for another one tests nothing. What --show says must be the
same of both. A verifier may take 1 GB of memory and 20 s.
"""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import stories
import stories_inside
from pccd import ROOT

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "STORIES.md"
VERIFY = ROOT / "planner_ccd/certificate/verify.py"
HEAD = """# Forgeries

Made by `run.py --table` of [stories.py](stories.py) and [stories_inside.py](stories_inside.py): certificates of one triangle or a few, each with
a statement that is false, or a proof that is none, or words that mislead. Both verifiers must refuse each for the reason in the last column;
where the statement is true but could be misread, both must say what stands there in quotes (`--show`). The few that are honest differ from a
forgery in what made it false alone.
"""


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def answers(program, files, given):
    """(exit code, what is shown, the answer) of each verifier."""
    for command in ([program], [sys.executable, str(VERIFY)]):
        words = command + [*files, "--show"] + given
        said = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limited, text=True)
        shown, _, answer = said.stdout.rstrip("\n").rpartition("\n")
        yield said.returncode, shown[max(0, shown.find("CLAIM:")):], answer


def made(maker):
    whole = maker()
    return [part if isinstance(part, bytes) else part.bytes() for part in (whole if isinstance(whole, list) else [whole])]


def wrong_of(check, answered):
    """What is wrong with the answers, or nothing."""
    (code, shown, said), (second_code, second_shown, second_said) = answered
    if code != second_code or shown != second_shown:
        return "the verifiers differ"
    if check == "honest" or check[0] == "told":
        missing = [words for words in (check[1:] if check[0] == "told" else []) if words not in shown]
        return "refused" if code != 0 else "it is not told: " + missing[0] if missing else None
    if code not in (1, 2):
        return "not refused"
    return None if all(re.search(check, words) for words in (said, second_said)) else "refused for another reason"


def table():
    lines, chapter, number = [HEAD], None, 0
    for number, (part, claimed, true, check, _) in enumerate(stories.STORIES, 1):
        if part != chapter:
            chapter = part
            lines += ["\n## %s\n" % part, "| | claimed | true | answer |", "|---|---|---|---|"]
        if isinstance(check, tuple):
            answer = "told: " + "; ".join("`%s`" % words for words in check[1:])
        else:
            answer = "accepted" if check == "honest" else "refused: " + check.replace("|", " or ").replace(".*", " ... ")
        lines.append("| %d | %s | %s | %s |" % (number, claimed, true, answer.replace("|", "\\|")))
    return "\n".join(lines) + "\n"


def main(words):
    if words[0] == "--table":
        TABLE.write_text(table(), encoding="utf-8")
        return 0
    if words[0] == "--check":
        return 0 if TABLE.read_text(encoding="utf-8") == table() else "STORIES.md is old: run.py --table writes it"
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        given = pathlib.Path(words[1] if words[0] == "--write" else folder)
        robot = given / "robot.urdf"
        robot.write_bytes(stories_inside.GIVEN)
        for number, (_, claimed, true, check, maker) in enumerate(stories.STORIES, 1):
            if words[0] == "--write" and words[2:] and check != "honest":
                continue
            if words[0] != "--write" and len(words) > 1 and words[1] not in "%d %s: %s" % (number, claimed, true):
                continue
            parts = made(maker)
            files = [given / ("%03d%s.pccd" % (number, "abc"[i] if i else "")) for i in range(len(parts))]
            for file, data in zip(files, parts):
                file.write_bytes(data)
            if words[0] == "--write":
                continue
            answered = list(answers(words[0], [str(f) for f in files], ["--robot", str(robot)] if "--robot" in claimed else []))
            why = wrong_of(check, answered)
            count += 1
            if why:
                wrong += 1
                print("%d. %s (%s): %s\n  %s" % (number, claimed, true, why, "\n  ".join("%d %s\n%s" % (c, a, s) for c, s, a in answered)))
    print("%d stories, %d answered wrongly" % (count, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
