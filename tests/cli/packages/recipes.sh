#!/bin/bash
# SPDX-License-Identifier: MIT
# Recipes for systems that are not here: syntax, and that each names what carbon needs and what a build installs.
. "$(dirname "$0")/../lib.sh"

/usr/bin/python3 -c 'import yaml' 2> /dev/null || skip 'no PyYAML'
version=$("$carbon" --version | sed -n '1s/^carbon //p')
mkdir made
for file in arch/PKGBUILD nix/default.nix spack/package.py easybuild/carbon.eb conda/meta.yaml rpm/carbon.spec helm/carbon/Chart.yaml; do
    "$source/packaging/recipe.sh" "$source/packaging/$file" > "made/${file##*/}"
    check "$file: the version" 0 "$(grep -c '@VERSION@' "made/${file##*/}")"
    check "$file: this version" yes "$(grep -qF "$version" "made/${file##*/}" && echo yes)"
    # what cannot be built without: each recipe names each
    for library in cjson csv gsl inih yaml microhttpd gnutls 'curl' 'sqlite'; do
        case $file in helm/* | easybuild/*) continue ;; esac
        check "$file: $library" yes "$(grep -qi "$library" "made/${file##*/}" && echo yes)"
    done
done
bash -n made/PKGBUILD
check 'PKGBUILD' 0 $?
for file in made/package.py made/carbon.eb; do
    check "${file##*/}" 0 "$(/usr/bin/python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$file"; echo $?)"
done
! command -v nix-instantiate > /dev/null || check 'default.nix' 0 "$(nix-instantiate --parse made/default.nix > /dev/null; echo $?)"
! command -v rpmspec > /dev/null || check 'carbon.spec' 0 "$(rpmspec --parse made/carbon.spec > /dev/null 2> said; echo $?)"

# Kubernetes: every container with the least that reading the counters needs; the chart says the same.
cat > manifests.py <<'END'
import re, sys, yaml

def documents(text):
    return [d for d in yaml.safe_load_all(text) if d]

def facts(ds):
    pod = ds["spec"]["template"]["spec"]
    [container] = pod["containers"]
    security = container["securityContext"]
    assert ds["spec"]["selector"]["matchLabels"].items() <= ds["spec"]["template"]["metadata"]["labels"].items()
    mounts = {m["name"]: (m["mountPath"], m["readOnly"]) for m in container["volumeMounts"]}
    assert set(mounts) == {v["name"] for v in pod["volumes"]}
    return {"caps": security["capabilities"], "readonly": security["readOnlyRootFilesystem"],
            "escalation": security["allowPrivilegeEscalation"], "token": pod["automountServiceAccountToken"],
            "mounts": mounts, "paths": sorted(v["hostPath"]["path"] for v in pod["volumes"]), "args": container["args"],
            "ports": container["ports"], "resources": container["resources"], "tolerations": pod["tolerations"],
            "privileged": security.get("privileged", False)}

folder = sys.argv[1]
by_kind = {d["kind"]: d for d in documents(open(folder + "/kubernetes/carbon.yaml"))}
plain = facts(by_kind["DaemonSet"])
assert plain["caps"] == {"drop": ["ALL"], "add": ["DAC_READ_SEARCH"]} and plain["readonly"] and not plain["escalation"]
assert not plain["token"] and not plain["privileged"] and all(readonly for _, readonly in plain["mounts"].values())
[monitor] = documents(open(folder + "/kubernetes/podmonitor.yaml"))
assert monitor["spec"]["podMetricsEndpoints"][0]["port"] in [p["name"] for p in plain["ports"]]
assert monitor["spec"]["selector"]["matchLabels"].items() <= by_kind["DaemonSet"]["spec"]["template"]["metadata"]["labels"].items()
# The chart, with its default values put in as Helm would.
values = yaml.safe_load(open(folder + "/helm/carbon/values.yaml"))
text = open(folder + "/helm/carbon/templates/daemonset.yaml").read()
text = re.sub(r"{{-? /\*.*?\*/ -?}}", "", text)
text = re.sub(r"{{ required \S+.*?}}", '"IMAGE"', text)
text = re.sub(r"{{ concat .*? }}", lambda _: yaml.safe_dump(["serve", "--root", "/host", "--listen", "0.0.0.0:%d" % values["port"]] + values["options"], default_flow_style=True).strip(), text)
text = re.sub(r"{{ toJson \.Values\.(\w+) }}", lambda m: yaml.safe_dump(values[m[1]], default_flow_style=True, width=10000).strip(), text)
text = text.replace("{{ .Values.port }}", str(values["port"])).replace("{{ .Release.Name }}", "carbon")
assert "{{" not in text, text
assert facts({d["kind"]: d for d in documents(text)}["DaemonSet"]) == plain
print("alike")
END
check 'Kubernetes and Helm' alike "$(/usr/bin/python3 manifests.py "$source/packaging" 2>&1)"
! command -v helm > /dev/null || check 'helm lint' 0 "$(cp -r "$source/packaging/helm/carbon" chart &&
    cp made/Chart.yaml chart/ && helm lint --set image=a/b:1 chart > said 2>&1; echo $?)"

