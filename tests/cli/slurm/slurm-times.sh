#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon slurm and the times of sacct, in whatever form SLURM_TIME_FORMAT had them: read right, or said to be unread.
. "$(dirname "$0")/../lib.sh"
export TZ=CET-1CEST,M3.5.0,M10.5.0/3

slurm() { "$carbon" slurm --json s.json --intensity 100 "$@" > out 2> err; }
said() { json s.json "$1"; }
starts() { said "' '.join(str(j['started_at']) for j in r['jobs'])"; }
noticed() { said "sum(bool(__import__('re').search(r'$1', '%s %s %s' % (n['what'], n['why'], n['fix']))) for n in r['notices'])"; }
# list FORM NOW START LENGTH...: what sacct prints of jobs from these local times on ("2026-11-28 20:13:05") of so many seconds;
# a form "relative" is that of Slurm's parse_time.c, on the day NOW.
list() {
    /usr/bin/python3 - "$@" << 'PYTHON' > a.txt
import os, sys, time
form, now = sys.argv[1:3]
today = time.strptime(now, "%Y-%m-%d")
def number(t):
    return 1000 * t.tm_year + t.tm_yday - 1
def text(s):
    t = time.localtime(s)
    away = number(t) - number(today)
    use = form if form != "relative" else "%H:%M:%S" if away == 0 else "Ystday %H:%M" if away == -1 else "%-d %b %Y" if \
        abs(away) > 365 else "%-d %b %H:%M"
    return time.strftime(use, t)
print("JobID|State|Start|End|ElapsedRaw|NCPUS|ConsumedEnergyRaw")
for i in range(3, len(sys.argv), 2):
    start = time.mktime(time.strptime(sys.argv[i], "%Y-%m-%d %H:%M:%S"))
    length = int(sys.argv[i + 1])
    print(f"{i // 2}|COMPLETED|{text(start)}|{text(start + length)}|{length}|4|{200 * length}")
print("99|PENDING|Unknown|Unknown|0|4|")
PYTHON
}
jobs=('2026-07-03 20:13:05' 3600 '2026-11-28 09:00:00' 90000 '2026-02-01 00:00:30' 60)
right='2026-07-03T18:13:05.000Z 2026-11-28T08:00:00.000Z 2026-01-31T23:00:30.000Z None'
minutes='2026-07-03T18:13:00.000Z 2026-11-28T08:00:00.000Z 2026-01-31T23:00:00.000Z None'

# Each form that one can read.
for form in %FT%T '%F %T' %s '%Y/%m/%d %H:%M:%S' '%d.%m.%Y %H:%M:%S' '%d.%m.%y %T' '%d/%m/%Y %T' '%m/%d/%Y %T' '%D %T' '%m/%d/%y-%T' \
    %Y%m%dT%H%M%S %Y%m%d-%H%M%S '%d %b %Y %H:%M:%S' '%d %b %Y %I:%M:%S %p' '%b %d %Y %T' '%a %d %b %Y %T' '%a %b %e %T %Y' %c \
    '%T %d/%m/%Y' '%FT%T%z' '%a, %d %b %Y %T %z' '%F %T %Z' '%d-%b-%Y %T' '%Y-%j %T' '%b %d, %Y %T' %Y-%m-%d_%H.%M.%S; do
    list "$form" 2026-11-30 "${jobs[@]}"
    slurm --sacct a.txt
    check "$form" "$right" "$(starts)"
    check "$form: nothing unread" 0 "$(noticed 'cannot be read')"
done
for form in '%F %H:%M' '%d.%m.%Y %H:%M' '%m/%d/%Y %I:%M %p' '%d %b %Y %H:%M'; do
    list "$form" 2026-11-30 "${jobs[@]}"
    slurm --sacct a.txt
    check "$form: to the minute" "$minutes" "$(starts)"
done
list '%m/%d/%Y %T' 2026-11-30 "${jobs[@]}"
slurm --sacct a.txt
check 'the form is said' 1 "$(noticed "times of sacct read as .%m/%d/%Y %H:%M:%S.")"
list %FT%T 2026-11-30 "${jobs[@]}"
slurm --sacct a.txt
check "that of Slurm's own needs no word" 0 "$(noticed 'times of sacct')"

