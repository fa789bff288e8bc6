#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names and comments of the program: eight rules, and how often each file still breaks one of them.

    check-names.py [SOURCE]           the rules, and tests/names.tsv
    check-names.py --update [SOURCE]  writes tests/names.tsv anew, where a count has become smaller

tests/names.tsv has rule, file and count of the breaches there are: no count may grow, and a file that is not listed has
none. docs/glossary.md says which word is meant for what.
"""
import collections
import pathlib
import re
import sys
import tempfile

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\.?\d[\w.+]*|\S', re.S)
BANNED = "told|beside|kin|aside|accounts?|contests?|past|kept|stands_in"
BANNED_IDENTIFIER = re.compile(r"(?i)(?:^|_)(?:%s)(?:_|$)" % BANNED)
BANNED_COMMENT = re.compile(r"(?i)\b(?:told|beside|kin|aside|contest|kept|stands? in)\b")
BARE_VERBS = "take|tell|keep|show|refuse|find|fill|ask"
CONSTANTS = re.compile(r"(?:86400|3600|1024|1e6|1e9|1000000|1000000000)(?:\.0)?[uUlL]*")
RULES = {
    1: "a comment under 30 letters begins with its subject, not with of, that, it, by, in, as, likewise or so",
    2: "a word that has a term in docs/glossary.md: told, beside, kin, aside, account, contest, past, kept, stands in",
    3: "a member is called as its key, but for the unit of a time",
    4: "min and max, not least and most",
    5: "a static function is verb and object: not take, tell, keep, show, refuse, find, fill or ask alone",
    6: "a type has one definition in the program, and a base name stands once",
    7: "a header opens with three sentences: what for, who uses it, where to begin",
    8: "a constant stands beside what it is made of: 86400, 3600, 1024, 1e6 and 1e9 are named",
}


def tokens_of(text):
    return [match.group(0) for match in TOKEN.finditer(text)]


def plain(comment):
    """The text of a comment on one line."""
    return " ".join(re.sub(r"\n[ \t]*\*", "\n", comment[2:-2]).split())


def is_comment(token):
    return token.startswith("/*")


def short_comments(text):
    return sum(1 for token in tokens_of(text) if is_comment(token) and len(plain(token)) < 30 and
               re.match(r"(?i)(?:of|that|it|by|in|as|likewise|so)\b", plain(token)))


def banned_words(text):
    """Identifiers that have such a word, each once; and comments by the number of these words."""
    tokens = tokens_of(re.sub(r"(?m)^[ \t]*#[ \t]*include.*", "", text))
    names = {token for token in tokens if BANNED_IDENTIFIER.search(token) and re.fullmatch(r"\w+", token)}
    return len(names) + sum(len(BANNED_COMMENT.findall(plain(token))) for token in tokens if is_comment(token))


def is_other_key(kind, key, member):
    """A time is kept in nanoseconds, and its key says seconds or a time of day. A member of a struct may say its part of the
    key: market.kgco2eq is market_kgco2eq."""
    name = member.split(".")[-1]
    if kind in ("SECONDS", "TIME"):
        key, name = re.sub(r"_(?:s|at)$", "", key), re.sub(r"(?:_realtime)?_ns$", "", name)
    return key not in (name, member.replace(".", "_"))


def other_keys(text):
    """Fields whose key is given and is not how their member ends."""
    found = re.findall(r'\bFIELD_([A-Z0-9]+)_AS\(\s*"(\w+)",\s*(?:(?:const )?(?:struct|enum) \w+(?: \*)?,\s*)?([a-z_][\w.]*)',
                       text)
    return sum(1 for field in found if is_other_key(*field))


def least_and_most(text):
    names = {token for token in tokens_of(text) if re.fullmatch(r"\w+", token)}
    return sum(1 for name in names if re.search(r"(?i)(?:^|_)(?:least|most)(?:_|$)", name) and
               not re.search(r"(?i)(?:^|_)at_(?:least|most)(?:_|$)", name))


def bare_verbs(text):
    return len(set(re.findall(r"(?m)^static [\w *]*[ *](%s)\(" % BARE_VERBS, text)))


def opening(text):
    match = re.match(r"/\* SPDX[^\n]*\n(.*?)\*/", text, re.S)
    return plain("/*" + match.group(1) + "*/") if match else ""


def opens_badly(text):
    said = re.sub(r"^\* ", "", opening(text))
    return int(len(re.findall(r"[.:?](?:\s|$)", said)) < 3 or not re.search(r"\bBegin\b", said))


def bare_constants(text):
    """Those that stand neither in a definition nor in a table of units."""
    code = re.sub(r'(?m)^[ \t]*#[ \t]*define(?:.*\\\n)*.*|\benum \w*\s*\{[^}]*\}', "", text)
    return sum(1 for token in tokens_of(code) if CONSTANTS.fullmatch(token))


def types_of(text):
    return set(re.findall(r"(?m)^(?:static |const )*(?:struct|enum|union) ([a-z_]\w*)(?: \{|$)", text))


def breaches(source):
    """{(rule, file): how many}"""
    found = collections.Counter()
    types, bases = collections.defaultdict(set), collections.defaultdict(set)
    for path in sorted(source.glob("src/**/*.[ch]")):
        name, text = str(path.relative_to(source)), path.read_text(encoding="utf-8")
        for rule, count in ((1, short_comments), (2, banned_words), (3, other_keys), (4, least_and_most), (5, bare_verbs),
                            (8, bare_constants)):
            found[rule, name] += count(text)
        if path.suffix == ".h":
            found[7, name] += opens_badly(text)
        for kind in types_of(text):
            types[kind].add(name)
        bases[path.name].add(name)
    for places in (*types.values(), *bases.values()):
        for name in places if len(places) > 1 else ():
            found[6, name] += 1
    return +found


def read_known(path):
    known = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        if not line.startswith("#"):
            rule, name, count = line.split("\t")
            known[int(rule), name] = int(count)
    return known


def write_known(path, found):
    lines = ["# How often each file still breaks a rule of tests/check-names.py: rule, file, count. Only shrinks.\n"]
    lines += ["%d\t%s\t%d\n" % (rule, name, count) for (rule, name), count in sorted(found.items())]
    path.write_text("".join(lines))


def rules_have_teeth():
    """Each breach that is planted is found, and what is right is not."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder)
        (source / "src/a").mkdir(parents=True)
        (source / "src/b").mkdir()
        header = "/* SPDX-License-Identifier: MIT\n * What it is. Who uses it. %s\n */\n"
        (source / "src/a/one.h").write_text(header % "Begin with one_open." + "struct one {\n    int a; /* of it */\n};\n")
        (source / "src/a/two.h").write_text(header % "No more.")
        (source / "src/b/two.h").write_text(header % "Begin here." + 'int told_w; /* kept beside */ int at_least, most_w;\n')
        (source / "src/b/c.c").write_text("#define DAY_S 86400\nstruct one {\n    int a;\n};\nstatic int take(void)\n{\n"
                                          "    return 3600 * DAY_S;\n}\n"
                                          'FIELD_NUMBER_AS("a", b, "") FIELD_NUMBER_AS("a", of.a, "")\n'
                                          'FIELD_SECONDS_AS("c_s", c_ns, "") FIELD_TIME_AS("d_at", of.d_realtime_ns, "")\n'
                                          'FIELD_NUMBER_AS("e_w", e.w, "") FIELD_NUMBER_AS("f_s", f_ns, "")\n')
        expected = {(1, "src/a/one.h"): 1, (2, "src/b/two.h"): 3, (3, "src/b/c.c"): 2, (4, "src/b/two.h"): 1,
                    (5, "src/b/c.c"): 1, (6, "src/a/one.h"): 1, (6, "src/b/c.c"): 1, (6, "src/a/two.h"): 1,
                    (6, "src/b/two.h"): 1, (7, "src/a/two.h"): 1, (8, "src/b/c.c"): 1}
        found = dict(breaches(source))
        if found != expected:
            sys.exit("of what was planted this was found: %s" % sorted(found.items()))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    source = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    rules_have_teeth()
    found, path = breaches(source), source / "tests/names.tsv"
    if not found and not list(source.glob("src/**/*.c")):
        sys.exit("no source files found")
    known = read_known(path)
    grown = {key: count for key, count in found.items() if count > known.get(key, 0)}
    if "--update" in sys.argv:
        write_known(path, found)
        return
    for (rule, name), count in sorted(grown.items()):
        print("%s: %d times, %d known: %s" % (name, count, known.get((rule, name), 0), RULES[rule]))
    sums = collections.Counter()
    for (rule, _), count in found.items():
        sums[rule] += count
    print("breaches by rule: %s" % ", ".join("%d: %d" % (rule, sums[rule]) for rule in RULES))
    sys.exit(1 if grown else 0)


main()
