# shellcheck shell=bash
# Messages, exit statuses, the private state directory and its removal.

readonly EXIT_USAGE=64 EXIT_MISSING=69 EXIT_LOST=70 EXIT_CRASH=71 EXIT_LIMIT=124

CACHE=${LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rdma-channel-lab}
STATE=""                 # this run's private directory, set by state_create
CLEANUP=()               # functions to call at exit, the last added first
CHILDREN=()              # processes to end at exit

say() { echo "rxe-lab: $*" >&2; }

die() {                  # die STATUS MESSAGE...
  local status=$1
  shift
  say "$*"
  exit "$status"
}

cleanup() {
  trap '' INT TERM HUP
  local i
  for ((i = ${#CLEANUP[@]} - 1; i >= 0; i--)); do "${CLEANUP[i]}" || true; done
  for i in "${CHILDREN[@]}"; do stop_process "$i"; done
  if [ -n "$STATE" ]; then rm -rf "$STATE"; fi
}

alive() { kill -0 "$1" 2>/dev/null; }

stop_process() {         # asks a child to end, insists after five seconds, and reaps it
  local pid=$1 tries=100
  if kill -TERM "$pid" 2>/dev/null; then
    while alive "$pid" && ((tries-- > 0)); do sleep 0.05; done
    kill -KILL "$pid" 2>/dev/null || true
  fi
  wait "$pid" 2>/dev/null || true
}

child_status() {         # waits for one child and prints its status; never fails under set -e
  local status=0
  wait "$1" || status=$?
  REPLY=$status
}

# The state directory is short (UNIX sockets allow some 100 characters) and held by a lock for as long as this process or
# its children live. Directories of runs that were killed outright are swept away by the next run.
state_create() {
  local base=/tmp old fd
  exec {fd}>"$CACHE/state.lock"
  flock "$fd"
  for old in "$base"/rxe-lab.*/lock; do
    if [ -O "$old" ] && flock -n "$old" true; then rm -rf "${old%/lock}"; fi
  done
  STATE=$(mktemp -d "$base/rxe-lab.XXXXXX")
  exec {STATE_LOCK}>"$STATE/lock"
  flock "$STATE_LOCK"
  exec {fd}>&-
}

wait_until() {           # wait_until SECONDS CONDITION...: polls a cheap condition; fails when the time is up
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    if ((SECONDS >= deadline)); then return 1; fi
    sleep 0.1
  done
}