# What two forms read differently is read by neither, unless the jobs' lengths tell.
list '%m/%d/%Y %T' 2026-11-30 '2026-03-04 10:00:00' 60 '2026-05-06 10:00:00' 60
slurm --sacct a.txt
check 'month or day: unread' 'None None None' "$(starts)"
check 'month or day: said' 2 "$(noticed "cannot be read.*.%d/%m/%Y %H:%M:%S. or .%m/%d/%Y %H:%M:%S..*SLURM_TIME_FORMAT=%s sacct")"
list '%m/%d/%Y %T' 2026-11-30 '2026-03-04 23:59:30' 60
slurm --sacct a.txt
check 'over midnight: unread, too' None "$(starts | cut -d ' ' -f 1)"
list '%m/%d/%Y %T' 2026-11-30 '2026-03-31 23:59:30' 60
slurm --sacct a.txt
check 'over the end of a month' 2026-03-31T21:59:30.000Z "$(starts | cut -d ' ' -f 1)"
list '%m/%d/%Y %T' 2026-11-30 '2026-03-04 10:00:00' 172800
slurm --sacct a.txt
check 'two days are not two months: as long as it took, or longer' None "$(starts | cut -d ' ' -f 1)"

# What sacct has cut to the width of its field is not taken for whole: seconds of one digit, half days without their half.
printf 'JobID|State|Start|End|ElapsedRaw|NCPUS\n1|COMPLETED|%s|%s|600|4\n' '30 Nov 2026 12:35:3' '30 Nov 2026 12:45:3' > a.txt
slurm --sacct a.txt
check 'cut seconds' None "$(starts)"
check_match 'cut seconds: said' 'sacct prints 19 characters of a time' "$(tr -s '\n ' ' ' < err)"
printf 'JobID|State|Start|End|ElapsedRaw|NCPUS\n1|COMPLETED|%s|%s|600|4\n' '11/30/2026 08:35:36' '11/30/2026 08:45:36' > a.txt
slurm --sacct a.txt
check 'morning or evening' 'None 1' "$(starts) $(noticed "or .%m/%d/%Y %I:%M:%S.")"
printf 'JobID|State|Start|End|ElapsedRaw|NCPUS\n1|COMPLETED|%s|%s|7200|4\n' '11/30/2026 11:35:36' '11/30/2026 13:35:36' > a.txt
slurm --sacct a.txt
check 'a day of 24 hours' 2026-11-30T10:35:36.000Z "$(starts)"
printf 'JobID|State|Start|End|ElapsedRaw|NCPUS\n1|COMPLETED|%s|%s|7200|4\n' '####################' '####################' > a.txt
slurm --sacct a.txt
check_match 'number signs' 'sacct prints 19 characters of a time' "$(tr -s '\n ' ' ' < err)"

# No date, no time of day, no form at all: said.
for form in %T '%d %b %H:%M' %F '%d.%m.' 'week %V' '%A %T'; do
    list "$form" 2026-11-30 "${jobs[@]}"
    slurm --sacct a.txt
    check "$form: unread" 'None None None None' "$(starts)"
    check "$form: said" 3 "$(noticed 'start of job .* cannot be read')"
    check_match "$form: what can be done" 'hint: .*SLURM_TIME_FORMAT=%s sacct' "$(cat err)"
done

# Relative ones need the day.
list relative 2026-11-29 '2026-11-29 20:13:05' 60 '2026-11-28 09:00:00' 90000 '2026-02-01 00:00:30' 60 '2025-12-31 10:00:00' 60
slurm --sacct a.txt
check 'relative: unread' 'None None None None None' "$(starts)"
check_match 'relative: said' 'relative to the day on which sacct was run' "$(cat err)"
check_match 'relative: how' 'hint: --date 2026-11-30, that day' "$(cat err)"
slurm --sacct a.txt --date 2026-11-29
check 'relative: read' '2026-11-29T19:13:05.000Z 2026-11-28T08:00:00.000Z 2026-01-31T23:00:00.000Z None None' "$(starts)"
check 'a day of last year has no time of day' 1 "$(noticed "the start of job 4 cannot be read.*31 Dec 2025")"
out=$("$carbon" slurm --sacct a.txt --date 29.11.2026 2>&1)
check 'no day' 125 $?
check_match 'no day: how it is written' 'fix: carbon slurm .*--date 2026-11-28' "$out"

# The hour that is there twice is told by its zone.
printf 'JobID|State|Start|End|ElapsedRaw|NCPUS\n1|COMPLETED|%s|%s|600|4\n2|COMPLETED|%s|%s|600|4\n' \
    '2026-10-25 02:10:00 CEST' '2026-10-25 02:20:00 CEST' '2026-10-25 02:10:00 CET' '2026-10-25 02:20:00 CET' > a.txt
slurm --sacct a.txt
check 'both nights' '2026-10-25T00:10:00.000Z 2026-10-25T01:10:00.000Z' "$(starts)"
finish
