#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon pipeline with servers beside its steps, as plain processes: Triton for models, services, what they use apart from
# the steps, and every way in which one is not there.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

act=$helpers/act
triton=$source/tests/helpers/triton.py
mkdir models models/seg models/liver bin tmp
printf '# of the test\nplatform: "onnxruntime_onnx"\ninput [ { name: "x" } ]\nname: "seg"\n' > models/seg/config.pbtxt
pipeline() { TMPDIR=$work/in/tmp "$carbon" pipeline --details --zone FR --baseline 0 --no-ledger --runner process "$@"; }
left() { ls tmp; processes_of "*$triton*$work*"; processes_of "*act sleep 61.$$*"; }
free_port() { /usr/bin/python3 -c 'import socket
held = [socket.socket() for _ in range(1)]
held[0].bind(("127.0.0.1", 0))
print(held[0].getsockname()[1])'; }
# In the environment of a step, "ADDRESS:PORT" of a server.
ask() { printf '[/usr/bin/python3, -c, "import os, urllib.request\\nurllib.request.urlopen('"'http://'"' + os.environ['"'$1'"'] + '"'$2'"').read()"]' ; }
# service NAME PORT VARIABLE WORDS...: a member of 'services'
service() {
    local name=$1 port=$2 variable=$3
    shift 3
    printf '{name: %s, run: ["%s", "--http-port=%s", "--model-store=$(NVIDIA_CLARA_SERVICE_DATA_PATH)/models"' "$name" "$triton" "$port"
    printf ', "%s"' "$@"
    printf '], connections: {http: [{name: %s, port: %s}]}}' "$variable" "$port"
}

# A Triton of one service, asked by two steps: started once, ended after the second. What it uses is its own.
port=$(free_port)
cat > two.yaml << END
name: two
steps:
- name: first
  run: $(ask URI /busy/0.5)
  services: [$(service trtis "$port" URI "--load-model=seg" "--of=$work")]
- name: idle
  run: ["$act", spin, "0.2"]
- name: second
  run: $(ask URI /busy/0.25)
  services: [$(service trtis "$port" URI "--load-model=seg" "--of=$work")]
- name: last
  run: ["sh", "-c", "! kill -0 \$(cat pid) 2> /dev/null"]
END
pipeline --source model --models_dir models --metrics-dir metrics --json two.json --csv two.csv two.yaml 2> two.err
check 'all done' 0 $? || cat two.err
check 'one server, started once, a process' 'trtis process 1 None' "$(json two.json '(lambda s: "%s %s %d %s" % (s[0]["name"], s[0]["runner"], s[0]["starts"], s[0]["image"]) if len(s) == 1 else s)(r["servers"])')"
check 'where the models are' "serves --http-port=$port --model-store=$work/in/models --load-model=seg --of=$work" "$(head -1 metrics/trtis.server.log)"
check 'its CPU time is its own' True "$(json two.json '(lambda a, b: (0.5 <= a["servers"]["cpu_s"] < 0.8 and a["cpu_s"] < a["servers"]["cpu_s"] and
    0.25 <= b["servers"]["cpu_s"] < 0.5) or (a, b))(r["steps"][0]["runs"][0], r["steps"][2]["runs"][0])')"
check 'beside all steps that ran while it did, and no other' 'True True True False' "$(json two.json '" ".join(str(s["runs"][0]["servers"] is not None) for s in r["steps"])')"
# the watts of a busy CPU are those of the machine's load, which is taken as a little higher beside who uses more
check 'each by its CPU time' True "$(json two.json '(lambda ratios: all(0.5 < x < 2 for x in ratios) or ratios)(
    [x["own_j"] / x["cpu_s"] / (x["servers"]["own_j"] / x["servers"]["cpu_s"]) for x in (s["runs"][0] for s in r["steps"][:3])])')"
check 'by which method' cpu-time "$(json two.json 'r["steps"][0]["runs"][0]["servers"]["own_method"]')"
check 'the sum of the windows' True "$(json two.json '(math.isclose(r["servers_own_j"], sum(s["servers_own_j"]["mean"] for s in r["steps"][:3])) and
    math.isclose(r["servers"][0]["cpu_s"], sum(s["runs"][0]["servers"]["cpu_s"] for s in r["steps"][:3])) and
    math.isclose(r["own_j"], sum(s["own_j"]["mean"] for s in r["steps"])))')"
