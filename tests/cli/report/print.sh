#!/bin/bash
# SPDX-License-Identifier: MIT
# The page of a report as a PDF: printed by a browser, as whoever hands it in prints it, by the page's own print style.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

command -v chromium > /dev/null || skip 'no browser (Debian: chromium)'
python3 -c 'import ctypes; ctypes.CDLL("libsqlite3.so.0")' || skip 'no libsqlite3.so.0'

for month in 01 03 11; do
    "$carbon" estimate --ledger year.db --keep --at "2024-$month-10" --power 1"$month" --hours 400 --zone FR --project "p$month" > out 2>&1
done
"$carbon" report --verbose --ledger year.db --year 2024 --boundary own --html year.html > out 2>&1
check 'the page' 0 $?
HOME=$work/home timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-pdf-header-footer \
    --user-data-dir="$work/profile" --print-to-pdf="$PWD/year.pdf" "file://$PWD/year.html" > chromium.log 2>&1 ||
    { tail -n 3 chromium.log; skip 'the browser does not start here'; }
check 'a PDF' '%PDF-' "$(head -c 5 year.pdf)"
pages=$(grep -a -c '/Type /Page$' year.pdf)
check 'some pages' yes "$([ "$pages" -ge 2 ] && [ "$pages" -le 12 ] && echo yes || echo "$pages")"
check 'each is A4' "$pages" "$(grep -a -o '/MediaBox \[0 0 59[45][.0-9]* 84[12][.0-9]*\]' year.pdf | wc -l)"
check 'its title' 1 "$(grep -a -c '/Title' year.pdf)"
finish
