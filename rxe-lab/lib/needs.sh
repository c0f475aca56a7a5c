# shellcheck shell=bash
# What has to be installed: the lab's own tools and what the tests run inside it.

MISSING=()

need() {                 # need PACKAGE TEST...: notes the package when the test fails
  local package=$1
  shift
  if ! "$@" >/dev/null 2>&1; then MISSING+=("$package"); fi
}

has() { command -v "$1"; }
has_file() { compgen -G "$1"; }
has_static_busybox() {   # the dynamic busybox of the package `busybox` would not start in an empty initial RAM disk
  has busybox && ! ldd "$(command -v busybox)" | grep '=>'
}

needs_check() {          # needs_check NATIVE
  MISSING=()
  if [ "$1" = no ]; then
    need qemu-system-x86 has qemu-system-x86_64
    need busybox-static has_static_busybox
    need cpio has cpio
    need xz-utils has xz
  fi
  need kmod has depmod
  need iproute2 eval 'has rdma && has tc'
  need ibverbs-providers has_file '/usr/lib/*/libibverbs/librxe-rdmav*.so'
  need ibverbs-utils has ibv_rc_pingpong
  need rdmacm-utils has rping
  need perftest has ib_send_lat
  need libibverbs-dev has_file '/usr/include/infiniband/verbs.h'
  need librdmacm-dev has_file '/usr/include/rdma/rdma_cma.h'
  need gcc has gcc
  need libc6-dev has_file '/usr/include/stdio.h'
  need nftables has nft
}

needs_satisfy() {        # needs_satisfy NATIVE: returns only when everything is there
  if [ "$1" = no ] && [ "$(uname -m)" != x86_64 ]; then
    die $EXIT_MISSING "the QEMU lab knows x86_64 only, and this is $(uname -m); on a machine with an RDMA device use --mode native"
  fi
  needs_check "$1"
  if ((${#MISSING[@]} == 0)); then return; fi
  if [ "$INSTALL" = no ]; then
    say "${#MISSING[@]} packages are missing; as root, run this line (or run the lab once with --install):"
    die $EXIT_MISSING "apt-get update && apt-get install -y --no-install-recommends ${MISSING[*]}"
  fi
  needs_install
  needs_check "$1"
  if ((${#MISSING[@]} > 0)); then die $EXIT_MISSING "still missing after the installation: ${MISSING[*]}"; fi
}

needs_install() {
  if ((EUID != 0)); then die $EXIT_MISSING "--install needs root, and these packages are missing: ${MISSING[*]}"; fi
  if ! has apt-get >/dev/null; then die $EXIT_MISSING "--install knows Debian's apt only; please install the equivalents of: ${MISSING[*]}"; fi
  say "installing ${MISSING[*]}"
  apt_lists
  apt_install "${MISSING[@]}" || { apt_update && apt_install "${MISSING[@]}"; } ||
    die $EXIT_MISSING "apt-get could not install: ${MISSING[*]}"
}

apt_install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@" </dev/null >&2; }
apt_update() { apt-get update -qq </dev/null >&2; }
apt_lists() { if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then apt_update; fi; }
