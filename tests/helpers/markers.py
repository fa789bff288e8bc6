#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A marker in every string of a record, looked for raw in every form of every command that reads it.

  markers.py CARBON RECORD COMMAND...    each COMMAND is a line in which {r} is the record, {o} a file to be written and
                                         {l} a ledger that holds it; its first word is the form that {o} has: text (standard
                                         output), html, markdown, csv, sheet (csv that is to hold no formula)
  markers.py --sheets FILE...    what is wrong with tables for spreadsheets that hold "mk": nothing where all is well
  markers.py --metrics FILE              what is wrong with metrics whose labels hold "mk": nothing where all is well
What is found is printed, a line each; status 1. The last line says how many strings and runs there were."""
import copy
import csv
import html.parser
import io
import json
import os
import re
import shlex
import subprocess
import sys

# letters that are found again, an escape of the terminal (7 and 8 bits), a tag, a cell's and a row's end, a formula
MARKER = "=mk\x1b]0;mk\x07\x9b2J\u202e<mk a='\"&|mk`mk](javascript:mk)\r\n| mk |\n# mk"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")


def strings(node, path=()):
    """The paths of all strings, and those of the keys that whoever wrote it chose."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from strings(value, path + (key,))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from strings(value, path + (index,))
    elif isinstance(node, str):
        yield path


def planted(record, path):
    record = copy.deepcopy(record)
    at = record
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = MARKER
    return record


def bad_text(text):
    text = re.sub("\x1b\\[[0-9;]*m", "", text)  # carbon's own colours are off; none is expected
    found = CONTROL.search(text)
    return found and f"{found.group()!r} in {text[max(0, found.start() - 40):found.end() + 20]!r}"


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.bad = None

    def handle_starttag(self, tag, attrs):
        if tag == "mk" or any("mk" in name for name, _ in attrs) or any(
                name in ("href", "src", "content", "style") and "mk" in (value or "") for name, value in attrs):
            self.bad = f"<{tag} {attrs}>"


def bad_html(text):
    tags = Tags()
    tags.feed(text)
    return tags.bad or bad_text(text)


def bad_markdown(text):
    for line in text.split("\n"):
        bare = re.sub(r"\\.|``.*?``|&[a-z#0-9]+;", "", line)
        if "<mk" in bare or "](java" in bare or line.startswith(("# mk", "| mk")) or (
                line.startswith("|") and not line.startswith("|-") and "|mk" in bare):
            return repr(line)
    return bad_text(text)


def bad_csv(text, safe):
    rows = list(csv.reader(io.StringIO(text), strict=True))
    if any(len(row) != len(rows[0]) for row in rows):
        return "rows are not all as long as the header"
    for row in rows if safe else ():
        for field in row:
            if field[:1] in "=+-@\t\r" and field and not re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", field):
                return repr(field)
    return None


def bad_json(text):
    decoder, at = json.JSONDecoder(strict=True), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            at = decoder.raw_decode(text, at)[1]
        except ValueError as wrong:
            return f"{wrong}: {text[at:at + 200]!r}"
    return None


def looked_at(form, text):
    return {"text": bad_text, "html": bad_html, "markdown": bad_markdown, "json": bad_json,
            "csv": lambda it: bad_csv(it, False), "sheet": lambda it: bad_csv(it, True)}[form](text)


def run(carbon, command, document, record, kept=None):
    """The record is planted; what this command shows of it, and what is wrong with that."""
    form, _, line = command.partition(" ")
    for name in ("written", "planted.db", "planted.db-wal", "planted.db-shm"):
        if os.path.exists(name):
            os.remove(name)
    with open("planted.json", "w") as out:
        json.dump(document, out)
    if "{l}" in line:
        kept = subprocess.run([carbon, "import", "--ledger", "planted.db", "planted.json"], capture_output=True)
        if kept.returncode:
            return kept.returncode, looked_at("text", kept.stderr.decode(errors="replace"))
    words = [word.format(r="planted.json", o="written", l="planted.db", id=record["id"]) for word in shlex.split(line)]
    done = subprocess.run([carbon] + words, capture_output=True, timeout=60)
    out = done.stdout.decode(errors="replace")
    texts = [("text", done.stderr.decode(errors="replace")), ("text" if "{o}" in line else form, out)]
    if os.path.exists("written"):
        texts.append((form, open("written", errors="replace", newline="").read()))
    for kind, text in texts:
        wrong = text and looked_at(kind, text)
        if wrong:
            return done.returncode, f"{kind}: {wrong}"
    return done.returncode, done.returncode < 0 and f"signal {-done.returncode}"


LABEL = r'[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"'


def metrics(path):
    text, shown = open(path, newline="").read(), 0
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("# EOF") or re.match("# (HELP|TYPE|UNIT) (carbon|process)_", line):
            continue
        if not re.fullmatch(r"(carbon|process)_[a-z_]+(\{%s(,%s)*\})? (NaN|[-+0-9.e]+)" % (LABEL, LABEL), line) or bad_text(line):
            print(repr(line))
        shown += "mk" in line
    if shown < 8:
        print(f"{shown} lines with a marker")


def sheets(paths):
    shown = 0
    for path in paths:
        try:
            text, wrong = open(path, newline="").read(), None
        except OSError as why:
            text, wrong = "", why
        wrong = wrong or bad_csv(text, True)
        shown += "mk" in text
        if wrong:
            print(f"{path}: {wrong}")
    if shown < len(paths) * 0.6:
        print(f"{shown} of {len(paths)} hold a marker")


def main():
    if sys.argv[1] == "--metrics":
        return metrics(sys.argv[2])
    if sys.argv[1] == "--sheets":
        return sheets(sys.argv[2:])
    carbon, record_path, *commands = sys.argv[1:]
    record = json.load(open(record_path))
    paths, seen = [], set()
    for path in strings(record):  # of a list of like items the first
        shape = tuple("*" if isinstance(key, int) and key else key for key in path)
        if shape not in seen:
            seen.add(shape)
            paths.append(path)
    bad, runs, refused, together = [], 0, 0, []
    for number, command in enumerate(commands):
        # all at once those that the first command takes; where this one refuses that, and for the first, each by itself:
        # what is said of a string that is refused counts, too
        taken = record
        for path in together:
            taken = planted(taken, path)
        status, wrong = run(carbon, command, taken, record)
        runs += 1
        if wrong:
            bad.append(f"{command}: all: {wrong}")
        if number and status in (0, 1, 3):
            continue
        for path in paths:
            status, wrong = run(carbon, command, planted(record, path), record)
            runs += 1
            refused += status != 0
            if wrong:
                bad.append(f"{command}: {'.'.join(map(str, path))}: {wrong}")
            elif not number and status == 0:
                together.append(path)
    print("\n".join(bad[:40]))
    print(f"{len(paths)} strings, {runs} runs, {refused} refused, {len(bad)} bad")
    return 1 if bad or runs < 2 * len(commands) else 0


if __name__ == "__main__":
    sys.exit(main())
