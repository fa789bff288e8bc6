#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of the manual: what the program's tables say, with what docs/man/parts has by hand.

    manual-pages.py CARBON PARTS FOLDER

A part is in mdoc, section by section. In its .Sh OPTIONS, `.It Fl -name , Fl -other` begins what is said of options beyond
their lines in the table: it stands at the first of them, and the others point to it. An option that the command does not
have is an error. DESCRIPTION and EXAMPLES follow what the table has; every other section is the part's own."""
import pathlib
import re
import subprocess
import sys

DATE = 'November 30, 2026'
ORDER = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'OUTPUT', 'ENVIRONMENT', 'FILES', 'EXIT STATUS', 'EXAMPLES', 'SEE ALSO',
         'SECURITY CONSIDERATIONS']




def by_sentence(text):
    """A line for each sentence, as mdoc wants it."""
    return '\n'.join(line if line.startswith('.') else re.sub(r'(?<=[a-z)"])\. (?=[A-Z])', '.\n', line) for line in text.split('\n'))


def said(carbon, *words):
    return by_sentence(subprocess.run([carbon, *words], check=True, capture_output=True, text=True).stdout)


def sections(lines):
    """{title: lines}, in their order; what stands before the first has the title ''."""
    found = {'': []}
    title = ''
    for line in lines:
        if line.startswith('.Sh '):
            title = line[4:]
            found.setdefault(title, [])
        elif not line.startswith('.\\"'):
            found[title].append(line)
    return found


def names(item):
    return list(dict.fromkeys(re.findall(r'Fl -([a-z][a-z_-]*)', item)))


def details(lines, page):
    """{option: (all the names of its item, lines)}"""
    found = {}
    item, depth = None, 0
    for line in lines:
        if depth == 0 and line.startswith('.It '):
            item = names(line)
            if not item:
                sys.exit(f'{page}: no option in {line!r}')
            for name in item:
                if name in found:
                    sys.exit(f'{page}: --{name} is described twice')
                found[name] = (item, [])
            continue
        depth += line.startswith('.Bl ') or line.startswith('.Bd ')
        depth -= line.startswith('.El') or line.startswith('.Ed')
        if item:
            found[item[0]][1].append(line)
        elif line:
            sys.exit(f'{page}: {line!r} is before the first option')
    return found


def options(made, more, page):
    out, pending, used = [], [], set()

    def close():
        out.extend(pending)
        pending.clear()

    for line in made:
        if line.startswith('.It ') or line.startswith('.El'):
            close()
        out.append(line)
        if not line.startswith('.It '):
            continue
        for name in names(line):
            if name not in more:
                continue
            item, text = more[name]
            used.add(name)
            if tuple(item) not in used:
                used.add(tuple(item))
                pending.extend(text)
            elif not any(other in item for other in names(line)[:names(line).index(name)]):
                pending.extend(['See', f'.Fl -{item[0]} .'])
    missing = set(more) - used
    if missing:
        sys.exit(f'{page}: the command has no option {", ".join(sorted(missing))}')
    return out


def head(name, section):
    return [f'.\\" SPDX-License-Identifier: MIT',
            f'.\\" Made by build-aux/manual-pages.py of the program\'s tables and docs/man/parts/{name}.{section}.mdoc: `make manual`.',
            f'.Dd {DATE}', f'.Dt {name.upper()} {section}', '.Os', '.Sh NAME', f'.Nm {name}']


def see_also(name, more):
    pages = {('carbon', '1'), ('carbon-config', '5'), ('carbon-output', '5')} - {(name, '1')}
    pages |= set(re.findall(r'^\.Xr (\S+) (\d)', '\n'.join(more), re.M))
    rest = [line for line in more if not line.startswith('.Xr ')]
    ordered = sorted(pages, key=lambda page: (page[1], page[0]))
    return [f'.Xr {page} {section}{"" if i + 1 == len(ordered) else " ,"}' for i, (page, section) in enumerate(ordered)] + rest


