#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No link of the documents leads nowhere: neither in the Markdown, nor in the HTML made of it (where cmark-gfm and mandoc are).

    check-links.py    srcdir: the tree. Links to other hosts are not followed."""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(os.environ.get('srcdir', pathlib.Path(__file__).parent.parent)).resolve()
faults = []


def is_outside(target):
    return re.match(r'(https?|mailto):', target) is not None


def check_markdown():
    count = 0
    for path in [source / 'README.md', source / 'CONTRIBUTING.md', *(source / 'docs').rglob('*.md')]:
        text = re.sub(r'^```.*?^```$', '', path.read_text(), flags=re.M | re.S)
        for target in re.findall(r'\]\(([^)\s]+)\)', text):
            count += 1
            if not is_outside(target) and not (path.parent / (target.partition('#')[0] or path.name)).exists():
                faults.append(f'{path.relative_to(source)}: no {target}')
    return count


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == 'id':
                self.places.add(value)
            if name in ('href', 'src'):
                self.links.append(value)


def check_pages(folder):
    pages = {path.resolve(): Page(path) for path in folder.rglob('*.html')}
    count = 0
    for path, page in pages.items():
        for target in page.links:
            count += 1
            if is_outside(target):
                continue
            name, _, place = target.partition('#')
            other = (path.parent / name).resolve() if name else path
            if not other.is_file():
                faults.append(f'{path.relative_to(folder.resolve())}: no {target}')
            elif place and place not in pages[other].places:
                faults.append(f'{path.relative_to(folder.resolve())}: no place {target}')
    return count


def check_html():
    if not shutil.which('cmark-gfm') or not shutil.which('mandoc'):
        print('the pages are not checked: no cmark-gfm or no mandoc')
        return 0
    with tempfile.TemporaryDirectory(prefix='carbon-html.') as folder:
        subprocess.run([sys.executable, '-B', source / 'build-aux/html-docs.py', source, folder], check=True, stdout=subprocess.DEVNULL)
        count = check_pages(pathlib.Path(folder))
        before = len(faults)
        # A planted link that leads nowhere is found.
        (pathlib.Path(folder) / 'planted.html').write_text('<a href="index.html#nowhere"></a><a href="gone.html"></a>')
        check_pages(pathlib.Path(folder))
        planted = [fault for fault in faults[before:] if fault.startswith('planted.html')]
        del faults[before:]
        if len(planted) != 2:
            faults.append('links that lead nowhere are not found')
        return count


counts = check_markdown(), check_html()
print('\n'.join(faults))
print(f'{counts[0]} links of Markdown, {counts[1]} of HTML: {len(faults)} faults')
sys.exit(1 if faults else 0)
