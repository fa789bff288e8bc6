#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""damage.py CARBON FILE ... : tables and logs of CodeCarbon, each damaged in one line or written in another encoding, are
imported: every row that is whole is kept with its figures, every other is listed with its line, and no figure is made up."""
import csv, io, json, os, random, re, subprocess, sys, tempfile

carbon, files = sys.argv[1], sys.argv[2:]
chance, faults, tried = random.Random(int(os.environ.get("CARBON_SEED", "19"))), 0, 0
folder = tempfile.mkdtemp()
FIGURES = ("duration_s", "facility_kwh", "kgco2eq")


def take(data, name):
    """(figures by the row's own identity, lines listed, status)"""
    path, ledger = os.path.join(folder, name), os.path.join(folder, "ledger.db")
    for old in (ledger, ledger + "-wal", ledger + "-shm"):
        if os.path.exists(old):
            os.remove(old)
    open(path, "wb").write(data)
    run = subprocess.run([carbon, "import", "--date", "2026-11-28", "--ledger", ledger, path], capture_output=True)
    listed = {int(line) for line in re.findall(rb"line (\d+) left out", run.stderr)}
    listed |= {int(line) for line in re.findall(rb"line (\d+) cannot be read", run.stderr)}
    told = {}
    if run.returncode == 0 and os.path.exists(ledger):
        out = subprocess.run([carbon, "history", "--ledger", ledger, "export", "-"], capture_output=True, check=True).stdout
        for record in map(json.loads, out.splitlines()):
            row = record["row"]
            key = row.get("run_id"), row.get("timestamp"), record["told"]["duration_s"], record["told"]["facility_kwh"]
            told[key] = [record["told"][name] for name in FIGURES] + [record["imported_from"]["line"]]
    return told, listed, run.returncode, run.stderr.decode(errors="replace")


def wrong(path, how, why):
    global faults
    faults += 1
    print(f"{os.path.basename(path)}: {how}: {why}")


def same_rows(path, how, base, data, name):
    """Another way to write the same table: the same rows."""
    global tried
    tried += 1
    told, listed, status, said = take(data, name)
    if [value[:3] for value in told.values()] != [value[:3] for value in base.values()] or sorted(told) != sorted(base):
        wrong(path, how, f"{len(told)} of {len(base)} rows, status {status}: {said[:300]}")


def known(told, base, path, how):
    """Nothing that was not told before."""
    for key, value in told.items():
        if key not in base or base[key][:3] != value[:3]:
            wrong(path, how, f"made up {key} {value}")


def damaged(path, how, base, lines, at, name, rest=None):
    """Line at (from 1) is damaged: all other rows are there; it is listed, or its figures are those it had."""
    global tried
    tried += 1
    told, listed, status, said = take(b"".join(lines), name)
    known(told, base, path, f"{how} line {at}")
    lost = {value[3] for key, value in base.items() if key not in told}
    if not lost <= (rest or {at}):
        wrong(path, f"{how} line {at}", f"lines {sorted(lost)} are lost: {said[:300]}")
    if lost and at not in listed:
        wrong(path, f"{how} line {at}", f"not listed: {said[:300]}")


def rows_of(data):
    text = data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def written(rows, separator=",", comma=False, end="\n"):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=end)
    for row in rows:
        writer.writerow([field.replace(".", ",") if comma and re.fullmatch(r"-?\d+\.\d+(e[-+]?\d+)?", field) else field
                         for field in row])
    return out.getvalue().encode()


def of_table(path, data):
    base, listed, status, said = take(data, "t.csv")
    if not base:
        return
    rows = rows_of(data)
    text = data.decode("utf-8-sig")
    lines = [line.rstrip("\r\n").encode() + b"\n" for line in text.splitlines(True)]
    for how, other in (("BOM", b"\xef\xbb\xbf" + text.encode()), ("UTF-16LE", b"\xff\xfe" + text.encode("utf-16-le")),
                       ("UTF-16BE", b"\xfe\xff" + text.encode("utf-16-be")), ("UTF-16 without mark", text.encode("utf-16-le")),
                       ("CRLF", b"".join(line[:-1] + b"\r\n" for line in lines)),
                       ("CR", b"".join(line[:-1] + b"\r" for line in lines))):
        same_rows(path, how, base, other, "t.csv")
    if len({len(row) for row in rows if row}) == 1:
        width = len(rows[0])
        order = chance.sample(range(width), width)
        for how, other in (("semicolons", written(rows, ";")), ("tabs", written(rows, "\t")),
                           ("semicolons and decimal commas", written(rows, ";", True)),
                           ("tabs and decimal commas", written(rows, "\t", True)),
                           ("trailing commas", b"".join(line[:-1] + b",,\n" for line in lines)),
                           ("columns in another order", written([[row[i] for i in order] for row in rows])),
                           ("a column more", written([row + ["x" if i else "new_column"] for i, row in enumerate(rows)]))):
            same_rows(path, how, base, other, "t.csv")
    same_rows(path, "header twice", base, b"".join(lines[:2] + lines[:1] + lines[2:]), "t.csv")
    same_rows(path, "rows twice", base, b"".join(lines + lines[1:]), "t.csv")
    for _ in range(6):
        at = chance.randrange(1, len(lines))
        line = lines[at]
        cut = chance.randrange(1, len(line) - 1)
        torn = line[:cut] + b"\n"
        # a last number that has lost its last digits is a number
        whole = line[:-1].count(b",") == torn.count(b",") and line[:-1].rfind(b",") < cut
        if not whole:
            damaged(path, "torn", base, lines[:at] + [torn] + lines[at + 1:], at + 1, "t.csv")
            damaged(path, "torn, without its end", base, lines[:at] + [line[:cut]] + lines[at + 1:], at + 1, "t.csv",
                    {at + 1, at + 2})
        fields = rows_of(line)[0]
        place = chance.randrange(len(fields))
        left = written([fields[:place] + fields[place + 1:] + [""]])
        right = written([fields[:place] + [""] + fields[place:-1]])
        for how, shifted in (("shifted left", left), ("shifted right", right)):
            damaged(path, f"{how} at {place}", base, lines[:at] + [shifted] + lines[at + 1:], at + 1, "t.csv")
    torn_header(path, base, lines)
    for at in range(1, len(lines) - 1):
        same_rows_in_any_order(path, base, lines, at)


