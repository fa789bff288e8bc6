#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon pipeline with servers in containers of real engines: Triton's place is taken by an image of that name, in which
# busybox answers for its health and its models, and works for who asks it to.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-engine.sh"

engine_network=own
command -v ip > /dev/null || PATH=$PATH:/sbin:/usr/sbin
command -v ip > /dev/null || skip 'no program ip here'
# What Docker looks for to hand graphics cards on: it tells which.
mkdir -p "$engines/hooks"
printf '#!/bin/sh\n/usr/bin/python3 -c "import json, sys\nstate = json.load(sys.stdin)\nspec = json.load(open(state[\\"bundle\\"] + \\"/config.json\\"))\nopen(\\"%s/cards\\", \\"a\\").write([v for v in spec[\\"process\\"][\\"env\\"] if v.startswith(\\"NVIDIA_VISIBLE_DEVICES=\\")][0] + chr(10))"\n' "$engines" > "$engines/hooks/nvidia-container-runtime-hook"
chmod +x "$engines/hooks/nvidia-container-runtime-hook"
PATH=$engines/hooks:$PATH
engine_start docker podman

mkdir models models/seg tmp payload
echo 'name: "seg"' > models/seg/config.pbtxt
root=$engines/root
cat > "$root/bin/tritonserver" << 'END'
#!/bin/sh
echo "$@"
ls /models
/bin/busybox mkdir -p /w/v2/health /w/cgi-bin
for word; do
    case $word in --load-model=*) /bin/busybox mkdir -p "/w/v2/models/${word#*=}"; : > "/w/v2/models/${word#*=}/ready" ;; esac
done
: > /w/v2/health/ready
printf '#!/bin/sh\n/bin/act spin 1\nprintf "Content-Type: text/plain\\r\\n\\r\\nworked\\n"\n' > /w/cgi-bin/work
/bin/busybox chmod +x /w/cgi-bin/work
exec /bin/busybox httpd -f -p 8000 -h /w
END
chmod +x "$root/bin/tritonserver"
ln -f "$root/bin/busybox" "$root/bin/ls"
tar -C "$root" -cf triton.tar .
for kind in docker podman; do
    engine $kind import triton.tar made/tritonserver:20.07 > import.out 2>&1 || skip "no image can be made: $(cat import.out)"
done
pipeline() { TMPDIR=$work/in/tmp within "$kind" "$carbon" pipeline --details --source model --zone FR --baseline 0 --no-ledger --runner "$kind" "$@"; }
left() { containers_of "$kind"; ls tmp; }
cat > models.yaml << 'END'
api-version: 0.4.0
name: infer
operators:
- name: ask
  container: {image: bb, tag: "1", command: [sh, -c, "busybox wget -q -O - http://$NVIDIA_TRITON_HTTPURI/cgi-bin/work"]}
  models: [{name: seg}]
  requests: {gpu: 1}
- name: idle
  container: {image: bb, tag: "1", command: ["true"]}
END
sed -e 's/sh, -c, .*work"/sleep, "62.'$$'"/' models.yaml > long.yaml

