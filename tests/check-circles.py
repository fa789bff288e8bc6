#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No two files of C call each other, and no two modules include each other, directly or round a corner.

    check-circles.py SOURCE BUILD

Calls of functions count, by what the objects of the build define and want. A table that others fill or read (options,
commands, backends) is no call. A module is NAME.c with NAME.h; it includes another where one of the two includes that
one's header.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# The circles that there are, each with its reason. One that is gone has to be struck off.
CALLS_ALLOWED = {
    ("record_load.c", "record_load_hourly.c", "record_load_meter.c", "record_load_strides.c", "record_load_windows.c"):
        "one reader of a record over five files, with one way to refuse",
}
INCLUDES_ALLOWED = {}


def symbols_of(objects):
    """{file: (functions it defines, names it wants)}"""
    names = {path: name for name, path in objects.items()}
    found = {name: (set(), set()) for name in objects}
    if objects:
        told = subprocess.run(["nm", "-A", *names], capture_output=True, text=True, check=True).stdout
        for path, rest in (line.split(":", 1) for line in told.splitlines()):
            kind, word = rest.split()[-2:]
            if kind in "TU":
                found[names[path]][kind == "U"].add(word)
    return found


def objects_of(source, build):
    """The objects whose source is still there; what was left by a file that has moved is not looked at."""
    objects = {}
    for path in sorted(pathlib.Path(build, "src").glob("**/*.o")):
        name = str(path.relative_to(build).with_suffix(".c")).replace("/.libs/", "/")
        if pathlib.Path(source, name).is_file():
            objects[name] = str(path)
    return objects


def calls_of(symbols):
    home = {word: name for name, (defined, _) in symbols.items() for word in defined}
    return {name: {home[word] for word in wanted if home.get(word, name) != name}
            for name, (_, wanted) in symbols.items()}


def includes_of(source):
    """{module: the modules whose headers it includes}, by the path below src/ without its ending."""
    root = pathlib.Path(source, "src")
    found = {}
    for path in sorted(root.glob("**/*.[ch]")):
        name = str(path.relative_to(root).with_suffix(""))
        headers = re.findall(r'^\s*#\s*include\s*"(.+)\.h"', path.read_text(), re.MULTILINE)
        found.setdefault(name, set()).update(header for header in headers
                                             if header != name and (root / (header + ".h")).is_file())
    return {name: {other for other in others if other in found} for name, others in found.items()}


def reached_from(calls, start):
    seen, left = set(), [start]
    while left:
        for name in calls[left.pop()] - seen:
            seen.add(name)
            left.append(name)
    return seen


def circles_of(calls):
    reached = {name: reached_from(calls, name) for name in calls}
    return {frozenset(other for other in reached[name] if name in reached[other])
            for name in calls if name in reached[name]}


def planted_calls_are_found():
    """A circle of three is seen, and without its last call it is none."""
    texts = {"a": "void b(void); void a(void) { b(); }", "b": "void c(void); void b(void) { c(); }",
             "c": "void a(void); void c(void) { a(); }"}
    with tempfile.TemporaryDirectory() as folder:
        def circles():
            for name, text in texts.items():
                pathlib.Path(folder, name + ".c").write_text(text)
                subprocess.run([os.environ.get("CC", "cc").split()[-1], "-c", name + ".c"], cwd=folder, check=True)
            return circles_of(calls_of(symbols_of({name: folder + "/" + name + ".o" for name in texts})))

        closed = circles()
        texts["c"] = "void c(void) { }"
        return closed == {frozenset(texts)} and not circles()


def planted_includes_are_found():
    """The same of includes: by way of a header alone, and of a file with its header."""
    texts = {"r/a.h": '#include "r/b.h"', "r/b.h": "", "r/b.c": '#include "r/b.h"\n# include "r/c.h"',
             "r/c.h": '#include "r/a.h"'}
    with tempfile.TemporaryDirectory() as folder:
        def circles():
            for name, text in texts.items():
                path = pathlib.Path(folder, "src", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return circles_of(includes_of(folder))

        closed = circles()
        texts["r/c.h"] = ""
        return closed == {frozenset(("r/a", "r/b", "r/c"))} and not circles()


def wrong_with(circles, allowed, what):
    """What is found and not allowed, and what is allowed in vain, a line each."""
    found = {tuple(sorted(os.path.basename(name) for name in circle)) for circle in circles}
    return ([f"these {what} each other: {' '.join(names)}" for names in sorted(found) if names not in allowed] +
            [f"no circle of {what}s any more, strike it off: {' '.join(names)}" for names in allowed
             if names not in found])


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("srcdir", ".")
    build = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("abs_builddir", ".")
    if not planted_calls_are_found():
        sys.exit("a planted circle of calls is not found")
    if not planted_includes_are_found():
        sys.exit("a planted circle of includes is not found")
    includes = includes_of(source)
    if not any(includes.values()):
        sys.exit(f"no sources under '{source}/src'")
    wrong = wrong_with(circles_of(includes), INCLUDES_ALLOWED, "include")
    objects = objects_of(source, build)
    calls = calls_of(symbols_of(objects))
    if not any(calls.values()):
        sys.exit("\n".join(wrong + [f"no objects under '{build}/src'"]))
    wrong += wrong_with(circles_of(calls), CALLS_ALLOWED, "call")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(includes)} modules, {len(INCLUDES_ALLOWED)} circles of includes; "
          f"{len(objects)} objects, {len(CALLS_ALLOWED)} circles of calls, all of them known")


main()