def torn_header(path, base, lines):
    """What its columns are can be told of rows whose width is that of a release; what is lost is listed."""
    global tried
    for cut in chance.sample(range(1, len(lines[0]) - 1), 6):
        tried += 1
        told, listed, status, said = take(lines[0][:cut] + b"\n" + b"".join(lines[1:]), "t.csv")
        for key, value in told.items():
            if not any(value[3] == other[3] and value[1] == other[1] for other in base.values()):
                wrong(path, f"header torn at {cut}", f"made up {key} {value}")
        if len(told) < len(base) and not listed:
            wrong(path, f"header torn at {cut}", f"{len(told)} of {len(base)} rows, and none listed: {said[:300]}")


def same_rows_in_any_order(path, base, lines, at):
    global tried
    tried += 1
    told = take(b"".join(lines[:at] + [lines[at + 1], lines[at]] + lines[at + 2:]), "t.csv")[0]
    known(told, base, path, f"lines {at + 1} and {at + 2} exchanged")
    if set(told) != set(base):
        wrong(path, f"lines {at + 1} and {at + 2} exchanged", f"{len(told)} of {len(base)} rows")


def total(told):
    return round(sum(value[1] for value in told.values()), 9)


def of_log(path, data):
    """A log's runs have no identity beyond what they tell: their energies are held against each other."""
    global tried
    base, listed, status, said = take(data, "l.log")
    text = data.decode("utf-8-sig")
    lines = [line.rstrip("\r\n").encode() + b"\n" for line in text.splitlines(True)]
    energies = lambda told: sorted(value[1] for value in told.values())
    ends = [i for i, line in enumerate(lines) if b"kWh of electricity" in line]
    for how, other in (("BOM", b"\xef\xbb\xbf" + text.encode()), ("UTF-16LE", b"\xff\xfe" + text.encode("utf-16-le")),
                       ("UTF-16BE", b"\xfe\xff" + text.encode("utf-16-be")), ("UTF-16 without mark", text.encode("utf-16-le")),
                       ("CRLF", b"".join(line[:-1] + b"\r\n" for line in lines))):
        tried += 1
        told = take(other, "l.log")[0]
        if energies(told) != energies(base):
            wrong(path, how, f"{energies(told)} for {energies(base)}")
    for at in range(len(lines)):
        tried += 3
        told = take(b"".join(lines[:at + 1] + lines[at:]), "l.log")[0]
        if energies(told) != energies(base):
            wrong(path, f"line {at + 1} doubled", f"{energies(told)} for {energies(base)}")
        cut = chance.randrange(1, max(2, len(lines[at]) - 1))
        told, listed, status, said = take(b"".join(lines[:at] + [lines[at][:cut] + b"\n"] + lines[at + 1:]), "l.log")
        figures = {round(float(number), 9) for number in re.findall(r"([0-9.]+) kWh of electricity", text)}
        if not {round(value[1], 9) for value in told.values()} <= figures:
            wrong(path, f"line {at + 1} torn at {cut}", f"made up {energies(told)}")
        if energies(told) != energies(base) and at + 1 not in listed and b"[setup]" not in lines[at] and told and \
                not lines[at][:cut].endswith(b"kWh"):
            wrong(path, f"line {at + 1} torn at {cut}", f"{energies(told)} for {energies(base)}, not listed: {said}")
        told = take(b"".join(lines[:at] + lines[at + 1:at + 2] + [lines[at]] + lines[at + 2:]), "l.log")[0]
        if total(told) > total(base):
            wrong(path, f"lines {at + 1} and {at + 2} exchanged", f"{total(told)} for {total(base)} kWh")


for path in files:
    data = open(path, "rb").read()
    if path.endswith(".log"):
        of_log(path, data)
    else:
        of_table(path, data)
print(f"{len(files)} files, {tried} ways, {faults} faults")
