# SPDX-License-Identifier: MIT
# A collector of OpenTelemetry in CLI tests: sourced after lib.sh.
#
# collect [CERTIFICATE]      starts tests/helpers/collector.py; $to is its address, $secure that with TLS
# pushed EXPRESSION          evaluates a Python expression over what it was sent since the last `forget` (tests/helpers/pushed.py)
# forget                     what was sent so far is forgotten
unset "${!OTEL_@}" POD_NAME POD_UID POD_NAMESPACE NODE_NAME "${!K8S_@}"

collect() {
    mkfifo collector.in
    /usr/bin/python3 -B "$source/tests/helpers/collector.py" "$work/in/sent" "$work/in/ports" "$@" < collector.in 2> collector.err &
    exec 8> collector.in
    served ports collector.err
    read -r plain_port secure_port < ports
    to=http://127.0.0.1:$plain_port
    secure=https://127.0.0.1:$secure_port
}

pushed() { /usr/bin/python3 -B "$source/tests/helpers/pushed.py" "$work/in/sent" "$1"; }
forget() { rm -f "$work/in/sent"; }
