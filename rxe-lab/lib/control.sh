# shellcheck shell=bash
# Actions on the link and the guests of a running two-guest lab, whose state directory is $LAB_CONTROL.

control_usage() {
  cat <<'USAGE'
rxe-lab --control ACTION          (in the command of --drive; $LAB_CONTROL names the lab, $LAB_TOOL is this program)
  link off|on [a|b]               pull or plug the cable (both ends unless one is named)
  freeze a|b, thaw a|b            stop and continue a guest's processor
  kill a|b                        power cut
  loss a|b PERCENT                lose packets that this guest sends (0: none)
  delay a|b MILLISECONDS          delay packets that this guest sends (0: none)
  firewall a|b on|off             drop RoCE (UDP 4791) arriving at this guest; TCP goes on
  block-tcp a|b on|off PORT       drop TCP from or to this port arriving at this guest
  netdev a|b down|up              the network interface
  address a|b ADDRESS/PREFIX      replace the IPv4 (or, with a colon in it, IPv6) address
  device a|b delete|create        the RDMA device (delete waits until all its users have closed it)
  exec a|b COMMAND [ARG...]       run a shell command in the guest: its output, its status
Deadline of each: 30 s, or $LAB_DEADLINE. Status: 0; of exec, the command's; 64 usage, 70 guest gone or not answering, 124 deadline.
USAGE
}

control_main() {
  if [ "${1:-help}" = help ]; then control_usage; exit 0; fi
  if [ ! -d "${LAB_CONTROL:-/nonexistent}/a/run" ]; then usage_error "--control works inside the command of --drive (LAB_CONTROL is not a running lab)"; fi
  DEADLINE=${LAB_DEADLINE:-30}
  option_number LAB_DEADLINE "$DEADLINE"
  local action=$1
  shift
  case $action in
    link) control_link "$@" ;;
    freeze) control_guest "${1:-}"; control_monitor "$1" stop ;;
    thaw) control_guest "${1:-}"; control_monitor "$1" cont ;;
    kill) control_guest "${1:-}"; control_kill "$1" ;;
    loss) control_guest "${1:-}"; control_netem "$1" loss "${2:-}" ;;
    delay) control_guest "${1:-}"; control_netem "$1" delay "${2:-}" ;;
    firewall) control_guest "${1:-}"; control_firewall "$1" "${2:-}" roce "udp dport 4791" ;;
    block-tcp) control_guest "${1:-}"; control_block_tcp "$1" "${2:-}" "${3:-}" ;;
    netdev) control_guest "${1:-}"; control_choice "${2:-}" down up; control_exec "$1" "ip link set eth0 $2" ;;
    address) control_guest "${1:-}"; control_address "$1" "${2:-}" ;;
    device) control_guest "${1:-}"; control_device "$1" "${2:-}" ;;
    exec) control_guest "${1:-}"; control_exec "$@" ;;
    *) usage_error "unknown action '$action' (try --control help)" ;;
  esac
}

control_choice() {       # control_choice VALUE CHOICE...
  local value=$1 choice
  shift
  for choice in "$@"; do if [ "$value" = "$choice" ]; then return; fi; done
  usage_error "expected one of: $*; not '$value'"
}

control_guest() {        # checks that a guest is named, and running
  control_choice "$1" a b
  if ! control_running "$1"; then die $EXIT_LOST "guest $1 is not running"; fi
}

control_running() { alive "$(cat "$LAB_CONTROL/$1/pid")"; }

control_link() {
  control_choice "${1:-}" off on
  if [ -n "${2:-}" ]; then control_choice "$2" a b; fi
  local name up=false
  if [ "$1" = on ]; then up=true; fi
  for name in ${2:-a b}; do
    if control_running "$name"; then control_monitor "$name" set_link "{\"name\":\"nic\",\"up\":$up}"; fi
  done
}

control_kill() {         # the child of `timeout` is QEMU, which ends without telling the guest, as when the mains fail
  local pid
  pid=$(cat "$LAB_CONTROL/$1/pid")
  touch "$LAB_CONTROL/$1/killed"
  pkill -TERM -P "$pid" || true
  if ! wait_until 5 control_gone "$1"; then pkill -KILL -P "$pid" || true; fi
  wait_until "$DEADLINE" control_gone "$1" || die $EXIT_LOST "guest $1 does not die"
}

control_gone() { ! control_running "$1"; }

control_monitor_open() { # control_monitor_open NAME: QEMU's monitor takes commands only after this
  LAB_CONTROL=$STATE DEADLINE=30 control_monitor "$1" qmp_capabilities
}

