#!/bin/bash
# SPDX-License-Identifier: MIT
# In whatever locale the host is: libcarbon in C and in Python, and the program, give the same figures in German, French
# and Turkish ('i' has another capital) as in the C locale, and leave the host's locale as it is.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

python=/usr/bin/python3
locales='de_DE fr_FR tr_TR'
command -v localedef > /dev/null || skip "no 'localedef'"
mkdir locales
for name in $locales; do
    localedef -i "$name" -f UTF-8 "locales/$name.UTF-8" 2> said || skip "no locale can be made: $(tail -n 1 said) (Debian: locales)"
done
export LOCPATH=$PWD/locales

# in_locale NAME COMMAND...
in_locale() {
    local name=$1
    shift
    LC_ALL=$name.UTF-8 "$@"
}

zone tree 262143328850 1000000
cat > tree/proc/stat << 'END'
cpu  100 0 100 1000 0 0 0 0 0 0
cpu0 100 0 100 1000 0 0 0 0 0 0
END
sed -i 's/^model name.*/model name\t: Intel(R) Core(TM) i5-8350U CPU @ 1.70GHz/' tree/proc/cpuinfo

LC_ALL=C "$helpers/host" tree > host 2>&1
check_match 'C: 2.5 J in the C locale' '^2\.500 J, powercap: 0\.[0-9]* kgCO2eq/kWh, PUE 1\.00, FI, powercap$' "$(cat host)"
for name in $locales; do
    in_locale "$name" "$helpers/host" tree > host.here 2>&1
    check "C: opens under $name" 0 $?
    check "C: $name" "$(sed 's/\([0-9]\)\.\([0-9]\)/\1,\2/g' host)" "$(cat host.here)"
done

if [ -x "$python" ] && [ -e "$builddir/.libs/libcarbon.so.1" ] && ! grep -qE '__(asan|tsan)_init' "$builddir/.libs/libcarbon.so.1"; then
    export CARBON_LIBRARY=$builddir/.libs/libcarbon.so.1 PYTHONPATH=$source/python:$source/tests/python PYTHONDONTWRITEBYTECODE=1
    cat > test.py << 'END'
import locale
import unittest
locale.setlocale(locale.LC_ALL, "")
from test_measure import *

class Host(unittest.TestCase):
    def test_has_its_locale(self):
        self.assertEqual(locale.localeconv()["decimal_point"], ",")

unittest.main(verbosity=0)
END
    for name in $locales; do
        in_locale "$name" timeout 300 "$python" test.py > said 2>&1
        check "Python: the tests under $name" 0 $? || cat said
    done
else
    echo 'not tested in Python: no libcarbon that it can load'
fi

# The program knows no locale; a library that it loads may have entered one.
preload=$helpers/.libs/in_locale.so
if grep -qE '__(asan|tsan)_init' "$carbon" || [ ! -e "$preload" ]; then
    echo 'not tested in a process with a locale: nothing can be preloaded'
    finish
fi
printf '%s\n' timestamp,project_name,run_id,duration,emissions,energy_consumed,country_iso_code,pue \
    2024-05-31T10:00:10,p,a,10.5,0.00125,0.0125,FRA,1.25 2024-05-31T10:00:20,p,a,20,0.004,0.03,ITA,1.25 > emissions.csv
mkdir -p "$HOME/.config/carbon"
printf '[measure]\nbaseline = 0.5\npue = 1.25\nzone = fi\n' > "$HOME/.config/carbon/config"
# A command a line: the text that is read or written in it depends on a locale if anything does.
cat > commands << 'END'
estimate --energy 1.3kWh --zone fi --year 2024 --pue 1.25
estimate --energy 1.3kWh --zone fi --year 2024 --json -
estimate --energy 1,3kWh --zone FI
estimate --cpu "INTEL CORE I5-8350U" --load 0.5 --hours 1.5 --zone it --year 2024 --csv -
factors fi --json -
factors ITALY
factors --clouds "paris"
factors --compare fi
factors --search "IDAHO"
import --dry-run emissions.csv
sources --root tree --json -
measure --root tree --no-ledger --source nothing -- true
measure --phase "[" -- true
config measure
END
answers() {
    local line words
    while IFS= read -r line; do
        eval "words=($line)"
        echo "== $line"
        "$carbon" "${words[@]}" < /dev/null 2>&1
        echo "status $?"
    done < commands | sed '/created_at/d; /imported_at/d; /^carbon.estimate/s/20[0-9-]*T[0-9:.]*Z/now/'
}
LC_ALL=C answers > c.out
check_match 'the commands have answers' '1\.300 kWh × PUE 1\.25 × 66\.63 gCO2eq/kWh' "$(cat c.out)"
for name in $locales; do
    check "the program in a $name process" '' "$(LC_ALL=$name.UTF-8 LD_PRELOAD=$preload answers 2>&1 | diff c.out -)"
    check "and with $name in its environment" '' "$(LC_ALL=$name.UTF-8 answers 2>&1 | diff c.out -)"
done

# A record of the one kind is read as one of the other is.
check 'a record written in a German process' 0 \
    "$(LC_ALL=de_DE.UTF-8 LD_PRELOAD=$preload "$carbon" measure --root tree --source powercap --no-ledger --baseline 0 --zone FI --pue 1.25 \
        --json record.json --csv record.csv --samples samples.csv -- true > said 2>&1; echo $?)" || cat said
check 'its numbers are of JSON' 1.25 "$(json record.json "r['pue']['value']")" || cat record.json
check 'and keeps to its schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" record.json > said 2>&1; echo $?)" || cat said
check 'is verified in a Turkish one' "$("$carbon" verify record.json 2>&1)" \
    "$(LC_ALL=tr_TR.UTF-8 LD_PRELOAD=$preload "$carbon" verify record.json 2>&1)"
check 'a row has as many fields as columns' 1 "$(awk -F, '{print NF}' samples.csv | sort -u | wc -l)"
finish
