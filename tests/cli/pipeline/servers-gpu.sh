#!/bin/bash
# SPDX-License-Identifier: MIT
# Graphics cards of a step and of the server beside it, by the processes that NVML tells of: a library that stands in for
# it tells what the step writes.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-nvml.sh"

[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'these are not all processes of the machine'
triton=$source/tests/helpers/triton.py
mkdir models
say() { printf '%s %s\n' gpus 1 0.uuid GPU-1 "$@" > "$NVML_NUMBERS.new" && mv "$NVML_NUMBERS.new" "$NVML_NUMBERS"; }
port=$(/usr/bin/python3 -c 'import socket
held = socket.socket()
held.bind(("127.0.0.1", 0))
print(held.getsockname()[1])')
cat > job << 'END'
#!/bin/sh
printf '%s %s\n' gpus 1 0.uuid GPU-1 0.energy_mj 105000 $1 "$(echo "$2" | sed "s/STEP/$$/; s/SERVER/$(cat server.pid)/")" > "$NVML_NUMBERS.new.$$"
mv "$NVML_NUMBERS.new.$$" "$NVML_NUMBERS"
sleep 1.2
END
chmod +x job
cat > gpu.yaml << END
steps:
- name: infer
  run: [./job, "\${{WHICH}}", "\${{USE}}"]
  services: [{name: trtis, run: ["$triton", "--http-port=$port", "--model-store=/models", "--pid-file=server.pid"],
    connections: {http: [{name: URI, port: $port}]}}]
END
pipeline() {
    say 0.energy_mj 5000 "$@"
    "$carbon" pipeline --details --source nvml --baseline 0.3 --no-ledger --intensity 360 --runner process --models-dir models --set WHICH=0.use --set USE="$use" \
        --json gpu.json gpu.yaml 2> gpu.err
}
figures() { json gpu.json '(lambda run: " ".join("None" if x is None else "%g" % x for x in (run["gross_j"], run["net_j"], run["own_j"], run["gpu_own_j"],
    run["servers"]["own_j"], run["servers"]["gpu_own_j"])))(r["steps"][0]["runs"][0])'; }

# Of 100 J the step's process has 60 %, the server's 20 %, another's nothing: what nobody used is divided alike.
use='STEP:60@2000 SERVER:20@2000'
pipeline 0.use 1:90@1000
check 'each its part of the card' '0 100 100 75 60 25 20' "$? $(figures)" || cat gpu.err
check 'and together what the machine added' '100 share' "$(json gpu.json '"%g %s" % (r["own_j"] + r["servers_own_j"], r["steps"][0]["runs"][0]["servers"]["own_method"])')"

# A card whose driver does not tell whose work is whose: nobody's own is known.
use=
sed -i 's/ $1 "$(echo.*)" > / > /' job
pipeline
status=$?
check 'not told' '0 100 100 None None None None' "$status $(figures)" || cat gpu.err
check_match 'and why' 'energy of the job on gpu-0 is unknown: its driver does not report the processes that used it, and a server may be one' "$(tr -s '\n ' ' ' < gpu.err)"
say 0.energy_mj 5000
"$carbon" pipeline --details --source nvml --baseline 0.3 --ledger led.db --intensity 360 --runner process --models-dir models --set WHICH=0.use --set USE= gpu.yaml 2> gpu.err
"$carbon" history --ledger led.db export - > record.json
check "nor is it in the step's record" 'gpu/infer None undivided' "$(json record.json '"%s %s %s" % (r["label"], r["own_j"]["mean"], r["windows"]["runs"][0]["gpus"][0]["users"])')"
"$carbon" verify record.json > said 2>&1
check 'which comes out again' 0 $? || cat said
check_schema 'as the schemas have them' record.json gpu.json
finish