check 'kilograms by hand' True "$(json two.json 'math.isclose(r["servers_own"]["kgco2eq"], r["servers_own_j"] / 3.6e6 * r["pue"]["value"] * r["factor"]["kgco2eq_per_kwh"])')"
check 'what to request for it' True "$(json two.json '(lambda s: s["requests"] == {"cpu": 1, "memory_mb": 256} and 0 < s["memory_peak_mb"] < 150 and s["ready_s"] > 0)(r["servers"][0])')"
check 'in the CSV' True "$(json two.json '[float(x["servers_own_j"] or 0) for x in __import__("csv").DictReader(open("two.csv"))] == [s["servers_own_j"]["mean"] or 0 for s in r["steps"]]')"
check_match 'a row of its own' '^  trtis +server +[0-9.]+ % +[0-9.]+ % +[0-9.]+ MB +[0-9.]+ MB +[0-9.]+ MB +1 +256$' "$(cat two.err)"
check_match 'its energy' '^  trtis +[0-9.]+ m?J +[0-9.]+ [^ ]*gCO2eq$' "$(cat two.err)"
check_match 'its sum' '^  servers +[0-9.]+ [^ ]*gCO2eq = ' "$(cat two.err)"
check 'no line is too long' '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' two.err)"
check 'nothing is left' '' "$(left)"
check_schema 'as the schema has it' two.json

# Version 1 of its protocol; ready when it says so; a variable that the step sets itself stays.
port=$(free_port)
cat > old.yaml << END
steps:
- name: asks
  run: ["sh", "-c", "echo uri \$URI"]
  env: {URI: mine}
  services: [$(service my-triton "$port" URI --protocol=1 --load-model=seg "--ready-file=$work/in/is-ready" "--of=$work")]
END
(sleep 0.5; until_true runs "*$triton*is-ready*"; touch is-ready) &
pipeline --models-dir models --verbose --json old.json old.yaml > old.out 2> old.err
check 'version 1, and waited for' '0 uri mine' "$? $(cat old.out)"
wait

# A service that is no Triton is ready when it listens; another one takes its place; a round begins it again only where it must.
port=$(free_port) other=$(free_port)
listener() { printf '{name: %s, run: ["/usr/bin/python3", -c, "import http.server, sys; http.server.HTTPServer((\\"127.0.0.1\\", int(sys.argv[1])), http.server.BaseHTTPRequestHandler).serve_forever()", "%s", "%s"], connections: {http: [{name: %s, port: %s}]}}' "$1" "$2" "$work" "$3" "$2"; }
cat > change.yaml << END
steps:
- {name: a, run: ["sh", "-c", "echo \$A; pgrep -f '$work' -c > /dev/null; ls tmp > /dev/null"], services: [$(listener store "$port" A)]}
- {name: b, run: ["sh", "-c", "echo \$B"], services: [$(listener cache "$other" B)]}
END
pipeline --repeat 2 --verbose --json change.json change.yaml > change.out 2> change.err
check 'addresses of both, in both rounds' "0 127.0.0.1:$port 127.0.0.1:$other 127.0.0.1:$port 127.0.0.1:$other" "$? $(paste -sd' ' change.out)" || cat change.err
check 'each started in each round' '2 2' "$(json change.json '" ".join(str(s["starts"]) for s in r["servers"])')"
check 'nothing is left of them' '' "$(left)$(processes_of "*http.server*$work*")"

# Models: the server of all steps from before the first baseline on, on a network of this test's own.
printf '#!/bin/sh\nexec "%s" "$@" --of="%s"\n' "$triton" "$work" > bin/tritonserver
chmod +x bin/tritonserver
cat > models.yaml << END
name: models
steps:
- name: first
  models: [{name: seg}]
  run: ["sh", "-c", "echo \$NVIDIA_TRITON_HTTPURI \$CLARA_TRITON_URI \$NVIDIA_CLARA_TRTISURI \$NVIDIA_TRITON_GRPCURI"]
- name: none
  run: ["sh", "-c", "echo none \$NVIDIA_TRITON_HTTPURI"]
- name: second
  models: [{name: liver}, {name: seg}]
  run: $(ask NVIDIA_TRITON_HTTPURI /busy/0.2)
END
dry() { pipeline --dry-run --models-dir models "$@" > dry.out 2>&1; }
dry models.yaml
check 'what would be run' "0 - tritonserver: tritonserver --model-repository=models --model-control-mode=explicit --load-model=seg --load-model=liver" \
    "$? $(head -1 dry.out)"