def assemble(name, section, own, first):
    """first: the sections made of the tables."""
    body = []
    titles = list(dict.fromkeys(list(first) + [title for title in own if title]))
    titles.sort(key=lambda title: ORDER.index(title) if title in ORDER else ORDER.index('FILES') + 0.5)
    for title in titles:
        if title == 'OPTIONS' and title in first:
            body += [f'.Sh {title}'] + options(first[title], details(own.get(title, []), name), name)
        elif title == 'SEE ALSO':
            body += [f'.Sh {title}'] + see_also(name, own.get(title, []))
        else:
            lines = first.get(title, []) + own.get(title, [])
            body += ([f'.Sh {title}'] if title != 'NAME' else []) + lines
    return '\n'.join(head(name, section) + body) + '\n'


def command_page(carbon, parts, command):
    name = f'carbon-{command}'
    part = parts / f'{name}.1.mdoc'
    own = sections(part.read_text().splitlines()) if part.exists() else {}
    made = sections(['.Sh NAME'] + said(carbon, 'help', '--man', command).splitlines())
    made.pop('')
    own.pop('', None)
    if own.get('DESCRIPTION') and made['DESCRIPTION']:
        made['DESCRIPTION'].append('.Pp')
    if own.get('EXAMPLES'):
        made.setdefault('EXAMPLES', []).append('.Pp')
    made['SEE ALSO'] = []
    return assemble(name, 1, own, made)


def metrics(carbon):
    out = ['.Bl -tag -width Ds']
    heads = subprocess.run([carbon, 'serve', '--list-metrics'], check=True, capture_output=True, text=True).stdout
    kinds = dict(re.findall(r'^# TYPE (\S+) (\S+)$', heads, re.M))
    for name, text in re.findall(r'^# HELP (\S+) (.*)$', heads, re.M):
        out += [f'.It Va {name} Pq {kinds[name]}', by_sentence(text.replace('\\', '\\e'))]
    return out + ['.El']


def otlp(carbon):
    """What each metric is called by OpenTelemetry, as (name, unit, kind, carbon's name)."""
    rows = subprocess.run([carbon, 'serve', '--list-metrics'], check=True, capture_output=True, text=True).stdout
    out = ['.Bl -tag -width Ds']
    for name, unit, kind, source in re.findall(r'^# OTLP (\S+) (\S+) (\S+) (\S+)$', rows, re.M):
        out += [f'.It Va {name} Pq {kind}, {unit}', source + '.']
    return out + ['.El']


def filled_page(carbon, parts, name, section):
    """A page by hand with lists from the tables where it says so."""
    lists = {'commands': lambda: said(carbon, 'help', '--man', 'commands').splitlines(),
             'settings': lambda: said(carbon, 'help', '--man', 'settings').splitlines(), 'metrics': lambda: metrics(carbon),
             'otlp': lambda: otlp(carbon)}
    out = []
    for line in (parts / f'{name}.{section}.mdoc').read_text().splitlines():
        filled = re.fullmatch(r'\.\\" TABLE (\w+)', line)
        if filled:
            out += lists[filled[1]]()
        elif not line.startswith('.\\"'):
            out.append(line)
    return '\n'.join(head(name, section) + out) + '\n'


def main():
    carbon, parts, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    commands = list(dict.fromkeys(line.split('\t')[0] for line in said(carbon, 'help', '--list-options').splitlines()))
    pages = {f'carbon-{command}.1': command_page(carbon, parts, command) for command in commands}
    filled = {'carbon': 1, 'carbon-config': 5, 'carbon-output': 5, 'carbon-metrics': 7}
    for name, section in filled.items():
        pages[f'{name}.{section}'] = filled_page(carbon, parts, name, section)
    stray = {part.stem for part in parts.glob('*.mdoc')} - set(pages)
    if stray:
        sys.exit(f'no page is made of {", ".join(sorted(stray))}')
    for name, text in pages.items():
        (folder / name).write_text(text)


main()
