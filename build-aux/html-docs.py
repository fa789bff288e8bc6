#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents as plain HTML, for any static server: README, docs/*.md, the guides and the manual, in FOLDER.

    html-docs.py SOURCE FOLDER

cmark-gfm turns Markdown into HTML, mandoc the manual. The pages load nothing but each other."""
import html
import pathlib
import re
import subprocess
import sys

STYLE = """body { max-width: 50rem; margin: 1rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff }
pre, table { overflow-x: auto; display: block } pre { background: #f2f2f2; padding: .7rem }
code, pre { font: .9rem/1.4 ui-monospace, monospace } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0 }
a { color: #0b57a4 } nav { border-bottom: 1px solid #767676; padding-bottom: .4rem }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #161616 } pre { background: #262626 } a { color: #8ab8ff } }
"""


def run(*words, text=None):
    return subprocess.run(words, input=text, check=True, capture_output=True, text=True).stdout


def anchor(heading, used):
    """As GitHub makes it: lower case, blanks as hyphens, no punctuation; a number where there are several."""
    name = re.sub(r'[^\w\- ]', '', html.unescape(re.sub(r'<[^>]+>', '', heading)).lower()).replace(' ', '-')
    used[name] = used.get(name, -1) + 1
    return f'{name}-{used[name]}' if used[name] else name


def link(target):
    """Where a document's link leads among the pages; what has no page leads to nothing here."""
    if re.match(r'[a-z]+:|#', target):
        return target
    path, _, place = target.partition('#')
    path = re.sub(r'(^|/)README\.md$', r'\1index.html', path) if path in ('README.md', '../README.md', '../../README.md') else path
    path = re.sub(r'\.md$', '.html', path)
    path = re.sub(r'(\.[1-8])$', r'\1.html', path)
    return path + (f'#{place}' if place else '')


def page(title, body, to_root):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
            f'initial-scale=1"><title>{html.escape(title)}</title><link rel="stylesheet" href="{to_root}style.css"></head>\n'
            f'<body><nav><a href="{to_root}index.html">carbon</a> · <a href="{to_root}docs/CONTENTS.html">documents</a> · '
            f'<a href="{to_root}docs/man/carbon.1.html">manual</a></nav>\n<main>\n{body}</main></body></html>\n')


def of_markdown(source, path):
    body = run('cmark-gfm', '--extension', 'table', str(source / path))
    used = {}
    body = re.sub(r'<h([1-6])>(.*?)</h\1>', lambda found: f'<h{found[1]} id="{anchor(found[2], used)}">{found[2]}</h{found[1]}>', body)
    body = re.sub(r'href="([^"]*)"', lambda found: f'href="{link(found[1])}"', body)
    title = re.search(r'<h1[^>]*>(.*?)</h1>', body)
    return page(re.sub(r'<[^>]+>', '', title[1]) if title else path.stem, body, '../' * (len(path.parts) - 1))


def of_manual(source, path, pages):
    """A page whose references to others are links, where they are ours."""
    body = run('mandoc', '-T', 'html', '-O', 'fragment,man=%N.%S.html', str(source / path))
    to_root = '../' * (len(path.parts) - 1)

    def reference(found):
        target = pages.get(found[2])
        return f'<a{found[1]} href="{to_root}{target}.html"{found[3]}>{found[4]}</a>' if target else found[4]

    body = re.sub(r'<a([^>]*) href="([^"#]+)\.html"([^>]*)>(.*?)</a>', reference, body)
    return page(path.name, body, to_root)


def main():
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    documents = [pathlib.Path('README.md'), pathlib.Path('CONTRIBUTING.md'), pathlib.Path('data/emission_factors/README.md')]
    documents += [path.relative_to(source) for pattern in ('docs/*.md', 'docs/guides/*.md') for path in sorted(source.glob(pattern))]
    manual = [path.relative_to(source) for pattern in ('docs/*.[1-8]', 'docs/man/*.[1-8]') for path in sorted(source.glob(pattern))]
    pages = {path.name: str(path) for path in manual}
    for path in documents + manual:
        target = folder / ('index.html' if str(path) == 'README.md' else link(str(path)))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(of_markdown(source, path) if path.suffix == '.md' else of_manual(source, path, pages))
    (folder / 'style.css').write_text(STYLE)
    print(f'{len(documents)} documents and {len(manual)} pages of the manual in {folder}')


main()
