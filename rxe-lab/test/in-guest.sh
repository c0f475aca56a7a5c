# shellcheck shell=bash
# Part of the self-test: runs in the guest with the arguments "two  words" "it's" '"$x"' '' '*', and ends with 255.

check() {
  local name=$1
  shift
  if "$@" >/run/lab/detail 2>&1; then echo "ok $name"; else echo "not ok $name"; cat /run/lab/detail; fi
}

pingpong() {             # C against C on the one device
  ibv_rc_pingpong -g 1 -n 50 >/run/lab/server 2>&1 &
  local server=$! tries
  for ((tries = 0; tries < 50; tries++)); do
    if ibv_rc_pingpong -g 1 -n 50 127.0.0.1; then wait "$server"; return; fi
    sleep 0.2
  done
  return 1
}

native() {               # in here the host is this guest: first with its device, then without one
  local lab rest
  lab=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")/rxe-lab
  export LAB_CACHE=/run/lab/cache
  check "native: an existing device is used" bash -c '"$1" true 2>&1 | grep -q "own device rxe0"' - "$lab"
  rdma link delete rxe0
  ip link del lab0
  modprobe -r rdma_rxe
  check "native: a device is made for the run" bash -c '"$1" --mode native ibv_devinfo 2>&1 | grep -q PORT_ACTIVE' - "$lab"
  check "native: --mode native passes the status" bash -c '"$1" --mode native bash -c "exit 9"; [ $? = 9 ]' - "$lab"
  rest="$(ls /sys/class/infiniband 2>/dev/null)$(ip link show lab0 2>/dev/null)$(lsmod | grep -w '^rdma_rxe')"
  check "native: all of it is undone" [ -z "$rest" ]
  check "native: auto chooses to make a device" bash -c '"$1" true 2>&1 | grep -q "made on this host"' - "$lab"
  check "native: the time limit gives 124" bash -c '"$1" --limit 1 sleep 60; [ $? = 124 ]' - "$lab"
}

check "single: arguments with blanks, quotes and nothing" [ "$#|$1|$2|$3|$4|$5" = "5|two  words|it's|\"\$x\"||*" ]
check "single: --env passes the value" [ "$RXE_TEST_VALUE" = "it's \"quoted\" \$HOME" ]
check "single: standard input is empty" bash -c '! read -r -n 1'
check "single: the locked-memory limit is off" [ "$(ulimit -l)" = unlimited ]
check "single: rxe0 is active" bash -c 'ibv_devinfo -d rxe0 | grep -q PORT_ACTIVE'
check "single: librdmacm's device file" [ -c /dev/infiniband/rdma_cm ]
check "single: IPv6 address on lab0" bash -c 'ip -6 addr show dev lab0 | grep -q fd77::1/64'
check "single: /dev/stdout can be opened" bash -c 'echo opened >/dev/stdout'
check "single: process substitution" bash -c '[ "$(cat <(echo x))" = x ]'
check "single: /tmp is writable" bash -c 'echo x >/tmp/rxe-lab-self-test'
check "single: C ping-pong on one device" pingpong
if [ -x "${JAVA_HOME:-}/bin/java" ]; then
  check "single: a JVM starts" java -version
  java -version
else
  echo "skip single: a JVM starts (no JDK of version 25 found)"
fi
mkdir -p "$LAB_OUT/dir"
echo result >"$LAB_OUT/dir/file"
echo written >"written through/file"
echo lost >elsewhere
native
printf 'last words'
exit 255
