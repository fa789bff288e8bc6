#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon model with real Docker and podman: the model's container is watched while a client runs in it, found by a part of
# its name; by a recipe of plain commands, and by the one that is shipped, with a program of ersilia's words.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-engine.sh"

engine_start docker podman
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR" bin
recipe=(--recipe recipe.yaml)
model() { "$carbon" model --details --source model --engine "$kind" --json r.json "${recipe[@]}" "$@" > out 2> err; }
# The client of the engine under test.
client() { printf '[env, "DOCKER_CONFIG=%s", "DOCKER_HOST=unix://%s", docker, ' "$engines/client" "$engines/$kind/socket"; }

# The process to be watched is the container's first: it works when it is told to, as a server does.
write_recipe() { # WORK
    cat > recipe.yaml << END
serve: $(client) run, -d, --rm, --name, "{model}_ab12", --network, none, "bb:1", /bin/sh, -c, "while :; do sleep 0.05; [ ! -e /go ] || { /bin/act $1 > /said; rm /go; : > /done; }; done"]
run: [sh, -c, "shift; \"\$@\" \": > /go; until [ -e /done ]; do sleep 0.05; done; rm /done; cat /said\"", sh, x, $(client | sed 's/^\[//') exec, "{model}_ab12", /bin/sh, -c]
close: $(client) rm, -f, "{model}_ab12"]
container: "{model}"
END
}

watched() {
    # 139 MiB are touched by a process that ends, and so given up before the run does
    write_recipe 'touch 139 spin 0.6'
    model --baseline 0.3 eos4e40
    check "$kind: done" 0 $?
    check_match "$kind: its container" "^container eos4e40_ab12 \($kind, [0-9a-f]{12}\)$" "$(json r.json 'r["target"]')"
    check "$kind: its CPU time, not the client's" True "$(json r.json '0.6 <= r["usage"]["cpu_s"]["value"] < 2')"
    check "$kind: by control groups" True "$(json r.json 'r["usage"]["cpu_s"]["from"].startswith("cgroup")')"
    check "$kind: in both units" True "$(json r.json 'math.isclose(r["usage"]["cpu_percent_of_core"]["value"],
        100 * r["usage"]["cpu_s"]["value"] / r["duration_s"]["mean"]) and math.isclose(r["usage"]["cpu_percent_of_machine"]["value"],
        r["usage"]["cpu_percent_of_core"]["value"] / r["machine"]["cpus_online"])')"
    check "$kind: the peak is of the run, whatever is left" True \
        "$(json r.json '139 << 20 <= r["usage"]["memory_peak_bytes"]["value"] < 150 << 20 and r["usage"]["memory_bytes"]["value"] < 30 << 20')"
    check "$kind: the six lines have them" "$(json r.json '"CPU Avg:  %.2f%% Mem Peak: %.0f MiB Duration: %.2fs" % (
        r["usage"]["cpu_percent_of_machine"]["value"], r["usage"]["memory_peak_bytes"]["value"] / 1048576, r["duration_s"]["mean"])')" \
        "$(sed -n 3,5p out | tr '\n' ' ' | sed 's/ $//')"
    check_match "$kind: and the table" "CPU [0-9.]+ m?s \(cgroup1?\), +[0-9.]+ % of one core, +[0-9.]+ % +of the machine" "$(tr -s '\n ' ' ' < err)"
    check "$kind: closed" '' "$(containers_of "$kind")"
    check "$kind: no file is left" '' "$(ls -A "$TMPDIR")"

    # of two runs each has its own CPU time; a baseline between them has none of it
    write_recipe 'spin 0.3'
    model --baseline 0.2 --runs 2 --settle 0 eos4e40
    check "$kind: two runs" '0 True' "$? $(json r.json 'all(0.3 <= w["usage"]["cpu_s"]["value"] < 1 for w in r["windows"]["runs"])')"
    model --baseline 0 --sizes 1,2 eos4e40
    check "$kind: sizes" '0 True' "$? $(json r.json 'all(0.3 <= s["figures"]["cpu_s"]["value"] < 1 for s in r["sizes"]) and r["target"].startswith("container eos4e40_ab12")')"
    model --baseline 0 --no-container eos4e40
    check "$kind: the client itself, where that is asked for" 'None True' "$(json r.json 'r["target"]') $(json r.json 'any("run command itself" in n["what"] for n in r["notices"])')"
}

