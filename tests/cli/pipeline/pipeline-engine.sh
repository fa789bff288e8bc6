#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon pipeline with real engines: steps in containers of known effects, short, failing and killed ones, and nothing
# left behind however it ends.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-engine.sh"

engine_start docker podman
zone tree 262143328850 1000000 intel-rapl:0=package-0
# sleeps that are known among those of other tests
long=49.$$ killed=47.$$
mkdir payload tmp
most=$(most_mib 300)
echo 'of the payload' > payload/a.txt
pipeline() { TMPDIR=$work/in/tmp "$carbon" pipeline --details --root tree --zone FR --baseline 0 --no-ledger --runner "$kind" "$@"; }
left() { containers_of "$kind"; ls tmp; }
no_container() { [ -z "$(containers_of "$kind")" ]; }
no_group() { [ -z "$(find /sys/fs/cgroup -maxdepth 2 -name "carbon-$1-*" 2> /dev/null)" ]; }

# Clara's form: the order is not the file's, outputs of one are inputs of the next, by name, too.
cat > three.yaml << 'END'
api-version: 0.4.0
name: three-stage
parameters: {SIZE: "300"}
operators:
- name: writer
  container: {image: bb, tag: "1", command: ["sh", "-c", "cat /in/text; exit 126"]}
  input:
  - {from: inference, name: seg, path: /in}
- name: reader
  variables:
    CLARA_TRACE: 2
  container: {image: bb, tag: "1", command: ["sh", "-c", "cat /input/a.txt > /output/text; echo trace $CLARA_TRACE lock $NVIDIA_CLARA_NOSYNCLOCK; ! touch /input/b"]}
  input:
  - path: /input
  output:
  - path: /output
- name: inference
  container:
    image: bb
    tag: "1"
    command: [act, touch, "${{SIZE}}", sleep, "1.5", write, /seg/more, "10"]
  input:
  - {from: reader, path: /before}
  output:
  - {path: /seg, name: seg}
  requests: {gpu: 1} # of the model
- name: busy
  container: {image: bb, tag: "1", command: [act, forks-spin, "4", "2"]}
  input: [{from: writer}]
END

for kind in docker podman; do
    pipeline --force cont --metrics-dir "$kind" --json $kind.json --write-requests $kind.yaml three.yaml payload > $kind.out 2> $kind.err
    check "$kind: the last one failed" '3 reader 0, inference 0, writer 126, busy 0' "$? $(json $kind.json '", ".join("%s %d" % (s["name"], s["runs"][0]["exit_status"]) for s in r["steps"])')" || cat $kind.err
    check "$kind: variables, and the payload is not written" 'trace 2 lock 1 payload/a.txt' "$(grep -o 'trace.*' $kind/reader.log) $(echo payload/*)"
    check "$kind: who ran them" "$kind bb:1" "$(json $kind.json 'r["steps"][0]["runner"] + " " + r["steps"][0]["image"]')"
    check "$kind: a peak of 300 MiB within 2 %" True "$(json $kind.json '(lambda mb: 300 * 1.048576 <= mb <= '"$most"' * 1.048576 or mb)(r["steps"][1]["memory_peak_mb"])')"
    check "$kind: eight seconds of CPU within 2 %" True "$(json $kind.json '(lambda run: (8 <= run["cpu_s"] <= 8.16 or run["cpu_s"]) and
        math.isclose(run["cpu_percent_of_core"]["average"], run["cpu_s"] / run["duration_s"] * 100))(r["steps"][3]["runs"][0])')"
    check "$kind: rows of its own counters" True "$(json $kind.json "(lambda rows: len(rows) > 3 and max(float(x['memory']) for x in rows) > 300 and
        max(float(x['working_set_mb']) for x in rows if x['working_set_mb']) > 300)(list(__import__('csv').DictReader(open('$kind/inference_final_result.csv'))))")"
    check "$kind: requests" 'True None' "$(json $kind.json '"%s %s" % (r["steps"][1]["requests"]["memory_mb"] in (512, 768), r["steps"][1]["requests_given"]["cpu"])')"
    check_match "$kind: written into the file" 'requests: .gpu: 1, cpu: [12], memory: (512|768). # of the model' "$(cat $kind.yaml)"
    check "$kind: nothing is left" '' "$(left)"

    # Over before it was looked at; ended by KILL; not in the image.
    cat > short.yaml << 'END'
