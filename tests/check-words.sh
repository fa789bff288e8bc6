#!/bin/bash
# SPDX-License-Identifier: MIT
# Texts are in plain English: no banned construction and no text that was replaced is in a string, a comment, a document
# or a file of the package (scripts, service files, the Python package, benchmarks). tests/words.tsv holds the rules, and
# the files that are not covered yet; --update removes those that are clean.
set -u
exec /usr/bin/python3 -B - "${srcdir:-$(dirname "$0")/..}" "$@" << 'END'
import os, re, sys

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
BETWEEN = re.compile(r"(?:\s|\\\n|PRI[a-zA-Z0-9]+|/\*.*?\*/)*", re.S)
top = sys.argv[1]
table = os.path.join(top, "tests/words.tsv")
rows = [line.rstrip("\n").split("\t") for line in open(table, encoding="utf-8") if line[:1] not in "#\n"]
banned = [(re.compile(row[1]), row[2]) for row in rows if row[0] == "banned"]
quick = re.compile("|".join(row[1] for row in rows if row[0] == "banned"))
# In a comment or a document a word between backquotes, a member of a struct or a name with '_' is code.
CODE = re.compile(r"`[^`\n]*`|\b\w+\.\w+\b|\b\w+_\w+\b")
replaced = [row[1] for row in rows if row[0] == "replaced"]
# The texts that the guide of the language replaced, where it is at hand: the second cell of each row of its section 3.
guide = os.path.join(os.environ.get("CARBON_SHARED", ""), "reference/english.md")
if os.path.isfile(guide):
    section = open(guide, encoding="utf-8").read().split("\n## 3.")[1].split("\n## 4.")[0]
    cells = [re.split(r"(?<!\\)\|", line)[2] for line in section.splitlines() if line.startswith("|")]
    replaced += [old for cell in cells for old in re.findall(r"`([^`]+)`", cell) if old not in replaced]
kept = {(row[1], row[2]) for row in rows if row[0] == "kept"}
uncovered = {tuple(row[1:]) for row in rows if row[0] == "open"} # by name: a file may be moved


def pieces(text):
    """What of a C source is read: its strings, those in a row as one, and its comments."""
    strings, comments, end = [], [], None
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if token[0] == '"':
            if end is not None and BETWEEN.fullmatch(text, end, match.start()):
                strings[-1][1] += token[1:-1]
            else:
                strings.append([match.start(), token[1:-1]])
            end = match.end()
        elif token[0] == "/":
            comments.append([match.start(), re.sub(r"\n \* ?", "\n", token)])
        else:
            end = None
    return strings, comments


def files():
    for folder in ("src", "include", "docs", "README.md", "CONTRIBUTING.md", "python", "packaging", "bench", "examples",
                   "data", "build-aux", "completion", "quickstart", "configure.ac", "Makefile.am"):
        at = os.path.join(top, folder)
        found = [at] if os.path.isfile(at) else [os.path.join(way, name) for way, _, names in os.walk(at) for name in names]
        yield from sorted(os.path.relpath(path, top) for path in found)


def units():
    """Each file's texts by kind: (path, kind, the whole text, [[place, text]])."""
    for path in files():
        if path.endswith((".c", ".h")):
            whole = open(os.path.join(top, path), encoding="utf-8").read()
            strings, comments = pieces(whole)
            yield path, "strings", whole, strings
            yield path, "comments", whole, comments
        elif path.endswith((".md", ".1", ".3", ".5", ".7")):
            whole = open(os.path.join(top, path), encoding="utf-8").read()
            yield path, "document", whole, [[0, whole]]
        elif not path.startswith("docs/") and not path.startswith("src/") and os.path.isfile(os.path.join(top, path)):
            # Scripts, service files, charts: read as a whole. Files of autotools and tables of publishers are not carbon's text.
            if os.path.basename(path) in AUTOTOOLS or path.endswith(".csv"):
                continue
            try:
                whole = open(os.path.join(top, path), encoding="utf-8").read()
            except UnicodeDecodeError:
                continue
            yield path, "file", whole, [[0, whole]]


AUTOTOOLS = {"ltmain.sh", "missing", "depcomp", "config.sub", "config.guess", "compile", "install-sh", "ar-lib", "test-driver"}
PLANTED = """/* It is told. */ const char *a = "it " /* here */ PRIu64\n "is told"; // so much\nchar c = '"'; f("beside");"""
assert [text for _, text in pieces(PLANTED)[0]] == ["it is told", "beside"] and len(pieces(PLANTED)[1]) == 3
assert quick.search("it is told") and not quick.search("it is not")
violations, clean, dirty, seen = 0, set(), set(), set()
for path, kind, whole, texts in units():
    found = []
    if (path, "*") in kept:
        seen.add((path, "*"))
        continue
    for place, text in texts:
        known = [words for of, words in kept if of == path and words in text]
        seen.update((path, words) for words in known)
        for words in known:
            text = text.replace(words, "")
        if kind != "strings":
            text = CODE.sub(lambda code: " " * len(code.group(0)), text)
        if quick.search(text):
            found += [(place + at.start() if kind != "strings" else place, at.group(0).strip(), instead)
                      for rule, instead in banned for at in rule.finditer(text)]
        if kind == "strings":
            found += [(place, old, "another text has replaced it") for old in replaced
                      if (old in text if len(old) > 14 else old == text)]
    name = os.path.basename(path)
    if (kind, name) in uncovered:
        (dirty if found else clean).add((kind, name))
        seen.add((kind, name))
        continue
    for place, words, instead in sorted(found):
        violations += 1
        print(f"{path}:{whole.count(chr(10), 0, place) + 1}: '{words}': {instead}")
clean -= dirty # files of one name are one row
gone = [row for row in rows if row[0] in ("open", "kept") and tuple(row[1:]) not in seen]
if "--update" in sys.argv:
    lines = open(table, encoding="utf-8").readlines()
    drop = {"\t".join(["open", *row]) for row in clean} | {"\t".join(row) for row in gone if row[0] == "open"}
    open(table, "w", encoding="utf-8").writelines(line for line in lines if line.rstrip("\n") not in drop)
    gone, clean = [row for row in gone if row[0] == "kept"], set()
for row in gone:
    violations += 1
    print(f"tests/words.tsv: {' '.join(row)}: names nothing")
for kind, path in sorted(clean):
    violations += 1
    print(f"tests/words.tsv: {path}: its {kind} are clean: tests/check-words.sh --update")
sys.exit(1 if violations else 0)
END
