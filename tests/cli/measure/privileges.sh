#!/bin/bash
# SPDX-License-Identifier: MIT
# Rights beyond the user's: the counters are read with them, and everything else, the job first, goes without. Each way of
# starting carbon is a real one: sudo, file capabilities, a set-user-ID copy, root, an ordinary user. The counters are
# mounted over this machine's own, with a user and a sudoers file that only this test sees.
if [ -z "${CARBON_TEST_PRIVATE-}" ]; then
    if [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null; then
        CARBON_TEST_PRIVATE=yes exec unshare --mount "$0" "$@"
    fi
fi
. "$(dirname "$0")/../lib.sh"
[ -n "${CARBON_TEST_PRIVATE-}" ] || skip 'becoming other users, and mounting counters for them, takes root'

# What this test was given beyond the three streams, its job would have too (255 is the shell's own).
for fd in /proc/self/fd/*; do
    fd=${fd##*/}
    [ "$fd" -le 2 ] || [ "$fd" = 255 ] || eval "exec $fd>&-"
done

name=carbon-test-user uid=4242 gid=4243 extra=4244 stranger=4999
public=$work/in/public
bin=$work/in/bin
chmod 755 "$work" "$work/in"
mkdir -m 1777 "$public"
mkdir "$bin" closed
chmod 700 closed
secret=$work/in/closed/secret.csv # a table whose mistake is told with its words
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nXX,2024,secret,lifecycle,MINE\n' > "$secret"
cp "$carbon" "$helpers/act" "$bin"
cp -r "$CARBON_DATA" data
chmod -R go+rX data "$bin"
data=$work/in/data
carbon=$bin/carbon
# at the end of a program that nobody may trace, the leak check of the sanitizer fails
export ASAN_OPTIONS=detect_leaks=0
sanitized=$(grep -c __asan_init "$carbon")

"$source/tests/lay_tree.py" "$source/tests/trees/intel-denied" "$work/in/tree" > /dev/null
counter=/sys/class/powercap/intel-rapl:0/energy_uj
mount --bind tree/sys/class /sys/class 2> /dev/null || skip 'counters cannot be mounted over /sys/class here'
# Of a machine of its own, whose counters are: they are not believed in a virtual one.
sed 's/ hypervisor\>//' /proc/cpuinfo > cpuinfo
mount --bind cpuinfo /proc/cpuinfo || skip 'files cannot be mounted over those of /proc here'
for file in passwd group shadow; do
    cp "/etc/$file" "$file"
    case $file in
    passwd) echo "$name:x:$uid:$gid::/home/$name:/bin/sh" >> passwd ;;
    group) printf '%s:x:%s:\n%s-too:x:%s:%s\n' $name $gid $name $extra $name >> group ;;
    shadow) echo "$name:*:19000:0:99999:7:::" >> shadow ;;
    esac
    chmod --reference="/etc/$file" "$file"
    mount --bind "$file" "/etc/$file" || skip 'files cannot be mounted over those of /etc here'
done

# What the job says of itself, once the counter has moved by 5000001 µJ.
cat > "$bin/job" << 'JOB'
#!/bin/sh
touch started
until [ -e moved ]; do sleep 0.02; done
sed -nE 's/[[:space:]]+/ /g; s/ $//; /^(Uid|Gid|Groups|Cap(Inh|Prm|Eff|Amb)|NoNewPrivs):/p' /proc/self/status
"${0%/*}/act" fds | sed 's/ $//'
[ "$(id -u)" = 0 ] || ls "/proc/$PPID/fd" > counters 2> /dev/null || echo 'carbon is closed'
env > environment
exit 7
JOB
chmod 755 "$bin/job"
job=$bin/job
cd "$public" || exit 99

move_counter() {
    until_true test -e "$public/started"
    echo $(($(cat $counter) + 5000001)) > $counter
    : > "$public/moved"
}

