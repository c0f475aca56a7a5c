# shellcheck shell=bash
# The command line.

MODE=auto KERNEL=default INSTALL=no LIMIT=900 OUT=target/lab MEMORY="" CPUS="" ALLOW_KILL=no
RUN=nothing              # nothing | single | two
COMMAND=() ENVIRONMENT=() WRITABLE=()
COMMAND_A="" COMMAND_B="" COMMAND_DRIVE=""

usage() {
  cat <<'USAGE'
rxe-lab [OPTION...] COMMAND [ARG...]                        one machine with a Soft-RoCE device
rxe-lab [OPTION...] --two A --with B [--drive C]            two joined guests; A, B and C are for `bash -c`
rxe-lab --install [OPTION...]                               only prepare: packages, kernel, initial RAM disk
rxe-lab --control ACTION...                                 from C: act on the link or a guest (`--control help`)

  --mode auto|qemu|native   auto (default): native where the host has or can make a device, else QEMU
  --out DIR                 results directory that comes back (default target/lab)
  --writable DIR            another directory that is written through to the host (repeatable)
  --env NAME                pass this environment variable (repeatable; JAVA_HOME always)
  --limit SECONDS           time limit for everything, boot included (default 900)
  --install                 install missing packages, look for a newer kernel (root, Debian)
  --kernel WHICH            default | a suite apt knows, such as bookworm-backports | FILE.deb
  --memory SIZE --cpus N    of each guest (one guest: 4G and 2; two: 2G and 1)
  --allow-kill              a guest that `--control kill` cut off does not make the status non-zero

Status: the command's own; 64 usage, 69 something missing, 70 guest lost, 71 JVM crash logs found, 124 time limit.
USAGE
}

usage_error() { die $EXIT_USAGE "$* (try --help)"; }

option_number() {        # option_number NAME VALUE
  [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "$1 wants a positive whole number, not '$2'"
}

options_parse() {
  while (($# > 0)); do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --install) INSTALL=yes; shift; continue ;;
      --allow-kill) ALLOW_KILL=yes; shift; continue ;;
      --) shift; break ;;
      --mode | --out | --writable | --env | --limit | --kernel | --memory | --cpus | --two | --with | --drive) ;;
      -*) usage_error "unknown option $1" ;;
      *) break ;;
    esac
    if (($# < 2)); then usage_error "$1 wants a value"; fi
    option_with_value "$1" "$2"
    shift 2
  done
  COMMAND=("$@")
  options_check
}

option_with_value() {
  case $1 in
    --mode) MODE=$2 ;;
    --out) OUT=$2 ;;
    --writable) WRITABLE+=("$(realpath -m -- "$2")") ;;
    --env) ENVIRONMENT+=("$2") ;;
    --limit) option_number "$1" "$2"; LIMIT=$2 ;;
    --kernel) KERNEL=$2 ;;
    --memory) MEMORY=$2 ;;
    --cpus) option_number "$1" "$2"; CPUS=$2 ;;
    --two) COMMAND_A=$2 ;;
    --with) COMMAND_B=$2 ;;
    --drive) COMMAND_DRIVE=$2 ;;
  esac
}

options_check() {
  case $MODE in auto | qemu | native) ;; *) usage_error "--mode is auto, qemu or native, not '$MODE'" ;; esac
  local name
  for name in "${ENVIRONMENT[@]}"; do
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || usage_error "--env wants the name of a variable, not '$name'"
  done
  OUT=$(realpath -m -- "$OUT")
  if [ -n "$COMMAND_A$COMMAND_B$COMMAND_DRIVE" ]; then
    if [ -z "$COMMAND_A" ] || [ -z "$COMMAND_B" ]; then usage_error "--two and --with go together"; fi
    if ((${#COMMAND[@]} > 0)); then usage_error "with --two the commands are the values of options; '${COMMAND[0]}' is one too many"; fi
    if [ "$MODE" = native ]; then usage_error "two guests need QEMU: --mode native cannot do --two"; fi
    RUN=two MODE=qemu
  elif ((${#COMMAND[@]} > 0)); then
    RUN=single
  elif [ "$INSTALL" = no ]; then
    usage_error "no command given"
  fi
}

java_find() {            # prints JAVA_HOME, or else the newest JDK of version 25 or later under /usr/lib/jvm
  if [ -n "${JAVA_HOME:-}" ]; then echo "$JAVA_HOME"; return; fi
  local release version best="" best_version=24
  for release in /usr/lib/jvm/*/release; do
    if [ ! -e "${release%/release}/bin/javac" ]; then continue; fi
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release")
    if ((${version:-0} > best_version)); then best=${release%/release} best_version=$version; fi
  done
  echo "$best"
}