alone() { unshare -n sh -c 'ip link set lo up 2> /dev/null || /sbin/ip link set lo up || busybox ip link set lo up; exec "$@"' - "$@"; }
if alone true 2> /dev/null; then
    TMPDIR=$work/in/tmp PATH=$work/in/bin:$PATH alone "$carbon" pipeline --details --zone FR --baseline 0 --no-ledger --runner process --verbose --models-dir models \
        --json models.json models.yaml > models.out 2> models.err
    check 'with models' 0 $? || cat models.err
    check "CPOST's variables, for who has models" '127.0.0.1:8000 127.0.0.1:8000 127.0.0.1:8000 127.0.0.1:8001/none' "$(paste -sd/ models.out | sed 's/ *$//')"
    check 'each model once' 'seg liver 1' "$(json models.json '" ".join(r["servers"][0]["models"] + [str(r["servers"][0]["starts"])])')"
    check 'beside all of them' 'True True True' "$(json models.json '" ".join(str(s["runs"][0]["servers"] is not None) for s in r["steps"])')"
    check 'nothing is left of it' '' "$(left)"
    # Interrupted before it is ready, nothing has been run.
    sed -i "s,--of=,--ready-file='$work/in/never' &," bin/tritonserver
    TMPDIR=$work/in/tmp PATH=$work/in/bin:$PATH alone "$carbon" pipeline --details --zone FR --baseline 0 --no-ledger --runner process --models-dir models \
        --json begun.json models.yaml > models.out 2> models.err &
    until_true runs "*$triton*never*"
    kill -TERM "$(processes_of "$carbon pipeline*begun.json*" | head -1)"
    wait $!
    check 'interrupted' "143 carbon: interrupted while the server 'tritonserver' got ready" "$? $(grep '^carbon' models.err)"
    check 'nothing is left, and nothing written' '' "$(left; ls begun.json* 2> /dev/null)"
else
    echo 'not tested: a server with models, for no network of its own can be made here'
fi

# Before anything is run: no folder, no model, another name, a path for one.
refused() { # WHAT FILE WORDS...
    local what=$1
    shift
    pipeline --json none.json "$@" > refused.out 2>&1
    check_match "refused: $what" "^125 carbon: .*$what" "$? $(tr '\n' ' ' < refused.out)"
    check "nothing is written: $what" '' "$(ls none.json* 2> /dev/null)"
}
refused "line 3: step 'first' needs models.*fix: --models-dir FOLDER" models.yaml
refused "cannot use the folder of models 'nowhere'" --models-dir nowhere models.yaml
rm -r models/liver
refused "needs a model that is not there.*no folder '$work/in/models/liver'" --models-dir models models.yaml
mkdir models/liver
echo 'name: "lung"' > models/liver/config.pbtxt
refused "needs a model whose configuration has another name.*'lung' is in the folder 'liver'" --models-dir models models.yaml
rm models/liver/config.pbtxt
for name in ../up a/b .hidden ''; do
    printf 'steps:\n- name: a\n  run: ["true"]\n  models: [{name: "%s"}]\n' "$name" > name.yaml
    refused "line 4, column 19: no model can be called '$name'" --models-dir models name.yaml
done
printf 'steps:\n- {name: a, run: ["true"], services: [{name: s}]}\n' > name.yaml
refused "the service 's' has nothing to run" name.yaml
printf 'steps:\n- {name: a, run: ["true"], services: [{name: s, run: ["true"], connections: {http: [{name: A, port: 70000}]}}]}\n' > name.yaml
refused 'a connection has a name and a port from 1 to 65535' name.yaml
printf 'steps:\n- {name: a, run: ["true"], services: [{name: s, run: ["true"], connections: {file: [{name: A}]}}]}\n' > name.yaml
refused 'a service cannot be reached through a volume here' name.yaml
refused "needs an inference server.*its service 'trtis' has models" two.yaml

# A server that cannot be run, that ends, that is never ready: its step could not be run, and the policy says what then.
cat > bad.yaml << END
steps:
- {name: nowhere, run: ["true"], services: [{name: absent, run: ["./no-such-server"]}]}
- {name: ended, run: ["true"], services: [{name: brief, run: ["sh", "-c", "echo the reason; exit 7"], connections: {http: [{name: A, port: $(free_port)}]}}]}
- {name: deaf, run: ["true"], services: [{name: silent, run: ["$act", sleep, "61.$$"], connections: {http: [{name: A, port: $(free_port)}]}}]}
- {name: good, run: ["true"]}
END
pipeline --force cont --server-timeout 5s --json bad.json bad.yaml 2> bad.err
check 'the rest is run' '3 3 0' "$? $(json bad.json '"%d %d" % (r["failed"], r["steps"][3]["runs"][0]["exit_status"])')"
check 'why' "cannot run './no-such-server'; the server 'brief' ended before it was ready; the server 'silent' was not ready within 5 s" \
    "$(json bad.json '"; ".join(s["problem"]["what"] for s in r["steps"][:3])')"
check_match 'what it said' '^the reason$' "$(cat bad.err)"
check 'none of them is left' '' "$(left)"

