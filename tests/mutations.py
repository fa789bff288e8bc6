# SPDX-License-Identifier: MIT
"""The places of a C file where one small fault can be made, for mutants.py to draw from.

Left out is what no test of a value could tell: texts, comments, preprocessor, declarations of sizes, loops' heads
(reading behind an array is the sanitizers' to find), initial zeroes, and comparisons of which both sides come to the
same where they are equal (least, most, order), or which keep a cast within its range. So are a larger constant in a size
of memory (more than is needed), or where a search in order is halved (any place between its ends finds the same), and
bounds that are never met: by the moment that the clock tells, in nanoseconds, and by descriptor 0, which main opens
before anything else.
"""
import re
from dataclasses import dataclass

# The arithmetic: where a wrong figure would come from. By name where they have moved.
FILES = [
    "src/meter/counter.c", "src/meter/meter.c", "src/measurement/statistics.c", "src/measurement/summary.c",
    "src/measurement/measurement.c", "src/measurement/power.c", "src/measurement/cpu_share.c", "src/meter/scope.c",
    "src/measurement/noise.c", "src/commands/probe/power_breakdown.c", "src/measurement/phase_summary.c", "src/grid/hourly.c",
    "src/emissions/footprint.c", "src/emissions/embodied.c", "src/emissions/duty.c", "src/emissions/sci.c",
    "src/ledger/contribution.c", "src/commands/slurm/merge.c", "src/gate/gate.c", "src/result/record_csv.c", "src/result/run_fields.c",
    "src/commands/pipeline/pipeline_report.c", "src/result/stored/stored_record.c", "src/result/by_hour.c", "src/commands/report/annual_sum.c",
    "src/commands/report/annual_change.c", "src/series/increase.c", "src/series/kind_figures.c", "src/series/workload_rows.c", "src/base/units.c",
    "src/base/text.c", "src/energy/powercap.c", "src/ledger/row.c", "src/commands/pipeline/pipeline_requests.c",
]
SUFFIX = re.compile(r"_(j|s|w|ns|uj|kwh|kgco2eq|bytes)$")
NOT_HERE = re.compile(r"assert|< 1e\d|failed|notice_|error_|text_add|printf|fputs|sizeof|for \(|static const|^#|\bcase\b|calloc")
# Room for more than is needed, and where a search in order is halved: figures that change nothing.
FREE = re.compile(r"\bmalloc\(|\? 2 \* |\bmiddle = ")
# Never equal to what they are compared with.
NEVER_MET = re.compile(r"\bnow_ns\b|\bfd [<>]=? 0\b")
# Two figures of these can be equal; measured watts and seconds never are.
WHOLE = re.compile(r"_(uj|ns)\b|count|nodes|tasks|records|digits|size|\bruns\b")
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*",
         "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/="}


@dataclass(frozen=True)
class Mutant:
    source: str
    line: int
    old: str
    new: str
    text: str
    kind: str = "planted"


def blanked(text):
    """The same text with comments, strings, characters and preprocessor lines as spaces."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S | re.M)


def siblings(headers):
    """By member, the other members of its structs that are of the same unit and type."""
    found = {}
    for path in headers:
        with open(path, encoding="utf-8") as file:
            text = blanked(file.read())
        for body in re.findall(r"struct \w+ \{(.*?)\n\}", text, re.S):
            groups = {}
            for kind, names in re.findall(r"((?:const |struct |unsigned )*\w+) ([\w, ]+);", body):
                for name in names.split(","):
                    unit = SUFFIX.search(name.strip())
                    if unit:
                        groups.setdefault((kind, unit.group()), []).append(name.strip())
            for names in groups.values():
                for name in names:
                    found.setdefault(name, set()).update(set(names) - {name})
    return {name: sorted(others) for name, others in found.items() if others}


def same_where_equal(line):
    """The lesser, the greater, an order of two, or what one is above the other."""
    return re.search(r"\? -1 :|\(x > y\)", line) or re.search(
        r"([\w>.*()\[\]-]+) [<>]=? ([\w>.*()\[\]-]+) \? (?:\1 : \2|\2 : \1|\1 - \2 : 0)", line)


def keeps_extreme(line, after):
    """if (a > b) b = a: the most so far, the same where they are equal."""
    kept = re.match(r"\s+([\w>.\[\]-]+) = ", after)
    return kept and re.search(r"[<>]=? " + re.escape(kept.group(1)) + r"\)+$|\(" + re.escape(kept.group(1)) + r" [<>]",
                              line)


def changes(line, members):
    """(kind, column, old, new) of everything that may be changed in this line."""
    found = []
    for token in re.finditer(r"(?<= )(<=?|>=?|==|!=|[-+*/]=?|&&|\|\|)(?= )", line):
        old = token.group()
        if old in SWAPS and not (old[0] in "<>" and (same_where_equal(line) or NEVER_MET.search(line))):
            kind = "boundary" if old[0] in "<>" else "operator"
            if kind == "boundary" and not WHOLE.search(line[:token.start()].split("(")[-1] + line[token.end():]):
                continue
            if not (old == "*" and re.match(r"\s*(const |static |struct )", line)):  # a pointer's declaration
                found.append((kind, token.start(), old, SWAPS[old]))
    for token in re.finditer(r"(?<=[-+*/<>=] )(\d+)(?=[ ;)])|(?<![\w.])(\d+)(?= [-+*/<>])", line):
        old = token.group()
        if not (re.search(r"(^|[^=!<>])= 0;", line) or FREE.search(line) or
                re.search(r"\bfd [<>]=? $", line[:token.start()])):
            found.append(("constant", token.start(), old, str(int(old) + 1)))
    for token in re.finditer(r"(?<=->|[\w\])]\.)[a-z]\w*", line):
        for other in members.get(token.group(), []):
            found.append(("member", token.start(), token.group(), other))
    whole = re.fullmatch(r"\s+([\w>.\[\]-]+ [-+*|]?= (?!0;|NULL;|NAN;|false;).*;)\s*", line)
    if whole:
        found.append(("statement", whole.start(1), whole.group(1), ""))
    return found


def places(path, text, members):
    """Every mutant of this file."""
    mutants, at, statement = [], 0, ""
    lines = blanked(text).splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        bare, begin, ended = line.rstrip("\n"), at, re.search(r"[;{}]\s*$", statement)
        statement = line if ended or not bare.startswith(" ") else statement + line
        at += len(line)
        if not bare.startswith(" ") or NOT_HERE.search(statement):
            continue
        if re.search(r"[<>]", bare) and keeps_extreme(bare, "".join(lines[number:number + 1])):
            continue
        for kind, column, old, new in changes(bare, members):
            where = begin + column
            old = text[where:where + len(old)]
            # a body without braces must keep a statement
            changed = text[:where] + (new or ";") + text[where + len(old):]
            mutants.append(Mutant(path, number, old, new, changed, kind))
    return mutants
