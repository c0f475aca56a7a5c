# shellcheck shell=bash
# One guest, one command.

single_run() {
  RUN_NATIVE=no
  state_create
  announce
  guest_prepare guest "$OUT" lab0 10.77.0.1/24 fd77::1/64 "" < <(printf '%q ' "${COMMAND[@]}")
  guest_start guest "${CPUS:-2}" "${MEMORY:-4G}" ""
  child_status "${RELAY[guest]}"
  guest_finish guest
  conclude "$REPLY" "$OUT"
}