# Services of continuous integration: their commands, run as they would be.
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$carbon" > bin/carbon
chmod +x bin/carbon
cat > steps.py <<'END'
import sys, yaml
folder, what = sys.argv[1:]
if what == "github":
    action = yaml.safe_load(open(folder + "/ci/github/action.yml"))
    [step] = action["runs"]["steps"]
    print(step["run"].replace('"$GITHUB_ACTION_PATH/../../../quickstart"', "carbon"))
else:
    job = yaml.safe_load(open(folder + "/ci/gitlab/carbon.yml"))[".carbon"]
    print("\n".join(job["script"]))
END
/usr/bin/python3 steps.py "$source/packaging" github > github.sh
COMMAND='exit 0' ZONE=FR OPTIONS='--source model' RUNNER_TEMP=$PWD GITHUB_JOB=one GITHUB_OUTPUT=outputs PATH=$PWD/bin:$PATH bash -e github.sh > said 2>&1
check 'GitHub: status' 0 $? || cat said
check 'GitHub: the record' FR "$(json "$(sed -n 's/^json=//p' outputs)" 'r["factor"]["zone"]')"
check 'GitHub: the build is there' yes "$([ -x "$source/packaging/ci/github/../../../quickstart" ] && echo yes)"
COMMAND='exit 3' ZONE=FR OPTIONS='' RUNNER_TEMP=$PWD GITHUB_JOB=two GITHUB_OUTPUT=outputs PATH=$PWD/bin:$PATH bash -e github.sh > said 2>&1
check "GitHub: a failure is the job's" 3 $?
/usr/bin/python3 steps.py "$source/packaging" gitlab > gitlab.sh
CARBON_COMMAND='exit 0' CARBON_ZONE=FR CARBON_OPTIONS='--source model' PATH=$PWD/bin:$PATH bash -e gitlab.sh > said 2>&1
check 'GitLab: status' 0 $? || cat said
check 'GitLab: the record' FR "$(json carbon.json 'r["factor"]["zone"]')"

# The project's own jobs: the same on both forges, and each command is there.
cat > matrix.py <<'END'
import os, re, subprocess, sys, yaml
source, makefile = sys.argv[1:]
github = yaml.safe_load(open(source + "/.github/workflows/test.yml"))["jobs"]
gitlab = yaml.safe_load(open(source + "/.gitlab-ci.yml"))
gitlab = {name: job for name, job in gitlab.items() if name not in ("stages", "default")}
make = open(makefile).read()

def commands(job):
    if "script" in job:
        return job["script"]
    return [re.sub(r"\${{ matrix\.(\w+) }}", r"$\1", step["run"]) for step in job["steps"] if "run" in step]

def values(job):
    """of each variable of the matrix"""
    rows = job.get("parallel", {}).get("matrix") or job.get("strategy", {}).get("matrix", {})
    if isinstance(rows, dict):
        rows = rows.get("include") or [rows]
    found = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name, []).extend(value if isinstance(value, list) else [value])
    return found

assert list(github) == list(gitlab), (list(github), list(gitlab))
for name in github:
    assert commands(github[name]) == commands(gitlab[name]), name
    assert values(github[name]) == values(gitlab[name]), name
    for command in commands(github[name]):
        words = command.split()
        if words[:3] == ["make", "-C", "build"]:
            assert re.search("^%s:" % words[3], make, re.M), command
            assert all(re.search("^%s =" % setting.split("=")[0], make, re.M) for setting in words[4:]), command
        elif words[0] == "./quickstart":
            assert words[1:] in (["test"], ["test", "--all"], ["--version"]) and os.access(source + "/quickstart", os.X_OK), command
        else:
            assert words[:3] == ["apt-get", "install", "-y"], command
machines = values(github["platforms"])
script = open(source + "/tests/architectures.sh").read()
assert machines["MACHINE"] == re.search("^PLATFORMS = (.*)", make, re.M)[1].split(), machines
for machine, compiler in zip(machines["MACHINE"], machines["COMPILER"]):
    assert re.search(r"^ *%s\) echo %s " % (machine, compiler.removeprefix("gcc-")), script, re.M), machine
rows = subprocess.run([source + "/tests/compilers.sh", "--list"], capture_output=True, text=True).stdout.splitlines()
assert sorted({row.split()[1] for row in rows}) == sorted(values(github["compilers"])["COMPILER"])
assert set(values(github["debian"])["RELEASE"]) == {row.split()[0] for row in rows}
print("alike")
END
check 'the jobs of this project' alike "$(/usr/bin/python3 matrix.py "$source" "$builddir/Makefile" 2>&1)"
sed 's/^check-packages:/check-parcels:/' "$builddir/Makefile" > Makefile
check_match 'a target that is not there is found' 'AssertionError: make -C build check-packages' \
    "$(/usr/bin/python3 matrix.py "$source" Makefile 2>&1)"
finish
