# shellcheck shell=bash
# Two guests of one processor each, with a cable between them, and optionally a driver on the host.

readonly BOOT_LIMIT=180          # seconds for both guests to come up and see each other
DRIVER=""

two_run() {
  RUN_NATIVE=no
  state_create
  mkdir -p "$STATE/exec"
  announce
  guest_prepare a "$OUT/a" eth0 10.78.0.1/24 fd78::1/64 10.78.0.2 < <(two_command "$COMMAND_A")
  guest_prepare b "$OUT/b" eth0 10.78.0.2/24 fd78::2/64 10.78.0.1 < <(two_command "$COMMAND_B")
  two_start a 01 on
  wait_until 20 two_link_ready || true
  two_start b 02 off
  if two_barrier; then
    two_driver_start
    two_wait
  else
    say "the two guests did not both come up within $BOOT_LIMIT s"
    STOP_GUESTS=yes
  fi
  two_conclude
}

two_command() { printf 'exec bash -c %q\n' "$1"; }

# A stream over a UNIX socket: the older `-netdev socket` goes over TCP with Nagle's algorithm, 40 ms a packet.
two_start() {            # two_start NAME LAST-BYTE-OF-MAC SERVER
  guest_start "$1" "${CPUS:-1}" "${MEMORY:-2G}" "$1| " \
    -netdev "stream,id=cable,server=$3,addr.type=unix,addr.path=$STATE/cable" \
    -device "virtio-net-pci,id=nic,netdev=cable,mac=52:54:00:78:00:$2,romfile=" \
    -device virtserialport,chardev=control,name=control -chardev "pipe,id=control,path=$STATE/$1/control"
}

two_link_ready() { [ -S "$STATE/cable" ] || ! alive "${QEMU[a]}"; }
two_all() { [ -e "$STATE/a/run/$1" ] && [ -e "$STATE/b/run/$1" ]; }
two_all_or_lost() { two_all "$1" || ! alive "${QEMU[a]}" || ! alive "${QEMU[b]}"; }

two_barrier() {          # both up; both see each other; both go
  wait_until $BOOT_LIMIT two_all_or_lost up && two_all up || return 1
  two_tell hello
  wait_until $BOOT_LIMIT two_all_or_lost ready && two_all ready || return 1
  for name in a b; do control_monitor_open "$name"; done
  two_tell go
}

two_tell() {
  local name
  for name in a b; do echo "$1" 1<>"$STATE/$name/control.in"; done
}

two_driver_start() {
  if [ -z "$COMMAND_DRIVE" ]; then return; fi
  LAB_CONTROL=$STATE LAB_TOOL=$LAB_HOME/rxe-lab LAB_OUT=$OUT \
    setsid bash -c "$COMMAND_DRIVE" </dev/null {STATE_LOCK}>&- &
  DRIVER=$!
  CLEANUP+=(two_driver_kill)
}

two_driver_kill() { kill -TERM -- "-$DRIVER" 2>/dev/null || true; }

two_wait() {             # until all three have ended; a driver that failed, or a time limit, ends the rest at once
  local driver_ended=no
  STATUS_DRIVE=0
  while :; do
    if [ -n "$DRIVER" ] && [ "$driver_ended" = no ] && ! alive "$DRIVER"; then
      child_status "$DRIVER"
      STATUS_DRIVE=$REPLY driver_ended=yes
      if [ "$STATUS_DRIVE" != 0 ]; then STOP_GUESTS=yes; return; fi
    fi
    if guest_done a && guest_done b; then
      if [ -z "$DRIVER" ] || [ "$driver_ended" = yes ]; then return; fi
      if ! alive "${QEMU[a]}" && ! alive "${QEMU[b]}"; then two_driver_orphaned; return; fi
    fi
    sleep 0.1
  done
}

two_driver_orphaned() {  # both guests are gone: the driver gets a moment to notice
  if wait_until 5 two_driver_gone; then
    child_status "$DRIVER"
    STATUS_DRIVE=$REPLY
  else
    say "the driver was stopped: both guests are gone"
    two_driver_kill
    STATUS_DRIVE=$EXIT_LOST
  fi
}

two_driver_gone() { ! alive "$DRIVER"; }

two_conclude() {
  local a b status=0 i drive=""
  two_drain
  guest_finish a; a=$REPLY
  guest_finish b; b=$REPLY
  if [ -n "$DRIVER" ]; then drive=", driver $STATUS_DRIVE"; fi
  say "two guests: a $a$(two_note a), b $b$(two_note b)$drive"
  if [ "$ALLOW_KILL" = yes ]; then
    if [ -e "$STATE/a/killed" ]; then a=0; fi
    if [ -e "$STATE/b/killed" ]; then b=0; fi
  fi
  for i in "${STATUS_DRIVE:-0}" "$a" "$b"; do if [ "$status" = 0 ]; then status=$i; fi; done
  for i in "$a" "$b"; do if [ "$i" = $EXIT_LOST ]; then status=$i; fi; done
  for i in "$a" "$b"; do if [ "$i" = $EXIT_LIMIT ]; then status=$i; fi; done
  conclude "$status" "$OUT"
}

two_note() { if [ -e "$STATE/$1/killed" ]; then echo " (killed)"; fi; }

two_drain() {            # the last output of guests that have ended their commands is on its way through the relays
  local name
  for name in a b; do
    if [ -e "$STATE/$name/run/status" ] && [ -z "${STOP_GUESTS:-}" ]; then wait_until 5 two_relay_gone "$name" || true; fi
  done
}

two_relay_gone() { ! alive "${RELAY[$1]}"; }