# What an engine is asked for a card: a stand-in for podman of a version that hands them on, and for Docker, which refuse
# in the end to make anything.
cat > engine.py << 'END'
import http.server, json, os, socketserver, sys
class Answers(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    def do_GET(self):
        self.answer(200, {"ServerVersion": sys.argv[2], "CgroupDriver": "none", "Id": "x",
                          "BuildahVersion": "1" if sys.argv[1].startswith("podman") else ""})
    def do_POST(self):
        with open(sys.argv[3], "a") as file:
            file.write(json.dumps(json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "{}")) + "\n")
        self.answer(400, {"message": "made nothing", "cause": "a stand-in"})
    def log_message(self, *_):
        pass
class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    def get_request(self):
        return super().get_request()[0], ("", 0)
Server(sys.argv[1], Answers).serve_forever()
END
cat > cards.yaml << 'END'
operators:
- {name: a, container: {image: some, tag: "1"}, requests: {gpu: 2}}
END
requests() { # ENGINE VERSION WORDS...: what it was asked to make
    local kind=$1 version=$2
    shift 2
    rm -f asked "$kind.socket"
    /usr/bin/python3 engine.py "$kind.socket" "$version" asked > engine.out 2>&1 &
    until_true test -S "$kind.socket"
    DOCKER_HOST=unix://$work/in/$kind.socket CONTAINER_HOST=unix://$work/in/$kind.socket "$carbon" pipeline --details --baseline 0 --no-ledger --force stop \
        --runner "$kind" "$@" cards.yaml > cards.out 2>&1
    kill $!
    wait $! 2> /dev/null
    /usr/bin/python3 -c 'import json, sys
for line in open("asked"):
    print(json.dumps(json.loads(line)["HostConfig"].get("DeviceRequests")))' 2>&1 | tail -1
}
check "podman's way" '[{"Driver": "cdi", "DeviceIDs": ["nvidia.com/gpu=all"]}]' "$(requests podman 5.4.1 --gpus all)" || cat cards.out
check "Docker's way" '[{"Driver": "", "Capabilities": [["gpu"]], "Count": -1}]' "$(requests docker 28.0.0 --gpus all)" || cat cards.out
check 'none' null "$(requests docker 28.0.0 --gpus none)"
check_match 'an older podman' 'Error|No such file' "$(requests podman 5.3.9 --gpus all)"
check_match 'is refused' 'podman 5.3.9 gives a container no graphics card' "$(cat cards.out)"

# One that ends while a step runs is told, and started again for the next.
port=$(free_port)
cat > dies.yaml << END
steps:
- {name: a, allow-failure: true, run: $(ask URI /end/5), services: [$(service store-triton "$port" URI --load-model=seg "--of=$work")]}
- {name: b, run: $(ask URI /busy/0), services: [$(service store-triton "$port" URI --load-model=seg "--of=$work")]}
END
pipeline --models-dir models --json dies.json dies.yaml 2> dies.err
check 'started again' '0 2' "$? $(json dies.json 'r["servers"][0]["starts"]')" || cat dies.err
check_match 'and told' "note: the server 'store-triton' ended while step 'a' ran" "$(cat dies.err)"

# A signal while a server gets ready, or while a step runs: all is ended, what was done is told. A kill of carbon ends it, too.
port=$(free_port)
cat > slow.yaml << END
steps:
- {name: quick, run: ["true"]}
- {name: slow, run: ["$act", sleep, "61.$$"], services: [$(service wait-triton "$port" URI "--ready-file=$work/in/never" "--of=$work")]}
- {name: not, run: ["true"]}
END
interrupt() { # SIGNAL PATTERN
    TMPDIR=$work/in/tmp "$carbon" pipeline --details --zone FR --baseline 0 --no-ledger --runner process --models-dir models --json slow.json slow.yaml 2> slow.err &
    pid=$!
    until_true runs "$2"
    kill -"$1" $pid
    wait $pid 2> /dev/null
}
interrupt TERM "*$triton*$work*"
check 'while it gets ready' '143 True 0' "$? $(json slow.json '"%s %d" % (r["interrupted"], r["steps"][0]["runs"][0]["exit_status"])')" || cat slow.err
check 'all is ended' '' "$(left)"
touch never
interrupt TERM "*act sleep 61.$$"
check 'while its step runs' '143 True True' "$? $(json slow.json '"%s %s" % (r["interrupted"], r["steps"][1]["runs"][0]["cut_short"])')" || cat slow.err
check 'all is ended then' '' "$(left)"
interrupt KILL "*act sleep 61.$$"
none() { [ -z "$(processes_of "*$triton*$work*")" ]; }
until_true none
check 'carbon was killed: the server is gone' '' "$(processes_of "*$triton*$work*")"
for pid in $(processes_of "*act sleep 61.$$"); do kill "$pid"; done

finish
