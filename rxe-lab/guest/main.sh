# shellcheck shell=bash
# Process 1 of the guest, on the host's root file system: sets the machine up, runs the command, reports, and waits for
# the host to switch it off. What it prints goes to the kernel's console, which the host shows when things go wrong.
# In /lab/run the host left: settings (variables), environment and command; here go ready, status and oops.
. /lab/run/settings
. /lab/run/environment

fail() { echo "rxe-lab guest: $*"; echo o >/proc/sysrq-trigger; sleep 60; }

setup_system() {
  local pair
  mount -t tmpfs -o mode=755 run /run
  mkdir -p /run/lock /run/lab /dev/shm /dev/pts /lib/modules /tmp
  mount -t tmpfs -o mode=1777 shm /dev/shm
  mount -t devpts -o ptmxmode=666 pts /dev/pts
  for pair in fd:fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do ln -sf "/proc/self/${pair#*:}" "/dev/${pair%:*}"; done
  mount --bind /lab/modules /lib/modules
  chmod 1777 /tmp
  ulimit -l unlimited -n 65536
  hostname "$GUEST_HOSTNAME"
  echo "127.0.0.1 localhost $GUEST_HOSTNAME" >/etc/hosts
  printf '::1 localhost\n10.78.0.1 lab-a\n10.78.0.2 lab-b\n' >>/etc/hosts
  ip link set lo up
  modprobe -a rdma_rxe ib_uverbs rdma_ucm || fail "cannot load rdma_rxe"
}

setup_mounts() {         # the writable directories, at the places they have on the host; outer ones come first
  local i options=trans=virtio,version=9p2000.L,msize=1048576,cache=mmap
  for i in "${!MOUNT_PATHS[@]}"; do
    mkdir -p "${MOUNT_PATHS[i]}"
    if [ "${MOUNT_TAGS[i]}" = out ]; then
      mount --bind /lab/out "${MOUNT_PATHS[i]}"
    else
      mount -t 9p -o $options "${MOUNT_TAGS[i]}" "${MOUNT_PATHS[i]}"
    fi || fail "cannot mount ${MOUNT_PATHS[i]}"
  done
}

setup_device() {         # an address on $NETDEV and a Soft-RoCE device upon it
  if [ "$NETDEV" = lab0 ]; then ip link add lab0 type dummy; fi
  sysctl -qw net.ipv6.conf."$NETDEV".keep_addr_on_down=1 2>/dev/null ||
    echo 1 >"/proc/sys/net/ipv6/conf/$NETDEV/keep_addr_on_down"
  ip addr add "$ADDRESS4" dev "$NETDEV"
  ip addr add "$ADDRESS6" dev "$NETDEV" nodad
  ip link set "$NETDEV" up
  rdma link add rxe0 type rxe netdev "$NETDEV" || fail "cannot make rxe0 on $NETDEV"
}

port() {                 # port NAME: path of the virtio serial port with that name (there is no udev here)
  local name
  for name in /sys/class/virtio-ports/*/name; do
    if [ "$(<"$name")" = "$1" ]; then name=${name%/name}; echo "/dev/${name##*/}"; fi
  done
}

join() {                 # the two-guest barrier: up, peer reachable, ready, go
  local line control tries
  control=$(port control)
  exec {CONTROL}<>"$control"
  touch /lab/run/up
  read -r line <&"$CONTROL"
  for ((tries = 0; tries < 100; tries++)); do
    if busybox ping -c 1 -W 1 "$PEER" >/dev/null 2>&1; then touch /lab/run/ready; break; fi
  done
  read -r line <&"$CONTROL"
  if [ "$line" != go ]; then fail "expected go, got '$line'"; fi
  agent &
}

agent() {                # runs the commands of `--control exec`, each in the background so that none can block the next
  local id
  renice -n -10 -p "$BASHPID" >/dev/null
  exec >/dev/null 2>&1
  while read -r id <&"$CONTROL"; do agent_run "/lab/run/exec/$id" & done
}

agent_run() {
  if [ -e "$1/abandoned" ]; then return; fi
  local status=0
  timeout -k 1 "$(<"$1/deadline")" nice -n 10 bash "$1/command" </dev/null >"$1/output" 2>&1 || status=$?
  echo "$status" >"$1/status.new"
  mv "$1/status.new" "$1/status"
}

run_command() {          # through a pipe, so that /dev/stdout and /dev/stderr can be opened again by the command
  local pipe=/run/lab/output status=0 output
  mkfifo "$pipe"
  cat "$pipe" >"$(port output)" &
  exec {output}>"$pipe"
  (
    cd "$DIRECTORY" || exit 126
    exec {output}>&-
    exec setsid bash /lab/run/command </dev/null >"$pipe" 2>&1
  ) || status=$?
  report "$status"
  printf '\036rxe-lab-end\n' >&"$output"
}

report() {
  if dmesg | grep -Eq 'BUG:|WARNING:|Oops|general protection fault|Call Trace:'; then
    dmesg >/lab/out/dmesg.txt
    touch /lab/run/oops
  fi
  sync
  echo "$1" >/lab/run/status.new
  mv /lab/run/status.new /lab/run/status
}

setup_system
setup_mounts
setup_device
dmesg -n 7
if [ -n "$PEER" ]; then join; fi
run_command
while :; do sleep 3600; done
