#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Lays a recorded machine out as a running one shows it.
"""lay_tree.py TREE DEST [--nested]

TREE has sys/ and proc/; its zones are plain directories in sys/class/powercap. DEST must not exist.

--nested  as the kernel lays it out: zones lie in one another under sys/devices/virtual/powercap and
          PMUs under sys/devices, and the class and bus directories hold links to them.

modes.tsv (path, mode, owner:group) is applied. Who is not root owns the files, and gets of each what others
have of it. Prints the path of DEST.
"""
import os
import shutil
import sys

NOT_OF_THE_MACHINE = shutil.ignore_patterns("MACHINE.md", "expected.json", "modes.tsv", ".keep-empty-dir")


def real_directories(folder):
    if not os.path.isdir(folder):
        return []
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    return [path for path in paths if os.path.isdir(path) and not os.path.islink(path)]


def restore_links(folder):
    """A link may have been stored as a file that holds its target."""
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, encoding="utf-8") as file:
                target = file.read().strip()
            if target.startswith("../"):
                os.remove(path)
                os.symlink(target, path)


def link_to(target, path):
    os.symlink(os.path.relpath(target, os.path.dirname(path)), path)


def move_and_link(path, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.rename(path, target)
    link_to(target, path)
    link_to(os.path.dirname(path), os.path.join(target, "subsystem"))


def nest_zones(sys_dir):
    """intel-rapl:0:1 goes to intel-rapl/intel-rapl:0/intel-rapl:0:1, and knows its parent as `device`."""
    devices = os.path.join(sys_dir, "devices/virtual/powercap")
    for path in sorted(real_directories(os.path.join(sys_dir, "class/powercap")), key=lambda path: path.count(":")):
        parts = os.path.basename(path).split(":")
        chain = [":".join(parts[: length + 1]) for length in range(len(parts))]
        target = os.path.join(devices, *chain)
        move_and_link(path, target)
        if len(chain) > 1:
            link_to(os.path.dirname(target), os.path.join(target, "device"))


def nest_pmus(sys_dir):
    for path in real_directories(os.path.join(sys_dir, "bus/event_source/devices")):
        move_and_link(path, os.path.join(sys_dir, "devices", os.path.basename(path)))


def apply_modes(tree, dest):
    if not os.path.exists(os.path.join(tree, "modes.tsv")):
        return
    with open(os.path.join(tree, "modes.tsv"), encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#") or not line.strip():
                continue
            path, mode, owner = line.rstrip("\n").split("\t")[:3]
            path = os.path.join(dest, path)
            if not os.path.exists(path):
                continue
            bits = int(mode, 8)
            if os.geteuid() == 0:
                shutil.chown(path, *owner.split(":"))
            else:
                bits = bits & 0o7 | (bits & 0o7) << 6
            os.chmod(path, bits)


def lay_tree(tree, dest, nested):
    shutil.copytree(tree, dest, symlinks=True, ignore=NOT_OF_THE_MACHINE)
    for folder, _, names in os.walk(dest):
        os.chmod(folder, 0o755)
        for name in names:
            if not os.path.islink(os.path.join(folder, name)):
                os.chmod(os.path.join(folder, name), 0o644)
    restore_links(os.path.join(dest, "sys/class/powercap"))
    if nested:
        nest_zones(os.path.join(dest, "sys"))
        nest_pmus(os.path.join(dest, "sys"))
    apply_modes(tree, dest)


def main(arguments):
    if len(arguments) not in (2, 3) or (len(arguments) == 3 and arguments[2] != "--nested"):
        sys.exit(__doc__)
    lay_tree(arguments[0], arguments[1], len(arguments) == 3)
    print(arguments[1])


if __name__ == "__main__":
    main(sys.argv[1:])
