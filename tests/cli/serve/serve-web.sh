#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve before clients of every kind: slow ones, many, huge requests; passwords, TLS, certificates of clients; sockets
# that were passed on or are a path; signals.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

python=/usr/bin/python3

# told TEXT: waits until the log says so
told() { until_true grep -q "$1" err; }

lay_serve_tree
serve --client-timeout 2
port=${url##*:}
# A client that trickles is cut off, one that is silent too; others are answered meanwhile.
"$python" - "$port" << 'END' > slow.out &
import socket, sys, time
trickling = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
silent = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
trickling.settimeout(60)
silent.settimeout(60)
ended = False
try:
    for byte in b"GET /metrics HTTP/1.1\r\nHost: x\r\nX-Long: " + b"y" * 600:
        trickling.sendall(bytes([byte]))
        trickling.setblocking(False)
        try:
            if trickling.recv(100) == b"":
                raise ConnectionResetError
        except BlockingIOError:
            pass
        trickling.settimeout(60)
        time.sleep(0.05)
except OSError:
    ended = True
print("trickling", ended)
try:
    print("silent", silent.recv(10) == b"")
except ConnectionResetError:
    print("silent", True)
END
slow=$!
check_match 'it tells of its own memory' '^process_resident_memory_bytes [1-9]' "$(scrape)"
check_match 'others are answered meanwhile' 'carbon_build_info' "$(scrape)"
wait $slow
tried 2 'A client of the exporter'
check 'slow clients are cut off' 'trickling True
silent True' "$(cat slow.out)"

# More clients of one address than may be: some are turned away, and afterwards all is as before.
tried 40 'A client of the exporter'
check 'so many at once' 16 "$("$python" - "$port" << 'END'
import socket, sys
clients = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(40)]
answered = 0
for client in clients:
    client.settimeout(30)
    try:
        client.sendall(b"GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
        answered += client.recv(100).startswith(b"HTTP/1.1 200")
    except OSError:
        pass
print(answered)
END
)"
# The others of another address are let in meanwhile: each address has its share.
check 'another address has its own' '16 16' "$("$python" - "$port" << 'END'
import socket, sys
clients = {where: [socket.create_connection(("127.0.0.1", int(sys.argv[1])), source_address=(where, 0)) for _ in range(20)]
           for where in ("127.0.0.3", "127.0.0.4")}
answered = dict.fromkeys(clients, 0)
for where, sockets in clients.items():
    for client in sockets:
        client.settimeout(30)
        try:
            client.sendall(b"GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
            answered[where] += client.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            pass
print(*answered.values())
END
)"
check 'then all is well' 'carbon is healthy.' "$(ask "$url/-/healthy")"
check 'a connection lives on' 3 "$("$python" - "$port" << 'END'
import http.client, sys
server, answered = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20), 0
server.connect()
socket = server.sock
for _ in range(3):
    server.request("GET", "/metrics")
    answer = server.getresponse()
    answered += answer.status == 200 and len(answer.read()) > 1000 and server.sock is socket
print(answered)
END
)"
# gzip where it is asked for, and the same text in it.
stop
start --listen 127.0.0.1:0 --resolution 3600
url=http://$(sed -n 's/^carbon: listening at \([^ ,]*\).*/\1/p' err)
scrape > plain
packed=$(scrape -i -H 'Accept-Encoding: br, gzip;q=0.8, *;q=0.1')
check_match 'gzip' '^content-encoding: gzip$' "$packed"
check_match 'by which headers' '^vary: accept, accept-encoding$' "$packed"
check_match 'openmetrics in gzip' '^content-type: application/openmetrics-text' \
    "$(scrape -i -H 'Accept-Encoding: gzip' -H 'Accept: application/openmetrics-text' | tee open)"
check_match 'is all there' '^content-encoding: gzip' "$(cat open)"
check_match 'to its end' '^# EOF$' "$(tail -n 1 open)"
check 'the same text' "$(cat plain)" "$(scrape -H 'Accept-Encoding: gzip')"
for header in 'gzip;q=0' 'identity' 'gzip;q=0.2, identity;q=0.9' '*;q=0' br; do
    check_absent "Accept-Encoding: $header" '^content-encoding' "$(scrape -i -H "Accept-Encoding: $header")"
done
check_match 'to whom it matters, without it, too' '^vary: accept, accept-encoding$' "$(scrape -i)"
check 'a HEAD is as long as a GET' "$(sed -n 's/^content-length: //p' <<< "$packed")" \
    "$(scrape -i -X HEAD -H 'Accept-Encoding: gzip' | sed -n 's/^content-length: //p')"
