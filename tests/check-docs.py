#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command line and every Python block of README and docs/*.md is run; an output that is shown is compared.

    check-docs.py [-v]      srcdir, abs_builddir: the tree and the build

Each document has a folder of its own with the files that its lines name, and its lines are run in their order, quicker (fewer runs,
no baseline). A line must succeed. What needs a server, an engine, a cluster or rights must be understood: it may fail, but not for
its usage. Measured figures differ each time: of a shown answer the labels, words and units count, not the numbers."""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

source = pathlib.Path(os.environ.get('srcdir', pathlib.Path(__file__).parent.parent)).resolve()
build = pathlib.Path(os.environ.get('abs_builddir', source / 'build')).resolve()
verbose = '-v' in sys.argv
faults = []

# What this machine may not have. A line that matches has to be understood, and no more.
NEEDS = re.compile(
    r'--container|--run [a-z]|--engine|--pod |--cgroup|--live [a-z]|https?://|postgresql:|^sbatch|--scope machine|--pid \d|'
    r'carbon model (?!--recipe)|carbon calibrate|carbon slurm \d|/var/lib/carbon|--like|carbon when (?!.*--intensities)|debian:')
# Whose tables have command lines; others mention commands.
FOR_USERS = {'README.md', 'QUICKSTART.md', 'FAQ.md'}
# Lines of other programs, and of an administrator.
OTHERS = re.compile(r'^(\./quickstart|sudo (?!carbon)|cp /usr|systemctl|docker|kubectl|pip|apt-get)')
USAGE = re.compile(r'^ +try: |^carbon: (unknown (command|option)|--\S+ needs)|not one of|cannot be combined|does not take', re.M)
# A line whose status is not 0 by its nature.
STATUS = [(re.compile(r'carbon indicator .*--compare'), {0, 3}), (re.compile(r'carbon when '), {0, 1})]


def fault(document, line, text):
    faults.append(f'{document}: {line}\n    ' + text.strip().replace('\n', '\n    '))


def blocks(text):
    """(language, lines) of each fenced block; of indented ones as 'indented'."""
    fenced = re.compile(r'^```(\w*)\n(.*?)^```$', re.M | re.S)
    for match in fenced.finditer(text):
        yield match.start(), match[1], match[2].split('\n')[:-1]
    rest = fenced.sub(lambda match: re.sub(r'[^\n]', ' ', match[0]), text)
    for match in re.finditer(r'(?:^    \S.*\n)+', rest, re.M):
        yield match.start(), 'indented', [line[4:] for line in match[0].split('\n')[:-1]]


def of_table(text):
    """Commands in a table's cells: `carbon …`."""
    return [(row.start() + match.start(), match[1]) for row in re.finditer(r'^\|.*\|$', text, re.M)
            for match in re.finditer(r'`(carbon [^`]+)`', row[0])]


def lines_of(block):
    """Whole command lines: those that go on after a backslash are joined, comments fall away."""
    whole = ''
    for line in block:
        whole += line + '\n'
        if not line.endswith('\\'):
            yield re.sub(r'\s{2,}#.*', '', whole.rstrip('\n'))
            whole = ''


def quicker(line):
    line = line.replace('seq 999999', 'seq 9999')
    line = re.sub(r'(--runs|--loops|--repeat) \d+', r'\1 2', line)
    line = re.sub(r'--baseline \d+', '--baseline 0.1', line)
    line = re.sub(r'--for \d+\w+', '--for 0.1s', line) if 'prometheus' not in line else line
    line = re.sub(r'carbon probe', 'carbon probe --anyway --time 0.1 --runs 1', line)
    line = re.sub(r'carbon compare (?!.*\.json)', 'carbon compare --runs 2 --warmup 0 ', line) if '--runs' not in line else line
    line = re.sub(r'--sizes [\d,]+', '--sizes 1,2', line)
    line = re.sub(r'^sudo (-E )?carbon', 'carbon', line)
    line = re.sub(r'^srun \S+ carbon', 'carbon', line)
    line = re.sub(r'(carbon slurm --sacct .*) 4711$', r'\1 700', line)
    return re.sub(r'--count \d+', '--count 1', line)


def free_port():
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        return found.getsockname()[1]


