# SPDX-License-Identifier: MIT
# A server that answers as the services of live grid data do: sourced after lib.sh. Its ports are $port and $other; `log`
# has what it was asked.
#
# live CASE SERVICE [ARGUMENT ...]  a day of January, as CSV in `csv`; what is said in `said`, the status in $status
# rows                              how many rows that has
# asked CASE                        how often that case was asked for
# refused NAME PATTERN CASE ...     a fault: never a value, always three parts and 125; nothing of $secrets is told
unset http_proxy https_proxy HTTPS_PROXY ALL_PROXY all_proxy XDG_CACHE_HOME CARBON_WATTTIME_KEY
unset CARBON_ELECTRICITY_MAPS_KEY
exec 9> >(exec /usr/bin/python3 "$source/tests/helpers/grid.py" log ports > server.txt 2>&1)
served ports server.txt
# shellcheck disable=SC2034 # for who sources this
read -r port other < ports

live() {
    local service=$2 range=(--from 2026-01-20 --to 2026-01-21) url=(--live-url "http://127.0.0.1:$port/$1")
    shift 2
    case " $* " in *' --from '*) range=() ;; esac
    case " $* " in *' --live-timeout '*) ;; *) set -- "$@" --live-timeout 300 ;; esac
    case " $* " in *' --live-url '*) url=() ;; esac
    rm -f csv
    "$carbon" factors --live "$service" "${url[@]}" "${range[@]}" --csv csv "$@" > out 2> said
    status=$?
}

rows() { tail -n +2 csv | wc -l; }

asked() { grep -cF " /$1/" log; }

refused() {
    local name=$1 pattern=$2
    shift 2
    live "$@"
    check "$name: status" 125 $status
    check_match "$name: message" "$pattern" "$(cat said)"
    check "$name: nothing is written" '' "$(ls csv* 2> /dev/null)"
    check_absent "$name: no key, nothing unprintable" "$secrets|"$'\x1b' "$(cat said out)"
}
