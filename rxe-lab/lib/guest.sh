# shellcheck shell=bash
# One QEMU guest: its private directory, its process, its output, its result. Single and two-guest runs both use this.
#
# $STATE/NAME/ holds: run/ (shared with the guest), output (pipe), console.log, qemu.log, qmp.in and qmp.out (monitor),
# control.in (to the agent), pid. A stamp file tells crash logs of this run from older ones.

declare -A QEMU=() RELAY=() GUEST_OUT=()

escape() { echo "${1//,/,,}"; }         # a comma in a value of a QEMU option is doubled

java_tool_options() {    # java_tool_options DIR: where crash logs go, and under TCG no recompilation (README, "Java")
  local options=${JAVA_TOOL_OPTIONS_GIVEN:-}
  options+="${options:+ }'-XX:ErrorFile=$1/hs_err_pid%p.log'"      # the JVM understands the quotes
  case "$ACCELERATOR_NAME $options" in
    *-XX:Tiered* | *-XX:[-+]TieredC*) ;;                     # the caller has chosen
    tcg*) options+=" -XX:TieredStopAtLevel=1" ;;
  esac
  if [ "${HOME:-/root}" != /root ] && [ "$RUN_NATIVE" = no ]; then options+=" '-Duser.home=$HOME'"; fi
  echo "$options"
}

environment() {          # environment CRASH_DIR OUT [NAME=VALUE...]: prints export lines for the command
  local crash=$1 out=$2 name java
  shift 2
  java=$(java_find)
  for name in "${ENVIRONMENT[@]}"; do
    if [ -n "${!name+set}" ]; then printf 'export %s=%q\n' "$name" "${!name}"; fi
    if [ "$name" = JAVA_TOOL_OPTIONS ]; then JAVA_TOOL_OPTIONS_GIVEN=${!name:-}; fi
  done
  if [ -n "$java" ]; then printf 'export JAVA_HOME=%q\n' "$java"; fi
  printf 'export PATH=%q HOME=%q\n' "${java:+$java/bin:}$PATH" "${HOME:-/root}"
  JAVA_OPTIONS=$(java_tool_options "$crash")
  printf 'export JAVA_TOOL_OPTIONS=%q\n' "$JAVA_OPTIONS"
  printf 'export LANG=%q LAB_OUT=%q LAB_DEVICE=rxe0\n' "${LANG:-C.UTF-8}" "$out"
  for name in "$@"; do printf 'export %s=%q\n' "${name%%=*}" "${name#*=}"; done
}

guest_prepare() {        # guest_prepare NAME OUT NETDEV ADDRESS4 ADDRESS6 PEER; the command's text is standard input
  local name=$1 out=$2 netdev=$3 address4=$4 address6=$5 peer=$6 dir=$STATE/$1 i paths=() tags=()
  mkdir -p "$dir/run/exec" "$out"
  mkfifo "$dir/output" "$dir/qmp.in" "$dir/qmp.out" "$dir/control.in" "$dir/control.out"
  GUEST_OUT[$name]=$out
  rm -f "$out/dmesg.txt"
  cat >"$dir/run/command"
  cp "$LAB_HOME/guest/main.sh" "$dir/run/main.sh"
  while IFS=$'\t' read -r _ tag path; do tags+=("$tag") paths+=("$path"); done < <(mount_list "$out")
  {
    printf 'GUEST_HOSTNAME=%q NETDEV=%q ADDRESS4=%q ADDRESS6=%q PEER=%q\n' "lab${peer:+-$name}" "$netdev" "$address4" "$address6" "$peer"
    printf 'DIRECTORY=%q\n' "$PWD"
    printf 'MOUNT_TAGS=(%s)\nMOUNT_PATHS=(' "${tags[*]}"
    for i in "${paths[@]}"; do printf '%q ' "$i"; done
    echo ')'
  } >"$dir/run/settings"
  environment /lab/out "$out" RXE_LAB=qemu LAB_ACCELERATOR="$ACCELERATOR_NAME" \
    LAB_ADDRESS="${address4%/*}" ${peer:+LAB_GUEST="$name" LAB_PEER="$peer"} >"$dir/run/environment"
  touch "$STATE/stamp"
}

mount_list() {           # prints length, tag and path of what is mounted read-write, outer directories first
  local i
  {
    printf '%d\tout\t%s\n' "${#1}" "$1"
    for i in "${!WRITABLE[@]}"; do printf '%d\twritable%d\t%s\n' "${#WRITABLE[i]}" "$i" "${WRITABLE[i]}"; done
  } | sort -n
}

share() {                # share PATH TAG [READONLY]: a 9p export, appended to $ARGUMENTS
  ARGUMENTS+=(-virtfs "local,path=$(escape "$1"),mount_tag=$2,security_model=none,multidevs=remap${3:+,readonly=on}")
}