port=${url##*:}
# What is too large, or no HTTP, is refused, and nothing else suffers.
"$python" - "$port" << 'END' > huge.out
import socket, sys
def say(bytes):
    client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    client.settimeout(30)
    try:
        client.sendall(bytes)
        return client.recv(12)[9:].decode() or "closed"
    except OSError:
        return "closed"
print(say(b"GET /metrics HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 1000000 + b"\r\n\r\n"))
print(say(b"GET /" + b"y" * 1000000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"))
print(say(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n"))
print(say(b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n"))
print(say(b"GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nabc"))
END
tried 4 'A client of the exporter'
check_match 'a huge header' '^(431|413|closed)$' "$(sed -n 1p huge.out)"
check_match 'a huge path' '^(414|431|413|closed)$' "$(sed -n 2p huge.out)"
check_match 'no HTTP' '^(400|505|closed)$' "$(sed -n 3p huge.out)"
check 'a body is not waited for' '405 200' "$(sed -n 4,5p huge.out | paste -sd' ')"
check 'after it' 'carbon is healthy.' "$(ask "$url/-/healthy")"
kill -INT "$pid"
wait "$pid"
check 'SIGINT is a good end' 0 $?
pid=

# Passwords. The hashes are of "secret" and "geheim".
hash_of() { "$python" - "$1" "${2:-04}" << 'END'
import ctypes, sys
crypt = ctypes.CDLL("libcrypt.so.1").crypt
crypt.restype = ctypes.c_char_p
print(crypt(sys.argv[1].encode(), b"$2b$%s$abcdefghijklmnopqrstuu" % sys.argv[2].encode()).decode())
END
}
printf 'basic_auth_users:\n  ann: %s\n' "$(hash_of secret)" > web.yml
serve --web-config web.yml
check 'without a password' 401 "$(scrape -i | sed -n 1p)"
check_match 'it is asked for' '^www-authenticate: basic realm="carbon"' "$(scrape -i)"
check 'a wrong one' 401 "$(scrape -i -u ann:geheim | sed -n 1p)"
check 'of nobody' 401 "$(scrape -i -u bob:secret | sed -n 1p)"
check 'no base64' 401 "$(scrape -i -H 'Authorization: Basic !!' | sed -n 1p)"
login() { scrape -i -H "Authorization: $1 $(base64 -w 0)" | sed -n 1p; }
check 'no colon in it' 401 "$(printf ann | login Basic)"
check 'a NUL in it' 401 "$(printf 'ann:secre\0t' | login Basic)"
check 'longer than any' 401 "$(printf 'ann:secret%0600d' 0 | login Basic)"
check 'another scheme' 401 "$(printf 'ann:secret' | login Bearer)"
check 'said by hand' 200 "$(printf 'ann:secret' | login Basic)"
check 'the right one' 200 "$(scrape -i -u ann:secret | sed -n 1p)"
check 'once more, by memory' 200 "$(scrape -i -u ann:secret | sed -n 1p)"
check 'a beginning of it' 401 "$(scrape -i -u ann:secre | sed -n 1p)"
check 'all paths are closed' 401 "$(ask -i "$url/-/healthy" | sed -n 1p)"
# Read again at SIGHUP; what cannot be used leaves all as it was.
printf 'basic_auth_user:\n  bob: x\n' > web.yml
kill -HUP "$pid"
told basic_auth_user
check 'as it was' 200 "$(scrape -i -u ann:secret | sed -n 1p)"
printf 'basic_auth_users:\n  bob: %s\n' "$(hash_of geheim)" > web.yml
kill -HUP "$pid"
told 'was read again'
check 'the new one' 200 "$(scrape -i -u bob:geheim | sed -n 1p)"
check 'not the old one' 401 "$(scrape -i -u ann:secret | sed -n 1p)"
stop
check 'the end' 0 $status
# Costly hashes: wrong passwords are not looked at any more after some, the right one that was seen is.
printf 'basic_auth_users:\n  ann: %s\n' "$(hash_of secret 13)" > web.yml
serve --web-config web.yml
for ((i = 0; i < 20; i++)); do
    turned=$(scrape -i -u "ann:wrong$i" | sed -n 1p)
    [ "$turned" != 429 ] || break
done
tried "$((i + 1))" 'A client of the exporter'
check 'wrong passwords do not burn time' 429 "$turned"
# An attacker's wrong passwords keep nobody else out, who has not been seen yet.
check 'the right one, of another address' 200 "$("$python" - "$url" << 'END'
import http.client, base64, sys
connection = http.client.HTTPConnection(sys.argv[1].split("/")[2], source_address=("127.0.0.9", 0))
connection.request("GET", "/metrics", headers={"Authorization": "Basic " + base64.b64encode(b"ann:secret").decode()})
print(connection.getresponse().status)
END
)"
stop

# Under fire: wrong passwords without end, over several connections; whoever has the right one comes through each time.
printf 'basic_auth_users:\n  ann: %s\n' "$(hash_of secret 10)" > web.yml
serve --web-config web.yml
tried 20 'A client of the exporter'
check 'under fire' '20 of 20, the attacker 0' "$("$python" - "${url##*/}" << 'END'
import base64, http.client, sys, threading
def ask(connection, login):
    connection.request("GET", "/metrics", headers={"Authorization": "Basic " + base64.b64encode(login).decode()})
    answer = connection.getresponse()
    answer.read()
    return answer.status
def attack(number):
    while not over.is_set():
        connection = http.client.HTTPConnection(sys.argv[1], source_address=("127.0.0.2", 0), timeout=60)
        try:
            while not over.is_set():
                let_in.append(ask(connection, b"ann:wrong%d" % number))
                number += 8
        except (OSError, http.client.HTTPException):
            pass
over, let_in, right = threading.Event(), [], 0
attackers = [threading.Thread(target=attack, args=(i,)) for i in range(8)]
for attacker in attackers:
    attacker.start()
while len(let_in) < 20:
    over.wait(0.01)
for _ in range(20):
    right += ask(http.client.HTTPConnection(sys.argv[1], source_address=("127.0.0.9", 0), timeout=60), b"ann:secret") == 200
over.set()
for attacker in attackers:
    attacker.join()
print(f"{right} of 20, the attacker {let_in.count(200)}")
END
)"
stop

# What it may do is shut off once it has started: system calls, and files but for those it was started with.
mkdir "$work/elsewhere"
printf 'basic_auth_users: {}\n' > web.yml
serve --web-config web.yml
if grep -q 'files cannot be shut off' err; then
    echo 'files are not shut off: no Landlock'
else
    echo x > "$work/elsewhere/key.pem"
    printf 'tls_server_config:\n  key_file: ../elsewhere/key.pem\n' > web.yml
    kill -HUP "$pid"
    told 'key.pem.*ermission denied'
    check_match 'a file elsewhere is out of reach' 'new start' "$(cat err)"
    check 'and all goes on' 200 "$(scrape -i | sed -n 1p)"
fi
if grep -q 'system calls cannot be shut off' err || grep -q __asan_init "$carbon"; then
    echo 'system calls are not shut off here'
else
    check 'a filter of system calls' 2 "$(sed -n 's/^Seccomp:[[:space:]]*//p' "/proc/$pid/status")"
fi
stop
check 'it ends as ever' 0 $status
# Where the kernel has neither it is said, and nothing fails.
if "$helpers/refuse" sandbox -- true 2> /dev/null; then
    : > err
    "$helpers/refuse" sandbox -- "$carbon" serve --root tree --listen 127.0.0.1:0 --resolution 0.2 > out 2> err &
    pid=$!
    listening
    url=http://$(sed -n 's/^carbon: listening at \([^ ,]*\).*/\1/p' err)
    check_match 'without Landlock' 'files cannot be shut off by Landlock: this kernel has none' "$(cat err)"
    grep -q __asan_init "$carbon" || check_match 'without filters' 'system calls cannot be shut off' "$(cat err)"
    check_match 'it answers all the same' carbon_build_info "$(scrape)"
    stop
else
    echo 'a kernel without them is not tried: no filter can be set here'
fi
serve --no-sandbox
check 'without it' 0 "$(sed -n 's/^Seccomp:[[:space:]]*//p' "/proc/$pid/status")"
stop

# TLS.
if command -v openssl > /dev/null; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext 'subjectAltName=IP:127.0.0.1' \
        -keyout key.pem -out cert.pem 2> /dev/null
    printf 'tls_server_config:\n  cert_file: cert.pem\n  key_file: %s\n' "$PWD/key.pem" > web.yml
    serve --web-config web.yml
    check 'over TLS' 200 "$(scrape -i --ca cert.pem | sed -n 1p)"
    check 'who does not trust it' 'failed: SSLCertVerificationError' "$(scrape)"
    check_match 'no TLS 1.1' '^failed: SSL' "$(scrape --ca cert.pem --tls TLSv1_1)"
    check 'TLS 1.2' 200 "$(scrape -i --ca cert.pem --tls TLSv1_2 | sed -n 1p)"
    check_match 'no plain text' '^failed' "$(ask "http${url#https}/metrics")"
    stop
    # Certificates of clients: the server's own as authority.
    cat >> web.yml << 'END'
  min_version: TLS13
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: cert.pem
END
    cat key.pem cert.pem > client.pem
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout other.pem -out other-cert.pem 2> /dev/null
    cat other-cert.pem >> other.pem
    serve --web-config web.yml
    check 'a client without a certificate' 403 "$(scrape -i --ca cert.pem | sed -n 1p)"
    check 'with a strange one' 403 "$(scrape -i --ca cert.pem --cert other.pem | sed -n 1p)"
    check 'with a good one' 200 "$(scrape -i --ca cert.pem --cert client.pem | sed -n 1p)"
    check_match 'no TLS 1.2 any more' '^failed: SSL' "$(scrape --ca cert.pem --cert client.pem --tls TLSv1_2)"
    stop
    cp cert.pem key.pem
    printf 'tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n' > web.yml
    "$carbon" serve --root tree --listen 127.0.0.1:0 --web-config web.yml > out 2> err
    check 'a key that is none' 125 $?
else
    echo 'TLS is not tried: no openssl'
fi

# A configuration that is wrong is refused with its line.
refused() {
    printf "$2" > web.yml
    "$carbon" serve --root tree --listen 127.0.0.1:0 --web-config web.yml > out 2> err
    check "$1: refused" 125 $?
    check_match "$1: said" "$3" "$(cat err)"
}
refused 'an unknown key' 'tls_server_config:\n  cert_fil: x\n' "line 2.*'cert_fil' is not known"
refused 'a key of others' 'rate_limit:\n  burst: 2\n' "line 1.*'rate_limit' is not offered"
refused 'no hash' 'basic_auth_users:\n  ann: secret\n' "line 2.*not a bcrypt hash"
refused 'a costly hash, over MAX_COST' "basic_auth_users:\n  ann: $(hash_of x | sed 's/\$04\$/$20$/')\n" 'cost of 20'
refused 'no certificate' 'tls_server_config:\n  key_file: nowhere.pem\n' 'nowhere.pem'
refused 'no such version' 'tls_server_config:\n  min_version: SSL3\n' 'SSL3'
refused 'no such authority' 'tls_server_config:\n  client_auth_type: RequestClientCert\n' 'RequestClientCert'

# A path; one that is left behind by a killed one is taken over, one that is in use is not.
start --listen "unix:$PWD/s" --resolution 0.2
check_match 'a path' carbon_build_info "$(ask "unix:$PWD/s")"
"$carbon" serve --root tree --listen "unix:$PWD/s" > out 2> again
check 'which is in use' 125 $?
check_match 'is said' 'cannot listen at' "$(cat again)"
{ kill -KILL "$pid" && wait "$pid"; } 2> /dev/null
start --listen "unix:$PWD/s" --resolution 0.2
check_match 'after a kill' carbon_build_info "$(ask "unix:$PWD/s")"
stop
check 'it is taken away in the end' no "$(exists s)"

# A socket that was passed on, as systemd does.
cat > pass.py << 'END'
import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=sys.argv[1])
os.execv(sys.argv[2], sys.argv[2:])
END
: > err
"$python" pass.py 1 "$carbon" serve --root tree --resolution 0.2 > port 2> err &
pid=$!
listening
url=http://127.0.0.1:$(cat port)
check_match 'the socket that was passed on' "listening at 127.0.0.1:$(cat port)" "$(cat err)"
check_match 'answers' carbon_build_info "$(scrape)"
stop
"$python" pass.py 2 "$carbon" serve --root tree > port 2> err
check 'two sockets' 125 $?
# As the unit has it: carbon has no network of its own.
if unshare=$(command -v unshare) && unshare -rn true 2> /dev/null; then
    : > err
    "$python" pass.py 1 "$unshare" -rn "$carbon" serve --root tree --resolution 0.2 > port 2> err &
    pid=$!
    listening
    url=http://127.0.0.1:$(cat port)
    check_match 'without a network of its own' carbon_build_info "$(scrape)"
    stop
else
    echo 'a network of its own is not tried: unshare cannot make one here'
fi

# Who can be reached by others says so.
start --listen 0.0.0.0:0 --resolution 0.2
check_match 'open to others' 'other machines can reach 0.0.0.0:[0-9]+: no authentication, without TLS' "$(cat err)"
check_match 'a fine resolution' 'below a second.*PLATYPUS' "$(tr '\n' ' ' < err)"
stop
for where in 127.0.0.1 nowhere.example:1 127.0.0.1:99999 '[::1:5' unix:; do
    "$carbon" serve --root tree --listen "$where" > out 2> err
    check "--listen $where" 125 $?
done
if "$python" -c 'import socket; socket.create_server(("::1", 0), family=socket.AF_INET6)' 2> /dev/null; then
    start --listen '[::1]:0' --resolution 0.2
    check_match 'IPv6' carbon_build_info "$(ask "http://$(sed -n 's/.*listening at \([^,]*\),.*/\1/p' err)/metrics")"
    stop
else
    echo 'IPv6 is not tried: there is none'
fi
finish