# ran COMMAND...: runs it, with what it says in `said` and `err` and its status in $status.
ran() {
    rm -rf "${public:?}"/*
    move_counter &
    "$@" > "$work/in/said" 2> "$work/in/err"
    status=$?
    : > started
    wait $!
}

# checks NAME UID GID GROUPS CAPABILITIES: of the last run.
checks() {
    check "$1: exit status" 7 "$status" || cat "$work/in/err"
    check "$1: the job" "Uid: $2 $2 $2 $2
Gid: $3 $3 $3 $3
Groups:${4:+ $4}
CapInh: 0000000000000000
CapPrm: $5
CapEff: $5
CapAmb: 0000000000000000
NoNewPrivs: 0
0 1 2$([ "$2" = 0 ] || printf '\ncarbon is closed')" "$(cat "$work/in/said")"
    check "$1: energy" '5.000001 True' "$(json r.json '"%s %s" % (r["gross_j"]["mean"], r["complete"])')"
    check "$1: whose the files are" "$2:$3 r.json
$2:$3 s.csv" "$(stat -c '%u:%g %n' r.json s.csv)"
}

variable() {
    sed -n "s/^$1=//p" environment
}

measure=(measure --baseline 0 --quiet --require-measured --zone FR --json r.json --samples s.csv --interval 0.1)
no=0000000000000000
as_user=(setpriv "--reuid=$uid" "--regid=$gid" --init-groups)

# Sudo: the caller's own PATH and variables, and those that sudo was given.
sudo=$(PATH=$PATH:/usr/sbin:/sbin command -v sudo)
if [ -z "$sudo" ]; then
    echo 'not tested: sudo itself (no sudo)'
else
    secure=/usr/sbin:/usr/bin:/sbin:/bin
    cat > "$work/in/sudoers" << SUDOERS
Defaults env_reset, secure_path="$secure"
$name ALL=(root) NOPASSWD: SETENV: ALL
SUDOERS
    chmod 440 "$work/in/sudoers"
    : >> /etc/sudoers
    mount --bind "$work/in/sudoers" /etc/sudoers || skip 'a file cannot be mounted over /etc/sudoers here'
    caller=("${as_user[@]}" env -i HOME=/home/mine "USER=$name" "LOGNAME=$name" SHELL=/bin/own TERM=own MODULES=a:b
        'LINES_TWO=first
second' "PATH=$bin:/usr/bin:/bin" LD_LIBRARY_PATH=/opt/lib CARBON_ZONE=DE SHARED=callers "$sudo" -n)
    given=("CARBON_DATA=$data" "ASAN_OPTIONS=$ASAN_OPTIONS" SHARED=newer ADDED=yes)
    ran "${caller[@]}" "${given[@]}" "$carbon" "${measure[@]}" -- job
    checks sudo $uid $gid "$gid $extra" $no
    check 'sudo: the environment' "/home/mine $name $name /bin/own own a:b /opt/lib DE newer yes" "$(
        for one in HOME USER LOGNAME SHELL TERM MODULES LD_LIBRARY_PATH CARBON_ZONE SHARED ADDED; do variable $one; done |
            paste -sd ' ')"
    check 'sudo: its PATH, by which the job was found' "$bin:/usr/bin:/bin" "$(variable PATH)"
    check 'sudo: a value of two lines' 'first second' "$(sed -n '/^LINES_TWO=/,+1p' environment | sed 's/.*=//' | paste -sd ' ')"
    check 'sudo: nothing of its own' '' "$(grep -E '^(SUDO_|MAIL=)' environment)"
    check 'sudo: the settings are those that carbon was called with' FR "$(json r.json 'r["factor"]["zone"]')"

    ran "${caller[@]}" "${given[@]}" sh -c "LATER=yes '$carbon' ${measure[*]} -- job; exit \$?"
    checks 'sudo, in a script' $uid $gid "$gid $extra" $no
    check 'sudo, in a script: the environment' '/home/mine yes newer' \
        "$(for one in HOME LATER SHARED; do variable $one; done | paste -sd ' ')"

    # Root never writes for the user what the user may not write.
    echo kept > "$work/in/closed/file"
    for option in --json --csv --samples; do
        rm -rf "${public:?}"/*
        "${as_user[@]}" ln -s "$work/in/closed/file" link
        "${caller[@]}" "CARBON_DATA=$data" "$carbon" measure -v --baseline 0 $option link -- touch ran 2> "$work/in/err"
        check "sudo: $option through a link" '125 kept no' "$? $(cat "$work/in/closed/file") $([ -e ran ] && echo ran || echo no)"
        check_match "sudo: $option through a link says why" "cannot write 'link'" "$(cat "$work/in/err")"
    done
    "${caller[@]}" "CARBON_DATA=$data" "$carbon" measure -v --baseline 0 --factors "$secret" --zone XX -- true 2> "$work/in/err"
    check 'sudo: no table of root is read' 125 $?
    check_match 'sudo: no table of root is read' "cannot read '.*/closed/secret.csv'" "$(cat "$work/in/err")"
    "${caller[@]}" "CARBON_DATA=$data" "$carbon" measure -v --baseline 0 -- jop 2> "$work/in/err"
    check 'sudo: not found' 127 $?
    check_match "sudo: a near name on the caller's PATH" 'fix: carbon measure -v --baseline 0 -- job' "$(cat "$work/in/err")"
    rm -f "$public"/*
fi

# Where sudo's own process is not to be seen: who the user is comes from passwd, the rest stays.
export CARBON_DATA=$data
root_env=(env -i "CARBON_DATA=$data" "ASAN_OPTIONS=$ASAN_OPTIONS" HOME=/root USER=root LOGNAME=root SHELL=/bin/bash
    MAIL=/var/mail/root "PATH=/usr/bin:/bin" KEPT=yes SUDO_COMMAND=x SUDO_USER=root)
ran "${root_env[@]}" SUDO_UID=$uid SUDO_GID=$gid "$carbon" "${measure[@]}" -- "$job"
checks 'SUDO_UID' $uid $gid "$gid $extra" $no
check 'SUDO_UID: the environment' "/home/$name $name $name /bin/sh /usr/bin:/bin yes" \
    "$(for one in HOME USER LOGNAME SHELL PATH KEPT; do variable $one; done | paste -sd ' ')"
check 'SUDO_UID: nothing of sudo' '' "$(grep -E '^(SUDO_|MAIL=)' environment)"

ran "${root_env[@]}" SUDO_UID=$stranger SUDO_GID=$gid "$carbon" "${measure[@]}" -- "$job"
checks 'a user without a name' $stranger $gid $gid $no
check 'a user without a name: no home of another' '' "$(grep -E '^(HOME|USER|LOGNAME|SHELL)=' environment)"

# Root that is meant to be root.
all=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
groups=$(sed -n 's/^Groups:[[:space:]]*//p' /proc/self/status | sed 's/ $//')
ran "${root_env[@]}" "$carbon" "${measure[@]}" -- "$job"
checks root 0 0 "$groups" "$all"
check 'root: the environment' /root "$(variable HOME)"
ran "${root_env[@]}" SUDO_UID=0 SUDO_GID=0 "$carbon" "${measure[@]}" -- "$job"
checks 'root called sudo' 0 0 "$groups" "$all"

# A caller that is none: nothing is run.
rm -f "$public"/*
for bad in SUDO_UID=garbage SUDO_UID= SUDO_UID=4294967295 SUDO_UID=-1 SUDO_UID=+5 "SUDO_UID=$uid" "SUDO_UID=$uid SUDO_GID=1x"; do
    # shellcheck disable=SC2086
    env $bad "$carbon" measure -v --baseline 0 --json r.json -- touch ran 2> "$work/in/err"
    check "$bad is refused" '125 ' "$? $(ls)"
done
check 'a bad number is told' "carbon: SUDO_GID is '1x', which is not the number of a user or group
   why: under sudo the command is run as the user who called sudo, and these variables say who that is
   fix: call carbon through sudo itself; or, to run the command as root: 'sudo env -u SUDO_UID carbon measure ...'" \
    "$(cat "$work/in/err")"
env SUDO_UID=$uid "$carbon" measure -v --baseline 0 -- true 2> "$work/in/err"
check_match 'a missing number is told' '^carbon: there is SUDO_UID, but no SUDO_GID$' "$(cat "$work/in/err")"

# An ordinary user has nothing to give up, and gets nothing by saying that sudo was there.
ran "${as_user[@]}" env SUDO_UID=garbage "$carbon" "${measure[@]}" -- "$job"
check 'an ordinary user may not read them' '125 ' "$status $(cat "$work/in/said")"
check_match 'an ordinary user is told' 'fix: .*carbon sources --grant' "$(cat "$work/in/err")"

# Rights of the file. The caller's variables come back that the loader takes away from such a program.
file_owner=(env LD_LIBRARY_PATH=/opt/lib TMPDIR=/tmp/mine HOME=/home/mine)

# checks_file NAME GROUPS: the copy of carbon in $carbon.
checks_file() {
    ran "${as_user[@]}" "${file_owner[@]}" "$carbon" "${measure[@]}" -- "$job"
    checks "$1" $uid $gid "$gid $extra" $no
    check "$1: the environment" '/opt/lib /tmp/mine /home/mine' \
        "$(for one in LD_LIBRARY_PATH TMPDIR HOME; do variable $one; done | paste -sd ' ')"
    check_match "$1: sources reads with them too" 'scope compute: package-0' "$("${as_user[@]}" "$carbon" sources)"
    rm -f "$public"/*
    "${as_user[@]}" "$carbon" sources --json "$work/in/closed/new" > /dev/null 2> "$work/in/err"
    check "$1: sources writes without" '125 no' "$? $([ -e "$work/in/closed/new" ] && echo yes || echo no)"
    "${as_user[@]}" "$carbon" estimate --energy 1kWh --csv "$work/in/closed/new" > /dev/null 2> "$work/in/err"
    check "$1: so does estimate" '125 no' "$? $([ -e "$work/in/closed/new" ] && echo yes || echo no)"
    "${as_user[@]}" "$carbon" factors XX --factors "$secret" > "$work/in/err" 2>&1
    check "$1: no file of root is read" 125 $?
    check_match "$1: no file of root is read" "cannot read '.*/closed/secret.csv'" "$(cat "$work/in/err")"
    "${as_user[@]}" "$carbon" measure -v --require-measured --root "$work/in/tree" --baseline 0 -- touch ran 2> "$work/in/err"
    check "$1: a recorded machine is a file of the user's" '125 ' "$? $(ls)"
}

if [ "$sanitized" != 0 ]; then
    echo 'not tested: rights of the file (the sanitizers do not work in such a program)'
else
    if PATH=$PATH:/usr/sbin:/sbin setcap cap_dac_read_search=ep "$carbon" 2> /dev/null &&
        "${as_user[@]}" "$carbon" --version > /dev/null 2>&1; then
        checks_file 'file capabilities'
    else
        echo 'not tested: file capabilities (no setcap, or a file system without them)'
    fi
    cp --remove-destination "$builddir/carbon" "$carbon"
    chown root:root "$carbon"
    chmod 4755 "$carbon"
    if [ "$("${as_user[@]}" "$carbon" sources | grep -c '^powercap *ready')" = 1 ]; then
        checks_file 'set-user-ID root'
    else
        echo 'not tested: a set-user-ID copy (a file system without them)'
    fi
    # a group that may read the counters, and a program of that group
    chmod 2755 "$carbon"
    chmod g+r "$counter"
    chmod g+r /sys/class/powercap/intel-rapl:0:?/energy_uj
    checks_file 'set-group-ID'
fi
finish
