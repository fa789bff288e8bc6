#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --container of an engine whose statistics are zeros that nobody counted, as podman's are without root where
# a container has no control group of its own: its processes tell.
. "$(dirname "$0")/../lib.sh"

id=$(printf 'c0ffee%058d' 7)
cat > engine.py << 'END'
import http.server, json, os, socketserver, sys
path, id, pid = sys.argv[1], sys.argv[2], int(sys.argv[3])
answers = {
    "/info": {"ServerVersion": "4.9", "BuildahVersion": "1", "CgroupDriver": "cgroupfs"},
    "/containers/json": [{"Id": id, "Names": ["/quiet"], "Image": "bb:1", "State": "running", "Labels": {}}],
    f"/containers/{id}/json": {"Id": id, "Name": "/quiet", "Config": {"Image": "bb:1"},
                               "State": {"Running": True, "Pid": pid, "Status": "running"}},
    f"/containers/{id}/stats": {"cpu_stats": {"cpu_usage": {"total_usage": 0}, "system_cpu_usage": 5, "online_cpus": 2},
                                "memory_stats": {"usage": 621838336, "max_usage": 0, "limit": 1 << 33}},
}
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(answers.get(self.path.split("?")[0], {})).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def address_string(self):
        return "socket"
    def log_message(self, *words):
        pass
class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
server = Server(path, Answer)
os.rename(path, path[:-4])
server.serve_forever()
END
# engine PID: one whose container has this first process
engine() {
    rm -f socket
    /usr/bin/python3 engine.py "$PWD/socket.new" "$id" "$1" > log 2>&1 &
    server=$!
    served socket log
}
CONTAINER_HOST=unix://$PWD/socket DOCKER_HOST=unix://$work/none
export CONTAINER_HOST DOCKER_HOST
measure() { "$carbon" measure -v --source model --baseline 0 --no-ledger --container quiet --json r.json "$@"; }

# What looks after a container is called with its id, and is the parent of its first process.
mkfifo go
bash -c 'act=$3; "$act" hold USR1 forks-spin 2 0.5 > said & echo $! > pid; read -r < go; wait' conmon -c "$id" "$helpers/act" &
monitor=$!
until_true grep -sq ready said
first=$(cat pid)
engine "$first"
measure --samples s.csv > out 2> err &
until_true grep -sq '^[0-9].*,run,' s.csv.partial
kill -USR1 "$first"
wait $!
check 'measured until its end' 0 $? || cat err
check 'memory, by its processes' True "$(json r.json '(lambda peak: peak["from"] == "process tree" and 0 < peak["value"] < 64 << 20 or peak)(r["usage"]["memory_peak_bytes"])')"
check 'a second of CPU time, by its processes' True "$(json r.json '(lambda cpu: cpu["from"] == "process tree" and 0.94 <= cpu["value"] <= 1.1 or cpu)(r["usage"]["cpu_s"])')"
echo > go
wait $monitor
kill $server

# A process of that number which nobody looks after for this container is another's.
"$helpers/act" sleep 300 &
other=$!
engine $other
measure --for 1 > out 2> err
check 'nothing tells of it' 4 $?
check_match 'why' "podman reports no CPU time of it, and its cgroup is not readable here" "$(cat err)"
kill $server $other
finish
