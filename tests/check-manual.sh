#!/bin/bash
# SPDX-License-Identifier: MIT
# The manual and the program say the same: its pages are those that the program's tables make, they are well-formed, and
# every example in them is understood by the program.
#
#   check-manual.sh SOURCE BUILD
set -u
source=$(cd "${1:-${srcdir:-.}}" && pwd)
carbon=${CARBON:-$(cd "${2:-${abs_builddir:-.}}" && pwd)/carbon}
pages=$source/docs/man
work=$(mktemp -d "${TMPDIR:-/tmp}/carbon-manual.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
CARBON_DATA=${CARBON_DATA:-$source/data} HOME=$work
XDG_CONFIG_HOME=$work/config # root's profile would be the machine's, /etc/carbon/profile.csv
export CARBON_DATA HOME XDG_CONFIG_HOME
unset XDG_DATA_HOME CARBON_LEDGER SUDO_UID
failures=0

fail() {
    printf '%s\n' "$@"
    failures=$((failures + 1))
}

# compare WHAT PROGRAM MANUAL: two sorted files.
compare() {
    local missing extra
    [ -s "$2" ] || fail "the program names no $1"
    missing=$(comm -23 "$2" "$3" | tr '\n' ' ')
    extra=$(comm -13 "$2" "$3" | tr '\n' ' ')
    [ -z "$missing" ] || fail "not in the manual: $1 $missing"
    [ -z "$extra" ] || fail "in the manual, but not in the program: $1 $extra"
}

"$carbon" help --list-options > "$work/list" || fail "'carbon help --list-options' failed"
cut -f 1 "$work/list" | sort -u > "$work/commands"
mkdir "$work/made"
python3 "$source/build-aux/manual-pages.py" "$carbon" "$pages/parts" "$work/made" || fail 'the pages cannot be made'
for page in "$work/made"/* "$pages"/*.[1-8]; do
    name=$(basename "$page")
    diff "$pages/$name" "$work/made/$name" || fail "docs/man/$name is not what the tables make: make manual"
    grep -q "%D%/man/$name" "$source/docs/local.mk" || fail "docs/local.mk does not install man/$name"
done
# An option, an alias or a command that the tables have is on its page.
while IFS=$'\t' read -r command option; do
    grep -qE "^\.It .*Fl -${option#--}( |$)" "$pages/carbon-$command.1" || fail "carbon-$command(1) has no $option"
done < "$work/list"
sed -nE 's/^ *\[NOTICE_.*= "(.+)",/\1/p' "$source/src/base/notice_kind.c" | sort -u > "$work/kinds"
sed -nE '/^\.Ss Kinds of notices/,/^\.El/s/^\.It Va //p' "$pages/carbon-output.5" | sort -u > "$work/manual-kinds"
[ -s "$work/kinds" ] || fail 'no kind of notice is found in the source'
compare 'kinds of notices' "$work/kinds" "$work/manual-kinds"

# What the helps name as units stands in the manual's list of them.
while read -r command; do
    "$carbon" help --all "$command"
done < "$work/commands" | sed -n '/^Units /,/^$/p' | grep '^ ' | sed -E 's/^ <[^>]*>//' | grep -oE '[A-Za-z0-9%/]+' |
    grep -v '^or$' | sort -u > "$work/units"
sed -nE '/^\.Ss Units/,/^\.Sh/p' "$pages/carbon.1" | sed -nE '/^\.It Sy/{n;s/\([^)]*\)|[;:].*|, or .*//g;p}' |
    grep -oE '[A-Za-z0-9%/]+' | sort -u > "$work/manual-units"
compare units "$work/units" "$work/manual-units"

# What is said of the fields is made of the program's tables.
"$source/build-aux/fields-page.sh" "$carbon" > "$work/fields" || fail "'carbon help --fields all' failed"
diff "$source/docs/carbon-fields.5" "$work/fields" || fail 'docs/carbon-fields.5 is not what the program says: make fields'

if command -v mandoc > /dev/null; then
    for file in "$source"/docs/*.[1-8] "$pages"/*.[1-8]; do
        said=$(mandoc -T lint -W warning "$file") || fail "mandoc: $said"
    done
else
    echo "the pages' form is not checked: no mandoc"
fi

# Each example is run, its job replaced by `true`: what counts is whether it is understood.
for page in "$pages"/*.[1-8]; do
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh [^E]/p' "$page"
done |
    sed -nE 's/^\.(Dl|D1|Li|Ql) //; s/\\-/-/g; s/\\&//g; s/\\e/\\/g; s/\\\(aq/\x27/g; s/^[$#] //; s/^sudo //; /^([A-Z_]+=[^ ]+ )*carbon /p' \
        > "$work/examples"
[ -s "$work/examples" ] || fail 'the manual shows no example'
mkdir "$work/in" "$work/bin"
ln -s "$carbon" "$work/bin/carbon"
while IFS= read -r example; do
    # a comparison needs two commands, or one with its parameter
    line=$(sed -E 's/^(carbon compare .*--parameter ([a-z]+) .*) -- .*/\1 -- "true {\2}"/; t done
        s/^(carbon compare.*) -- .* -- .*/\1 -- true -- true/; t done
        s/ -- .*/ -- true/; s/ (\||>) .*//
        :done
        s/(--(baseline|warmup)[ =])[0-9.]+/\10/
        s/(--runs[ =])[0-9]+/\11/; s/(--time[ =])[0-9.]+/\10.1/
        /--time/! s/^carbon probe/& --time 0.1/; /--runs/! s/^carbon probe/& --runs 1/
        s/^carbon (probe|calibrate)$/& --anyway/; s/^carbon calibrate/& --time 0.1 --runs 3/; s/--for [0-9]+s/--for 1s/' <<< "$example")
    [[ $line =~ ^carbon\ (serve|top|sources\ --watch$) ]] && limit_s=1 || limit_s=60
    said=$(cd "$work/in" && export PATH="$work/bin:$PATH" CARBON_BASELINE=0 CARBON_LIVE_TIMEOUT=1 &&
        timeout "$limit_s" bash -c "$line" 2>&1 < /dev/null)
    status=$?
    # Whether a source, an engine or a server is there is the machine's business, and whether a file is there the reader's.
    case $line in
    *--run\ * | *--container\ * | *--source* | *--scope* | *--require-measured*) pattern='^ +try: |unknown|not one of' ;;
    'carbon measure '* | 'carbon estimate '* | 'carbon sources'* | 'carbon equivalents '* | 'carbon config'* | 'carbon help'*) pattern='' ;;
    *) pattern='^ +try: |^carbon: unknown|not one of|exclude|cannot be combined' ;;
    esac
    if [ $status = 125 ] && grep -qE "$pattern" <<< "$said"; then
        fail "the example '$example' is not understood:" "$said"
    fi
done < "$work/examples"

echo "$(wc -l < "$work/list") options, $(wc -l < "$work/commands") commands, $(wc -l < "$work/examples") examples:" \
    "$failures faults"
[ $failures = 0 ]
