#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No two files of C call each other, directly or round a corner: what the objects of the build define and want.

    check-circles.py SOURCE BUILD

Calls of functions count. A table that others fill or read (options, commands, backends) is no call.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

# The circles that there are, each with its reason. One that is gone has to be struck off.
ALLOWED = {
    ("html_energy.c", "html_hours.c", "html_job.c", "html_record.c"):
        "a page and its sections, which write paragraphs as the page does",
    ("idle.c", "measurement.c", "share.c", "summary.c"):
        "the idle of a window is that of its neighbours, which are found in the measurement",
    ("rebuild.c", "rebuild_hourly.c", "rebuild_meter.c", "rebuild_windows.c"):
        "one reader of a record over four files, with one way to refuse",
    ("workload.c", "workload_step.c"):
        "one loop over two files",
}


def symbols_of(objects):
    """{file: (functions it defines, names it wants)}"""
    found = {}
    for name, path in objects.items():
        lines = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines()
        marks = [line.split()[-2:] for line in lines]
        found[name] = ({word for kind, word in marks if kind == "T"}, {word for kind, word in marks if kind == "U"})
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


def planted_is_found():
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


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("srcdir", ".")
    build = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("abs_builddir", ".")
    if not planted_is_found():
        sys.exit("a planted circle is not found")
    objects = objects_of(source, build)
    calls = calls_of(symbols_of(objects))
    if not any(calls.values()):
        sys.exit(f"no objects under '{build}/src'")
    found = {tuple(sorted(os.path.basename(name) for name in circle)): circle for circle in circles_of(calls)}
    wrong = [f"these call each other: {' '.join(names)}" for names in sorted(found) if names not in ALLOWED]
    wrong += [f"no circle any more, strike it off: {' '.join(names)}" for names in ALLOWED if names not in found]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(objects)} objects, {len(found)} circles, all of them known")


main()
