# SPDX-License-Identifier: MIT
# Cells of a job's own energy: sourced after the others by guest.sh.
# shellcheck shell=bash disable=SC2016,SC2154 # the job's own shell expands its variables

# What computes takes long in an emulated machine: in one of them.
[ "$machine" = client ] || return 0

act=$built/../tests/helpers/act
export act
draws() { echo "$1 $2" > $raplmsr/task; }
# own NAME SECONDS: of a job that has 20 W more drawn by each CPU second
own() { measure "$1" --baseline 3 -- sh -c 'echo "$$ 20000" > $raplmsr/task; exec "$act" spin '"$2"; }
power 10000,5000,1000,2000,20000

own own-alone 2
# Others of 8 W that come and go, in the baselines and in the run
turns='spin 0.5 sleep 0.7 spin 0.3 sleep 0.4 spin 0.8 sleep 0.5 spin 0.4 sleep 0.9'
# shellcheck disable=SC2086 # words
"$act" $turns $turns $turns $turns $turns $turns &
draws $! 8000
own own-coming 5
kill $!
# Others of 30 W that stay and have memory
"$act" touch 64 spin 1000 &
draws $! 30000
own own-beside 2
kill $!
draws 0 0
power "$steady"
