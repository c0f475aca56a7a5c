# shellcheck shell=bash
# The same without QEMU: the host's own RDMA device, or a Soft-RoCE device made for the run and removed after it.

RUN_NATIVE=no
NATIVE_MODULES=""        # modules that were loaded before we came
NATIVE_LOCK=/run/lock/rxe-lab-native

native_devices() { ls -A /sys/class/infiniband 2>/dev/null || true; }

native_wanted() {        # decides by what is there, without changing anything; native_start may still say no in auto mode
  case $MODE in
    qemu) return 1 ;;
    native) return 0 ;;
  esac
  if [ "$RUN" != single ]; then return 1; fi
  [ -n "$(native_devices)" ] || native_possible
}

native_possible() { ((EUID == 0)) && modprobe -n -q rdma_rxe 2>/dev/null && [ -n "$(modprobe -R rdma_rxe 2>/dev/null)" ]; }

native_start() {         # true when there is a device to run on
  local devices
  if ((EUID == 0)); then
    mkdir -p "${NATIVE_LOCK%/*}"
    exec {NATIVE_FD}>"$NATIVE_LOCK"
    if ! flock -n "$NATIVE_FD"; then
      say "waiting for another run that made a device on this host"
      flock "$NATIVE_FD"
    fi
  fi
  devices=$(native_devices | paste -sd ' ')
  if [ -n "$devices" ]; then
    if ((EUID == 0)); then exec {NATIVE_FD}>&-; fi
    NATIVE_WHAT="this host's own device $devices"
    return 0
  fi
  if native_make; then
    NATIVE_WHAT="Soft-RoCE made on this host for the run, kernel $(uname -r)"
    return 0
  fi
  native_undo
  if [ "$MODE" = native ]; then die $EXIT_MISSING "this host has no RDMA device and cannot make one (root and the module rdma_rxe are needed)"; fi
  needs_satisfy no
  kernel_prepare
  accelerator_choose
  return 1
}

native_make() {
  if ! native_possible; then return 1; fi
  NATIVE_MODULES=$(lsmod | awk 'NR > 1 {print $1}')
  CLEANUP+=(native_undo)
  modprobe -a rdma_rxe ib_uverbs rdma_ucm 2>/dev/null &&
    ip link add lab0 type dummy &&
    ip addr add 10.77.0.1/24 dev lab0 &&
    { ip addr add fd77::1/64 dev lab0 nodad 2>/dev/null || true; } &&
    ip link set lab0 up &&
    rdma link add rxe0 type rxe netdev lab0
}

native_undo() {          # removes the device, the interface and the modules that were not there before; may run twice
  if [ -z "$NATIVE_MODULES" ]; then return; fi
  rdma link delete rxe0 2>/dev/null || true
  ip link del lab0 2>/dev/null || true
  local module pass
  for pass in 1 2 3 4; do
    for module in $(lsmod | awk 'NR > 1 && $3 == 0 {print $1}'); do
      if ! grep -qx "$module" <<<"$NATIVE_MODULES" && native_module_ours "$module"; then rmmod "$module" 2>/dev/null || true; fi
    done
  done
  NATIVE_MODULES=""
}

native_module_ours() {   # only what belongs to RDMA or to the dummy interface: others may have been loaded by someone else
  case $1 in rdma_* | ib_* | iw_cm | rpcrdma | dummy | ip6_udp_tunnel | udp_tunnel | crc32_* | crc32c_*) ;; *) return 1 ;; esac
}

native_run() {
  RUN_NATIVE=yes ACCELERATOR_NAME=none
  mkdir -p "$CACHE" "$OUT"
  state_create
  say "$NATIVE_WHAT"
  local child
  {
    environment "$OUT" "$OUT" RXE_LAB=native LAB_ACCELERATOR=none LAB_ADDRESS="$(native_address)"
    printf 'exec '
    printf '%q ' "${COMMAND[@]}"
  } >"$STATE/command"
  touch "$STATE/stamp"
  mkfifo "$STATE/output"
  relay "" <"$STATE/output" &
  CHILDREN+=($!)
  timeout -k 5 "$LIMIT" bash "$STATE/command" </dev/null >"$STATE/output" 2>&1 &
  child=$!
  CHILDREN+=("$child")
  child_status "$child"
  local status=$REPLY
  wait_until 2 native_relay_done || true
  conclude "$status" "$OUT"
}

native_relay_done() { ! alive "${CHILDREN[0]}"; }

native_address() {       # the first IPv4 address of the first RDMA device's interface
  local netdev
  netdev=$(rdma link show 2>/dev/null | sed -n 's/.*netdev \([^ ]*\).*/\1/p' | head -n 1)
  if [ -n "$netdev" ]; then ip -4 -o addr show dev "$netdev" | awk '!n++ {sub("/.*", "", $4); print $4}'; fi
}