guest_start() {          # guest_start NAME CPUS MEMORY PREFIX [QEMU-ARGUMENT...]
  local name=$1 cpus=$2 memory=$3 prefix=$4 dir=$STATE/$1 i
  shift 4
  ARGUMENTS=("${ACCELERATOR[@]}" -M q35 -smp "$cpus" -m "$memory" -nodefaults -nographic -no-reboot -no-user-config
    -name "rxe-lab-$name" -kernel "$KERNEL_ROOT/boot/vmlinuz-$KERNEL_VERSION" -initrd "$INITRD"
    -append "console=ttyS0 quiet panic=-1 tsc=reliable clocksource=tsc"
    -chardev "file,id=console,path=$dir/console.log" -serial chardev:console
    -chardev "pipe,id=qmp,path=$dir/qmp" -mon chardev=qmp,mode=control
    -device virtio-serial-pci -chardev "file,id=output,path=$dir/output" -device virtserialport,chardev=output,name=output)
  share / host readonly
  share "$KERNEL_ROOT/lib/modules" modules readonly
  share "$dir/run" run
  share "${GUEST_OUT[$name]}" out
  for i in "${!WRITABLE[@]}"; do
    mkdir -p "${WRITABLE[i]}"
    share "${WRITABLE[i]}" "writable$i"
  done
  relay "$prefix" <"$dir/output" {STATE_LOCK}>&- &
  RELAY[$name]=$!
  # Should this script be killed outright, the guest goes with it.
  setpriv --pdeathsig TERM timeout -k 5 "$LIMIT" setpriv --pdeathsig KILL \
    qemu-system-x86_64 "${ARGUMENTS[@]}" "$@" </dev/null >"$dir/output" 2>"$dir/qemu.log" &
  QEMU[$name]=$!
  CHILDREN+=("${QEMU[$name]}" "${RELAY[$name]}")
  echo "${QEMU[$name]}" >"$dir/pid"
}

relay() {                # passes output on line by line until the end mark, without the JVM's notice about our own options
  local notice
  notice=$(printf 'Picked up JAVA_TOOL_OPTIONS: %s' "$JAVA_OPTIONS" | sed 's/[][\.*^$/]/\\&/g')
  LC_ALL=C exec stdbuf -oL sed -e "/^$notice\$/d" -e "/\x1erxe-lab-end\$/{s///;/^\$/Q;s/^/$1/;q}" -e "s/^/$1/"
}

guest_done() { [ -e "$STATE/$1/run/status" ] || ! alive "${QEMU[$1]}"; }

guest_finish() {         # guest_finish NAME: switches the guest off and sets REPLY to its status
  local name=$1 dir=$STATE/$1 status
  if [ -e "$dir/run/status" ]; then
    status=$(cat "$dir/run/status")
    stop_process "${QEMU[$name]}"
  else
    if [ -n "${STOP_GUESTS:-}" ]; then stop_process "${QEMU[$name]}"; fi
    child_status "${QEMU[$name]}"
    status=$REPLY
    if [ "$status" = 124 ]; then status=$EXIT_LIMIT; else status=$EXIT_LOST; fi
    guest_lost "$name" "$status"
  fi
  stop_process "${RELAY[$name]}"
  guest_kernel_trouble "$name"
  REPLY=$status
}

guest_lost() {           # says how a guest without a status ended
  local name=$1 dir=$STATE/$1 what="the guest"
  if [ "$RUN" = two ]; then what="guest $name"; fi
  if [ "$2" = $EXIT_LIMIT ]; then
    say "$what was stopped: time limit of $LIMIT s"
  elif [ -e "$dir/killed" ]; then
    say "$what was cut off by --control kill"
  elif [ -n "${STOP_GUESTS:-}" ]; then
    say "$what was stopped before its command had ended"
  else
    say "$what ended without a status; last lines of its console and of QEMU:"
    { grep -am 1 'Kernel panic' "$dir/console.log" && echo ...; tail -n 15 "$dir/console.log"; } 2>/dev/null |
      tr -d '\r' | sed 's/^/  | /' >&2 || true
    tail -n 5 "$dir/qemu.log" | sed 's/^/  | /' >&2
  fi
}

guest_kernel_trouble() { # an oops or warning that the guest noticed itself, or one that only the console saw
  local name=$1 dir=$STATE/$1 out=${GUEST_OUT[$1]}
  if [ ! -e "$dir/run/oops" ] && grep -Eaq 'Kernel panic|BUG:|WARNING:|Oops' "$dir/console.log" 2>/dev/null; then
    tr -d '\r' <"$dir/console.log" >"$out/dmesg.txt"
    touch "$dir/run/oops"
  fi
  if [ -e "$dir/run/oops" ]; then say "the guest's kernel complained (oops, BUG or WARNING): see $out/dmesg.txt"; fi
}

crash_logs() {           # prints the HotSpot crash logs written since this run began
  find "$@" -name 'hs_err_pid*.log' -newer "$STATE/stamp" 2>/dev/null || true
}

conclude() {             # conclude STATUS OUT: warns of crash logs, and ends
  local status=$1 log found=no
  while IFS= read -r log; do
    say "a JVM crashed: $log"
    found=yes
  done < <(crash_logs "$2" "${WRITABLE[@]}" | sort -u)
  if [ "$found" = yes ] && [ "$status" = 0 ]; then status=$EXIT_CRASH; fi
  exit "$status"
}

announce() {
  if [ "$ACCELERATOR_NAME" = kvm ]; then
    say "Soft-RoCE in QEMU (KVM), kernel $KERNEL_VERSION"
  else
    say "Soft-RoCE in QEMU (software CPU), kernel $KERNEL_VERSION"
  fi
}
