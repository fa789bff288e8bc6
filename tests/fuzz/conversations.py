# SPDX-License-Identifier: MIT
# First inputs of fuzz_answer: whole conversations by HTTP, as servers hold them.
import json


def conversation(whom, what, *answers):
    """Of fuzz_answer: an answer is its body, or (its status's place in the target's list, its body)."""
    told = [answer if isinstance(answer, tuple) else (0, answer) for answer in answers]
    return whom + bytes([what]) + b"".join(
        bytes([status]) + (body if isinstance(body, bytes) else json.dumps(body).encode()) + b"\0" for status, body in told)


def engine(what, word, *answers):
    """The word of the user's stands before the answers."""
    return b"e" + bytes([what]) + word + b"\0" + conversation(b"", 0, *answers)[1:]


ENGINE_ID = "0123456789abcdef" * 4
LISTED = {"Id": ENGINE_ID, "Names": ["/web"], "Image": "nginx:1", "State": "running", "Labels": {"app": "w", "carbon.run": "r"}}
LOOKED_AT = {"Id": ENGINE_ID, "Name": "/web", "Config": {"Image": "nginx:1"}, "State": {"Running": False, "Pid": 5, "Status": "exited",
             "ExitCode": 3, "OOMKilled": True}, "NetworkSettings": {"IPAddress": "", "Networks": {"a": {"IPAddress": "10.0.0.2"}}}}
CHASSIS = [{"Members": [{"@odata.id": "/redfish/v1/Chassis/0"}, {"@odata.id": "/redfish/v1/Chassis/1"}]},
           {"EnvironmentMetrics": {"@odata.id": "/redfish/v1/Chassis/1/EnvironmentMetrics"},
            "Power": {"@odata.id": "/redfish/v1/Chassis/1/Power"}}]
ANSWERED = b'{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1768867200,"1"],[1768867260,"2"]]}]}}'
MADE = [
    engine(0, b"web", [LISTED], [dict(LISTED, Names=["b"])], LOOKED_AT), engine(0, b"app=w", [LISTED, LISTED], []),
    engine(0, b"none", [dict(LISTED, State="exited"), LISTED], (10, {"message": "no\x1b[0m", "cause": "x"})),
    engine(2, b"web", LOOKED_AT), engine(3, b"a/b", (10, {"message": "gone"})), engine(4, b"a:1", {"Id": "sha256:1"}),
    engine(6, b"reg:5000/a@sha256:1", b'{"status":"Pulling"}\n{"error":"denied"}\n', {}),
    engine(6, b"a", b'{"status":"Pulling"}\n{"status":"Done"}', {"Id": "1"}),
    engine(8, b"a", [{"RepoTags": ["reg/x/a:1", "b:2"]}, {"RepoTags": None}]), engine(8, b"a", [{"RepoTags": ["a:1", "x/a:2"]}]),
    engine(10, b"", (3, {"Id": ENGINE_ID})), engine(10, b"", (10, {"message": "no such image"})), engine(10, b"", (15, b"no JSON.\n")),
    engine(12, b"r", [LISTED, LISTED], (4, b""), (12, {"message": "removal already in progress"})), engine(12, b"", [dict(LISTED, State="exited")], (15, b"")),
    engine(14, b"web", {"cpu_stats": {"cpu_usage": {"total_usage": 7}}, "memory_stats": {"usage": 5}}),
    conversation(b"c", 0, b"\1", (4, b""), LOOKED_AT),
    conversation(b"c", 0, (0, b""), (15, {"message": "exec: \"x\": executable file not found in $PATH"})),
    conversation(b"c", 0, (5, b""), (4, b""), dict(LOOKED_AT, State={"Running": True}), (15, b""), {"StatusCode": 137}, LOOKED_AT),
    conversation(b"c", 0, (10, {"message": "no such container"})),
    conversation(b"r", 0, *CHASSIS, {"PowerWatts": {"Reading": 312.5}}, {"PowerWatts": {"Reading": 313}}),
    conversation(b"r", 1, *CHASSIS, (10, b"{}"), {"PowerControl": [{"PowerConsumedWatts": "200"}]}, (8, b"")),
    conversation(b"r", 0, (8, b"")), conversation(b"r", 0, {"Members": []}), conversation(b"r", 0, b"<html>"),
    conversation(b"l", 0, b'{"data":[{"from":"2026-01-20T12:00Z","to":"2026-01-20T12:30Z","intensity":{"forecast":266,"actual":null}}]}'),
    conversation(b"l", 5, {"token": "abc"}, b'{"data":[{"point_time":"2026-01-20T12:00:00+00:00","value":870.0}],"meta":'
                 b'{"data_point_period_seconds":300,"region":"CAISO_NORTH","signal_type":"co2_moer","units":"lbs_co2_per_mwh"}}'),
    conversation(b"l", 5, {"token": ""}), conversation(b"l", 4, (8, {"error": {"message": "key user:word is wrong"}})),
    conversation(b"l", 2, (14, {"message": "slow down"})), conversation(b"l", 6, b"<Document></Document>"),
    conversation(b"p", 0, b'{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[5,"0.19"]}]}}'),
    conversation(b"p", 1, ANSWERED, ANSWERED), conversation(b"p", 2, ANSWERED, (13, b'{"status":"error","errorType":"execution","error":"too many samples"}'), ANSWERED),
    conversation(b"p", 2, (13, b'{"status":"error","errorType":"bad_data","error":"x"}')), conversation(b"p", 0, (11, b""), (9, b"")),
]