control_monitor() {      # control_monitor NAME COMMAND [ARGUMENTS]: one QMP command and its answer, one caller at a time
  local dir=$LAB_CONTROL/$1 id=$$-$RANDOM$RANDOM line lock input output deadline=$((SECONDS + DEADLINE))
  exec {lock}>"$dir/qmp.lock" {input}<>"$dir/qmp.in" {output}<>"$dir/qmp.out"
  flock "$lock"
  echo "{\"execute\":\"$2\",\"id\":\"$id\"${3:+,\"arguments\":$3}}" >&"$input"
  while ((SECONDS < deadline)) && control_running "$1"; do
    if read -r -t 1 line <&"$output" && [[ $line == *"\"$id\""* ]]; then
      exec {lock}>&- {input}>&- {output}>&-
      if [[ $line == *'"error"'* ]]; then die $EXIT_LOST "QEMU refused $2 for guest $1: $line"; fi
      case $2 in stop) touch "$dir/frozen" ;; cont) rm -f "$dir/frozen" ;; esac
      return
    fi
  done
  die $EXIT_LOST "QEMU's monitor of guest $1 did not answer $2"
}

control_exec() {         # control_exec NAME COMMAND [ARG...]: one string is a shell command; several are words
  local name=$1 dir request
  shift
  if (($# == 0)); then usage_error "exec wants a command"; fi
  if [ -e "$LAB_CONTROL/$name/frozen" ]; then die $EXIT_LOST "guest $name is frozen"; fi
  dir=$(mktemp -d "$LAB_CONTROL/$name/run/exec/XXXXXXXX")
  request=${dir##*/}
  if (($# == 1)); then echo "$1" >"$dir/command"; else printf '%q ' "$@" >"$dir/command"; fi
  echo "$DEADLINE" >"$dir/deadline"
  echo "$request" 1<>"$LAB_CONTROL/$name/control.in"
  if ! wait_until $((DEADLINE + 5)) control_answered "$name" "$dir" || [ ! -e "$dir/status" ]; then
    touch "$dir/abandoned"
    cat "$dir/output" 2>/dev/null || true
    die $EXIT_LOST "guest $name did not answer within $((DEADLINE + 5)) s: $*"
  fi
  control_result "$name" "$dir" "$*"
}

control_answered() { [ -e "$2/status" ] || ! control_running "$1"; }

control_result() {
  local status
  status=$(cat "$2/status")
  cat "$2/output"
  rm -rf "$2"
  if [ "$status" = 124 ]; then say "guest $1 did not finish within $DEADLINE s: $3"; fi
  return "$status"
}

control_netem() {        # loss and delay share one queueing discipline, so the values of both are kept
  local name=$1 loss delay
  [[ $3 =~ ^[0-9]+(\.[0-9]+)?$ ]] || usage_error "$2 wants a number, not '$3'"
  echo "$3" >"$LAB_CONTROL/$name/netem-$2"
  loss=$(cat "$LAB_CONTROL/$name/netem-loss" 2>/dev/null || echo 0)
  delay=$(cat "$LAB_CONTROL/$name/netem-delay" 2>/dev/null || echo 0)
  if [[ $loss =~ ^0+(\.0+)?$ && $delay =~ ^0+(\.0+)?$ ]]; then
    control_exec "$name" 'tc qdisc del dev eth0 root 2>/dev/null || true'
  else
    control_exec "$name" "tc qdisc replace dev eth0 root netem limit 100000 loss $loss% delay ${delay}ms"
  fi
}

# Arriving packets only: one that the own output hook drops is an error to the sending queue pair, not a lost packet.
control_firewall() {     # control_firewall NAME on|off CHAIN MATCH...
  local name=$1 table=rxe_lab_$3 match rules
  control_choice "$2" on off
  rules="table inet $table; delete table inet $table"
  if [ "$2" = on ]; then
    rules+=$'\n'"table inet $table {"$'\n'"chain input {"$'\n'"type filter hook input priority 0;"$'\n'
    for match in "${@:4}"; do rules+="$match drop"$'\n'; done
    rules+=$'}\n}'
  fi
  control_exec "$name" "nft '$rules'"
}

control_block_tcp() {
  option_number "block-tcp" "$3"
  control_firewall "$1" "$2" "tcp_$3" "tcp dport $3" "tcp sport $3"
}

control_address() {
  [[ $2 =~ ^[0-9a-fA-F:.]+/[0-9]+$ ]] || usage_error "address wants ADDRESS/PREFIX, not '$2'"
  if [[ $2 == *:* ]]; then
    control_exec "$1" "ip -6 addr flush dev eth0 scope global && ip addr add $2 dev eth0 nodad"
  else
    control_exec "$1" "ip -4 addr flush dev eth0 && ip addr add $2 dev eth0"
  fi
}

control_device() {
  control_choice "$2" delete create
  if [ "$2" = delete ]; then
    control_exec "$1" 'rdma link delete rxe0'
  else
    control_exec "$1" 'rdma link add rxe0 type rxe netdev eth0'
  fi
}