name: short
operators:
- {name: brief, container: {image: bb, tag: "1", command: [act, spin, "0.05"]}}
- {name: killed, container: {image: bb, tag: "1", command: [sleep, "47.1"]}}
- {name: nowhere, container: {image: bb, tag: "1", command: [no-such-program]}}
- {name: last, container: {image: bb, tag: "1", command: [echo, "it's \"two\" $(touch /x) ;"]}}
END
    sed -i "s/47[.]1/$killed/" short.yaml
    { until_true runs "sleep $killed" && kill -KILL "$(processes_of "sleep $killed")"; } &
    mkdir -m 755 "$kind.kept"
    pipeline --force cont --metrics-dir "$kind" --interval 30 --work-dir "$kind.kept" --json short.json short.yaml 2> short.err
    check "$kind: the others are run" '3 0 137 127 0' "$? $(json short.json '" ".join(str(s["runs"][0]["exit_status"] if s["runs"] else s["problem"]) for s in r["steps"])')" || cat short.err
    wait $!
    check "$kind: open to images' users, and to nobody else here" 'drwx------ drwxrwxrwx' "$(stat -c %A "$kind.kept" "$kind.kept/brief" | paste -sd' ')"
    check "$kind: a short step has its counters" True "$(json short.json '(lambda run: run["short"] and 0.05 <= run["cpu_s"] < 0.4 and
        run["memory_peak_mb"] > 0.1 and run["cpu_percent_of_core"]["maximum"] > 0)(r["steps"][0]["runs"][0])')"
    check "$kind: words are words" "it's \"two\" \$(touch /x) ;" "$(head -n 1 "$kind/last.log")"
    check "$kind: nothing is left of those" '' "$(left)"

    # A step that takes too long, whose first process heeds no signal.
    printf 'operators:\n- {name: late, container: {image: bb, tag: "1", command: [sleep, "48.1"]}}\n' > late.yaml
    begun=$SECONDS
    pipeline --timeout 1s --force stop --json late.json late.yaml 2> late.err
    check "$kind: late" '3 True True' "$? $(json late.json '"%s %s" % (r["steps"][0]["runs"][0]["timed_out"], r["steps"][0]["runs"][0]["exit_status"] > 128)')" || cat late.err
    check "$kind: in time" yes "$([ $((SECONDS - begun)) -lt 20 ] && echo yes)"

    # Ctrl-C on a terminal: what is done is told, the container is gone.
    printf 'name: stop\noperators:\n- {name: done, container: {image: bb, tag: "1", command: ["true"]}}\n- {name: long, container: {image: bb, tag: "1", command: [sleep, "'$long'"]}}\n' > stop.yaml
    TMPDIR=$PWD/tmp TERM=xterm /usr/bin/python3 "$source/tests/helpers/terminal.py" ^C "sleep $long" "$carbon" pipeline --details --root tree \
        --zone FR --baseline 0 --no-ledger --runner $kind --json stop.json stop.yaml > stop.out
    check "$kind: Ctrl-C" '130 True 0 True' "$? $(json stop.json '"%s %s %s" % (r["interrupted"], r["steps"][0]["runs"][0]["exit_status"], r["steps"][1]["runs"][0]["cut_short"])')" || cat stop.out
    check_match "$kind: progress is shown" 'run 2 of 2: stop/long, [0-9]+ s' "$(tr '\r' '\n' < stop.out)"
    check "$kind: none is left after it" '' "$(left)$(processes_of "sleep $long")"

    # SIGKILL of carbon itself: its container goes with it.
    TMPDIR=$work/in/tmp "$carbon" pipeline --details --root tree --baseline 0 --no-ledger --runner $kind --json gone.json stop.yaml 2> gone.err &
    pid=$!
    until_true runs "sleep $long"
    kill -KILL $pid
    wait $pid 2> /dev/null
    until_true no_container
    tried 1 'A container engine, or a container'
    check "$kind: none is left after SIGKILL" '' "$(processes_of "sleep $long")"
    until_true no_group $pid
    rm -rf tmp/*

    # Before anything is run: an image that is not there, a payload that is not named.
    printf 'operators:\n- {name: a, container: {image: no/such, tag: "9"}}\n' > image.yaml
    pipeline --json image.json image.yaml > image.out 2>&1
    check "$kind: an image that is not there" '125 no' "$? $([ -e image.json ] && echo yes || echo no)"
    check_match "$kind: is named" 'no/such:9' "$(cat image.out)"
    pipeline three.yaml > image.out 2>&1
    check_match "$kind: no payload" "125 .*step 'reader' reads what the pipeline is given" "$? $(tr '\n' ' ' < image.out)"
done

# What a killed carbon has left, stopped.
engine docker create --label carbon.run=x bb:1 true > /dev/null
engine docker create bb:1 true > other
"$carbon" pipeline --clean > clean.out 2>&1
check 'cleaned away, and nothing else' "0 1 container removed $(cat other)" "$? $(cat clean.out) $(containers_of docker)"

# No engine, or one that this user may not ask.
kind=docker
DOCKER_HOST=unix://$work/nowhere pipeline late.yaml > no.out 2>&1
check_match 'no engine' "125 carbon: .*$work/nowhere.* fix: " "$? $(tr '\n' ' ' < no.out)"
open_to_all
chmod 755 "$engines" "$engines/docker"
setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ TMPDIR=/tmp "$carbon" pipeline --details --root tree --baseline 0 --no-ledger --runner docker late.yaml > no.out 2>&1
check_match 'not for this user' "125 carbon: .*permission denied: '[^ ]*docker/socket'.* fix: " "$? $(tr '\n' ' ' < no.out)"

finish