class Place:
    """A folder with the files that documents name."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        binaries = self.folder / 'bin'
        binaries.mkdir()
        (binaries / 'carbon').symlink_to(os.environ.get('CARBON', build / 'carbon'))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(('CARBON_', 'XDG_', 'SLURM_'))}
        self.environment |= {'PATH': f'{binaries}:{self.environment["PATH"]}', 'HOME': str(self.folder), 'LC_ALL': 'C.UTF-8',
                             'XDG_CONFIG_HOME': str(self.folder / 'config'), 'CARBON_DATA': str(source / 'data'), 'COLUMNS': '100',
                             'CARBON_BASELINE': '0', 'CARBON_LIVE_TIMEOUT': '1', 'PYTHONPATH': str(source / 'python'),
                             'CARBON_LIBRARY': str(build / '.libs/libcarbon.so.1'), 'PYTHONDONTWRITEBYTECODE': '1'}
        self.work = self.folder / 'work'
        self.work.mkdir()
        self.served = None
        self.fill()

    def write(self, name, text, mode=0o644):
        path = self.work / name
        path.write_text(text)
        path.chmod(mode)

    def fill(self):
        busy = '#!/bin/sh\ni=0\nwhile [ $i -lt 20000 ]; do i=$((i + 1)); done\necho "step: solve" >&2\n'
        for name in ('job', 'test', 'job-old', 'job-new'):
            self.write(name, busy, 0o755)
        self.write('matmul.py', '#!/bin/sh\n' + busy.split('\n', 1)[1].replace('echo "step: solve" >&2', '') + "echo '" + json.dumps(
            {'name': 'matmul', 'component': 'cpu', '@parameters': {'n': 100}, '@result': {'gflops': 1.5}}) + "'\n", 0o755)
        self.write('big', ''.join(f'{i}\n' for i in range(20000)))
        self.write('emissions.csv', 'timestamp,project_name,run_id,duration,emissions,energy_consumed\n'
                   '2026-03-01T12:00:00,thesis,run,60,0.001,0.01\n')
        shutil.copy(source / 'tests/slurm/measured.txt', self.work / 'accounts.txt')
        metrics = '# TYPE kepler_node_cpu_joules_total counter\nkepler_node_cpu_joules_total{zone="package",path="/sys"} %d\n'
        self.write('before.prom', metrics % 1000)
        self.write('after.prom', metrics % 1600)
        self.write('mine.yaml', 'name: mine\nexample: [sh, -c, "seq {n} > {input}"]\nrun: [sh, -c, "cat {input} > {output}"]\n')
        self.run('./matmul.py > output.json')
        for name in ('run', 'baseline'):
            self.run(f'carbon measure --zone FR --baseline 0.1 --runs 2 --json {name}.json -- ./job')
        self.run('carbon measure --project thesis -- ./job')
        for node in ('n1', 'n2'):
            self.run(f'SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2 SLURMD_NODENAME={node} carbon measure --json run-{node}.json -- ./job')
        self.run('carbon indicator --baseline 0.1 --runs 2 --json base.json -- ./matmul.py')

    def run(self, line, wait_s=180):
        try:
            done = subprocess.run(['bash', '-c', line], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=wait_s)
            return done.returncode, done.stdout.decode(errors='replace')
        except subprocess.TimeoutExpired as expired:
            return 124, (expired.stdout or b'').decode(errors='replace')

    def serve(self, line):
        """A line that ends with & goes on until the document ends."""
        self.port = free_port()
        self.served = subprocess.Popen(['bash', '-c', f'exec {line.rstrip("& ")} --listen 127.0.0.1:{self.port}'], cwd=self.work,
                                       env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 30
        while time.monotonic() < limit and self.served.poll() is None:
            with socket.socket() as asked:
                if asked.connect_ex(('127.0.0.1', self.port)) == 0:
                    return 0, ''
            time.sleep(0.05)
        return 1, 'it does not listen'

    def close(self):
        if self.served:
            self.served.terminate()
            self.served.wait()


def check_line(place, document, line):
    """Runs a command line; its output, or None where it is not carbon's or need not succeed."""
    if OTHERS.match(line) or not line.strip() or line.startswith('#'):
        return None
    real = quicker(line)
    if real.endswith('&'):
        status, said = place.serve(real)
    elif place.served and real.startswith('curl'):
        status, said = place.run('set -o pipefail; ' + real.replace('28283', str(place.port)))
    elif re.match(r'carbon serve', real):
        status, said = place.run(f'timeout 1 {real} --listen 127.0.0.1:{free_port()}')
        status = 0 if status == 124 else status
    else:
        status, said = place.run(real)
    allowed = next((statuses for pattern, statuses in STATUS if pattern.search(line)), {0})
    if verbose:
        print(f'{document}: {line}: status {status}')
    if NEEDS.search(line) and status not in allowed:
        if USAGE.search(said):
            fault(document, line, said)
        return None
    if status not in allowed:
        fault(document, line, f'status {status}\n{said}')
    return said