for kind in docker podman; do
    pipeline --gpus none --models_dir models --metrics-dir "$kind" --json $kind.json models.yaml payload > $kind.out 2> $kind.err
    check "$kind: all done" 0 $? || cat $kind.err "$kind"/*.log
    check "$kind: the step was answered" worked "$(cat $kind/ask.log)"
    check "$kind: as CPOST starts it" '--model-repository=/models --model-control-mode=explicit --load-model=seg seg' "$(paste -sd' ' "$kind/tritonserver.server.log")"
    check_match "$kind: the image of that name" "^$kind ([a-z.]+/)?made/tritonserver:20.07 1$" "$(json $kind.json '(lambda s: "%s %s %d" % (s["runner"], s["image"], s["starts"]))(r["servers"][0])')"
    check "$kind: a second of CPU is the server's" True "$(json $kind.json '(lambda run: (1 <= run["servers"]["cpu_s"] < 1.3 and run["cpu_s"] < 0.3) or run)(r["steps"][0]["runs"][0])')"
    check "$kind: and its joules" True "$(json $kind.json '(lambda run: 0.5 < run["own_j"] / run["cpu_s"] / (run["servers"]["own_j"] / run["servers"]["cpu_s"]) < 2)(r["steps"][0]["runs"][0])')"
    check "$kind: nothing is left" '' "$(left)"
    # Killed, carbon leaves no server behind.
    TMPDIR=$work/in/tmp nsenter --net="/proc/$(cat "$engines/$kind/pid")/ns/net" "$carbon" pipeline --details --source model --baseline 0 --no-ledger \
        --runner "$kind" --network host --gpus none --models-dir models long.yaml > long.out 2>&1 &
    pid=$!
    until_true runs "sleep 62.$$"
    kill -KILL $pid
    wait $pid 2> /dev/null
    no_container() { [ -z "$(containers_of "$kind")" ]; }
    until_true no_container
    check "$kind: nothing runs after SIGKILL" '' "$(processes_of "*httpd*-h /w")"
    rm -rf tmp/*
done

# A service as Clara's files have it, its models in the command.
kind=docker
cat > service.yaml << 'END'
operators:
- name: ask
  container: {image: bb, tag: "1", command: [sh, -c, "busybox wget -q -O - http://$NVIDIA_CLARA_TRTISURI/cgi-bin/work"]}
  services:
  - name: trtis
    container: {image: made/tritonserver, tag: "20.07", command: [tritonserver, "--model-store=$(NVIDIA_CLARA_SERVICE_DATA_PATH)/models"]}
    requests: {gpu: 1}
    connections: {http: [{name: NVIDIA_CLARA_TRTISURI, port: 8000}]}
END
rm -f "$engines/cards"
cards=()
if [ -e "$helpers/.libs/nvml.so" ]; then
    mkdir lib
    ln -s "$helpers/.libs/nvml.so" lib/libnvidia-ml.so.1
    printf '%s %s\n' gpus 4 0.uuid GPU-0 1.uuid GPU-1 2.uuid GPU-2 3.uuid GPU-3 0.energy_mj 0 1.energy_mj 0 2.energy_mj 0 3.energy_mj 0 > numbers
    cards=(env "LD_LIBRARY_PATH=$work/in/lib" "NVML_NUMBERS=$work/in/numbers")
fi
TMPDIR=$work/in/tmp within "$kind" "${cards[@]}" "$carbon" pipeline --details --zone FR --baseline 0 --no-ledger --runner docker \
    --gpus "$([ -d lib ] && echo 0,2-3 || echo all)" --models-dir models --metrics-dir service --json service.json service.yaml > service.out 2> service.err
status=$?
if grep -q 'could not select device driver' service.err; then
    echo 'not tested: this Docker finds no way to graphics cards'
else
    check 'a service' '0 worked' "$status $(cat service/ask.log)" || cat service.err service/*.log
    check 'its words' '--model-store=/models' "$(head -1 service/trtis.server.log)"
    check 'the cards that were named, and for it alone' "NVIDIA_VISIBLE_DEVICES=$([ -d lib ] && echo 0,2,3 || echo all)" "$(cat "$engines/cards" 2> /dev/null)"
fi

# Refused, or not to be had: which image, no address, cards of podman's.
engine docker import triton.tar other/tritonserver:1 > import.out
pipeline --models-dir models --gpus none models.yaml payload > two.out 2>&1
check_match 'two images' "125 carbon: docker has more than one image called 'tritonserver'.*other/tritonserver:1.*fix: --triton-image NAME:TAG" "$? $(tr -s '\n ' ' ' < two.out)"
pipeline --models-dir models --gpus none --triton-image other/tritonserver:1 --json two.json models.yaml payload > two.out 2>&1
check 'the one that is named' '0 other/tritonserver:1' "$? $(json two.json 'r["servers"][0]["image"]')"
kind=podman
case $(podman --version) in
    *' '[0-4].*)
        pipeline --models-dir models --gpus all models.yaml payload > none.out 2>&1
        check_match "podman's cards" '125 carbon: podman [0-9.]+ gives a container no graphics card.*fix: --runner docker, or --gpus none' "$? $(tr -s '\n ' ' ' < none.out)"
        ;;
esac
kind=docker
engine_stop docker
engine_network=none
engine_start docker
pipeline --models-dir models --gpus none --triton-image other/tritonserver:1 models.yaml payload > none.out 2>&1
check_match 'no address' "125 carbon: the server 'tritonserver' has no address .*fix: --network host" "$? $(tr -s '\n ' ' ' < none.out)"
for kind in docker podman; do check "nothing is left in the end of $kind" '' "$(left)"; done
finish