lost() {
    # ambiguous: all are listed, the run is not done, and the model is closed
    engine "$kind" run -d --name other_eos4e40 --network none bb:1 /bin/act sleep 300 > /dev/null
    write_recipe 'spin 0.1'
    rm -f r.json
    model --baseline 0 eos4e40
    check "$kind: ambiguous" 4 $?
    check_match "$kind: one is listed" 'eos4e40_ab12' "$(cat err)"
    check_match "$kind: the other, too" 'other_eos4e40' "$(cat err)"
    check "$kind: not run" no "$([ -e r.json ] && echo yes || echo no)"
    check "$kind: closed all the same" other_eos4e40 "$(engine "$kind" ps --format '{{.Names}}')"
    model --baseline 0 --container eos4e40_ab12 eos4e40
    check "$kind: named whole" 0 $?
    engine "$kind" rm -f other_eos4e40 > /dev/null
    sed -i 's/^container: .*/container: "nobody-{model}"/' recipe.yaml
    model --baseline 0 eos4e40
    check "$kind: not there" 4 $?
    check_match "$kind: those that run are named" "nobody-eos4e40.*eos4e40_ab12" "$(tr -s '\n ' ' ' < err)"
    check "$kind: closed then, too" '' "$(containers_of "$kind")"
    # by a signal in the run
    write_recipe 'sleep 20'
    rm -f begun
    "$carbon" model --source model --engine "$kind" "${recipe[@]}" --baseline 0 --ready-fd 5 eos4e40 2> err 5> begun &
    until_true grep -sqx run begun
    kill -TERM $!
    wait $!
    check "$kind: SIGTERM in the run" '143 ' "$? $(containers_of "$kind")"
}

# A program of the words of ersilia's command line, which keeps to them.
write_ersilia() {
    cat > bin/ersilia << END
#!/bin/sh
export DOCKER_CONFIG='$engines/client' DOCKER_HOST='unix://$engines/$kind/socket'
echo "ersilia \$*" >> '$work/in/called'
[ "\$1" != -v ] || shift
case "\$1 \$#" in
'fetch 3') [ "\$3" = --from_dockerhub ] ;;
'serve 2') docker run -d --rm --name "\$2_0f3a" --network none bb:1 /bin/act sleep 300 > /dev/null && echo "\$2" > '$work/in/session' ;;
'example 5') [ "\$2 \$4" = '-n -f' ] && { echo input; yes CCO | head -n "\$3"; } > "\$5" ;;
'run 5') [ "\$2 \$4" = '-i -o' ] && [ "\$(wc -l < "\$3")" = 4 ] &&
    docker exec "\$(cat '$work/in/session')_0f3a" /bin/act spin 0.4 touch 60 && cp "\$3" "\$5" ;;
'close 1') docker rm -f "\$(cat '$work/in/session')_0f3a" > /dev/null && rm '$work/in/session' ;;
*) echo "Usage: ersilia" >&2; exit 2 ;;
esac
END
    chmod +x bin/ersilia
}

shipped() {
    local recipe=()
    write_ersilia
    rm -f called
    PATH=$work/in/bin:$PATH model --baseline 0.2 --samples 3 eos4e40
    check "$kind: the shipped recipe" 0 $?
    check "$kind: its words" "ersilia -v fetch eos4e40 --from_dockerhub ersilia serve eos4e40 ersilia example -n 3 -f IN ersilia run -i IN -o OUT ersilia close" \
        "$(sed -E 's,/[^ ]*/input.csv,IN,; s,/[^ ]*/output.csv,OUT,' called | tr '\n' ' ' | sed 's/ $//')"
    check "$kind: the container's figures" True "$(json r.json '(0.4 <= r["usage"]["cpu_s"]["value"] < 1.5 and
        60 << 20 <= r["usage"]["memory_peak_bytes"]["value"] < 90 << 20)')"
    check_match "$kind: the six lines" '^Model:    eos4e40$' "$(sed -n 2p out)"
    check "$kind: closed" '' "$(containers_of "$kind")"
    # a model that does not come up: closed, as the recipe has it
    sed -i "s/^'serve 2').*/'serve 2') echo no such model >\&2; exit 1 ;;/" bin/ersilia
    rm -f called
    PATH=$work/in/bin:$PATH model --baseline 0 eos4e40
    check "$kind: not served" '3 ersilia close' "$? $(tail -n 1 called)"
    check_match "$kind: what it said" '^no such model$' "$(cat err)"
}

for kind in docker podman; do
    watched
    lost
    shipped
done
finish