def skeleton(text):
    """The words of an answer: numbers and their units count as one thing, each."""
    text = re.sub(r'[-−±]?\d[\d.,]*( ?(%|[µmkMG]?(J|W|s|g|Wh|B|gCO2eq|kgCO2eq)\b|[KMG]iB))?(/kWh)?', '#', text)
    return re.sub(r'(# ?)+', '# ', text).split()


def same(shown, said):
    """Each shown line begins like one of the answer, in the same order, but for notes and hints, which come and go."""
    labels = [line.split()[0] for line in shown if re.match(r'^  [a-z]+ ', line)]
    found = [line.split()[0] for line in said.split('\n') if re.match(r'^  [a-z]+ ', line)]
    fixed = [label for label in labels if label not in ('notes', 'hint')]
    if [label for label in found if label not in ('notes', 'hint')] != fixed:
        return f'it has the lines {found}, and {labels} are shown'
    first = skeleton(shown[0])[:1]
    if skeleton(said)[:1] != first:
        return f'it begins with {skeleton(said)[:1]}, not {first}'
    words = {word for line in shown if re.match(r'^  (energy|carbon)', line) for word in skeleton(line)}
    lost = [word for word in words if word.strip('(),;') not in said and '#' not in word]
    return f'it does not have {lost}' if lost else None


def check_console(place, document, block):
    shown = {}
    for line in block:
        if line.startswith('$ '):
            shown[line[2:]] = current = []
        else:
            current.append(line)
    for line, lines in shown.items():
        # The answer that is shown is a model's, whatever this machine has.
        said = check_line(place, document, line.replace('carbon measure', 'carbon measure --source model'))
        exact = not re.match(r'carbon (measure|compare)', line)
        if said is None or not lines:
            continue
        wrong = None if exact and said.strip() == '\n'.join(lines).strip() else ('it differs' if exact else same(lines, said))
        if wrong:
            fault(document, line, f'{wrong}:\n{said}')


def check_python(place, document, block):
    (place.work / 'block.py').write_text('\n'.join(block) + '\n')
    status, said = place.run(f'{sys.executable} block.py')
    if status != 0:
        fault(document, 'a block of Python', said)


def check_document(path):
    text = path.read_text()
    document = str(path.relative_to(source))
    todo = [(at, 'block', language, block) for at, language, block in blocks(text)]
    if path.name in FOR_USERS or path.parent.name == 'guides':
        todo += [(at, 'line', None, line) for at, line in of_table(text)]
    todo = [item for item in sorted(todo, key=lambda item: item[0]) if item[1] == 'line' or item[2] in ('sh', 'console', 'python') or
            item[2] == 'indented' and any(re.match(r'(printf|date|carbon|curl|\./)', line) for line in item[3])]
    count = 0
    if not todo:
        return 0
    with tempfile.TemporaryDirectory(prefix='carbon-docs.') as folder:
        place = Place(folder)
        for _, kind, language, block in todo:
            if kind == 'line':
                check_line(place, document, block)
                count += 1
            elif language == 'console':
                check_console(place, document, block)
                count += sum(line.startswith('$ ') for line in block)
            elif language == 'python':
                check_python(place, document, block)
                count += 1
            else:
                for line in lines_of(block):
                    check_line(place, document, line)
                    count += 1
        place.close()
    return count


def main():
    documents = [source / 'README.md', *sorted((source / 'docs').glob('*.md')), *sorted((source / 'docs/guides').glob('*.md'))]
    if len((source / 'README.md').read_text().splitlines()) > 120:
        faults.append('README.md has more than 120 lines')
    only = [word for word in sys.argv[1:] if not word.startswith('-')]
    counts = {path: check_document(path) for path in documents if not only or path.name in only}
    print('\n'.join(faults))
    print(f'{sum(counts.values())} command lines of {len(counts)} documents: {len(faults)} faults')
    return 1 if faults else 0


sys.exit(main())
