# shellcheck shell=bash
# Debian's kernel, downloaded and unpacked (never installed), the initial RAM disk, and the choice of KVM or TCG.
#
# Cache:  select/WHICH           name of the kernel that `--kernel WHICH` last meant
#         kernels/NAME/          an unpacked linux-image package; NAME is PACKAGE_VERSION
#         initrd/NAME-HASH.gz    HASH covers everything the initial RAM disk is made from
#         kvm/BOOT-NAME          verdict of the KVM trial: yes or no
# Everything is made beside its place and renamed into it, under one lock: an interrupted run leaves nothing half made.

KERNEL_ROOT="" KERNEL_VERSION="" INITRD=""
ACCELERATOR=() ACCELERATOR_NAME=tcg
readonly INITRD_MODULES=(virtio_pci virtio_console virtio_net 9pnet_virtio 9p overlay)

kernel_prepare() {
  mkdir -p "$CACHE"/{select,kernels,initrd,kvm}
  local lock name
  exec {lock}>"$CACHE/lock"
  if ! flock -n "$lock"; then
    say "waiting for another run that is preparing the kernel"
    flock "$lock"
  fi
  rm -rf "$CACHE"/kernels/.new "$CACHE"/initrd/.new
  name=$(kernel_selected)
  KERNEL_ROOT=$CACHE/kernels/$name
  KERNEL_VERSION=$(ls "$KERNEL_ROOT/lib/modules")
  initrd_prepare "$name"
  exec {lock}>&-
}

kernel_selected() {      # prints the name of the kernel, which is in the cache afterwards
  local which=$KERNEL key name
  if [ -f "$which" ]; then
    name=$(dpkg-deb --show --showformat '${Package}_${Version}' "$which")
    if [ ! -d "$CACHE/kernels/$name" ]; then kernel_unpack "$which" "$name"; fi
    echo "$name"
    return
  fi
  [[ $which =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || usage_error "--kernel: no such file and no name of a suite: '$which'"
  key=$CACHE/select/$which
  name=$(cat "$key" 2>/dev/null || true)
  if [ "$INSTALL" = yes ] || [ ! -d "$CACHE/kernels/${name:-none}" ]; then
    name=$(kernel_download "$which")
    echo "$name" >"$key.new"
    mv "$key.new" "$key"
  fi
  echo "$name"
}

kernel_download() {      # kernel_download WHICH: asks apt, downloads what is not in the cache, prints the name
  local which=$1 meta package version name
  if ((EUID == 0)) && [ "$INSTALL" = yes ]; then apt_lists; fi
  meta=$(kernel_meta_version "$which")
  if [ -z "$meta" ]; then
    die $EXIT_MISSING "apt knows no linux-image-amd64 for '$which': run apt-get update (and enable that suite), or run the lab with --install as root"
  fi
  read -r package version < <(apt-cache show "linux-image-amd64=$meta" |
    sed -n 's/^Depends: *\(linux-image-[^ ,]*\)\( *(= *\([^)]*\))\)\{0,1\}.*/\1 \3/p' | head -n 1)
  name=${package}_${version:-$meta}
  if [ ! -d "$CACHE/kernels/$name" ]; then
    say "downloading $package ${version:-$meta} (once; unpacked in the cache, not installed)"
    mkdir -p "$CACHE/kernels/.new/deb"
    (cd "$CACHE/kernels/.new/deb" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package=${version:-$meta}" >&2) ||
      die $EXIT_MISSING "could not download $package (stale package lists? try apt-get update)"
    kernel_unpack "$CACHE"/kernels/.new/deb/*.deb "$name"
  fi
  echo "$name"
}

kernel_meta_version() {
  if [ "$1" = default ]; then
    LC_ALL=C apt-cache policy linux-image-amd64 2>/dev/null | awk '$1 == "Candidate:" && $2 != "(none)" {print $2}'
  else
    apt-cache madison linux-image-amd64 2>/dev/null | awk -v suite="$1" '!found && index($0, " " suite "/") {print $3; found = 1}'
  fi
}

kernel_unpack() {        # kernel_unpack FILE.deb NAME
  local new=$CACHE/kernels/.new/root
  rm -rf "$new"
  mkdir -p "$new"
  dpkg-deb --extract "$1" "$new"
  if [ ! -d "$new/lib/modules" ]; then ln -s usr/lib "$new/lib"; fi
  depmod -b "$new" "$(ls "$new/lib/modules")"
  mv "$new" "$CACHE/kernels/$2"
  rm -rf "$CACHE/kernels/.new"
}

initrd_prepare() {       # initrd_prepare NAME
  local hash new=$CACHE/initrd/.new
  hash=$(cat "$LAB_HOME/guest/init" "$LAB_HOME/lib/kernel.sh" "$(command -v busybox)" | sha256sum | cut -c 1-16)
  INITRD=$CACHE/initrd/$1-$hash.gz
  if [ -e "$INITRD" ]; then return; fi
  mkdir -p "$new"/{bin,proc,sys,dev,modules,lower,rw,new}
  cp "$(command -v busybox)" "$new/bin/busybox"
  cp "$LAB_HOME/guest/init" "$new/init"
  chmod 755 "$new/init"
  initrd_modules "$new/modules"
  (cd "$new" && find . | cpio --quiet -o -H newc | gzip -1) >"$CACHE/initrd/.new.gz"
  mv "$CACHE/initrd/.new.gz" "$INITRD"
  rm -rf "$new"
}

initrd_modules() {       # initrd_modules DIR: copies what init loads, numbered in the order of loading
  local module path number=100
  for module in "${INITRD_MODULES[@]}"; do
    modprobe -C /dev/null -d "$KERNEL_ROOT" -S "$KERNEL_VERSION" --show-depends "$module"
  done | sed -n 's/^insmod \(.*[^ ]\) *$/\1/p' | awk '!seen[$0]++' | while IFS= read -r path; do
    number=$((number + 1))
    module=$(basename "$path")
    case $path in
      *.xz) xz -dc "$path" >"$1/$number-${module%.xz}" ;;
      *) cp "$path" "$1/$number-$module" ;;
    esac
  done
}

# A /dev/kvm that opens, and even one that creates a virtual machine, proves nothing: some nested hypervisors hang a
# stock kernel before its first line. So a short boot decides, once per boot of the host and kernel of the guest.
accelerator_choose() {
  local verdict
  verdict=$CACHE/kvm/$(cat /proc/sys/kernel/random/boot_id)-${KERNEL_ROOT##*/}
  if [ -w /dev/kvm ] && [ ! -e "$verdict" ]; then
    if accelerator_trial kvm host; then echo yes >"$verdict"; else echo no >"$verdict"; fi
  fi
  if [ -w /dev/kvm ] && [ "$(cat "$verdict")" = yes ]; then
    ACCELERATOR=(-accel kvm -cpu host) ACCELERATOR_NAME=kvm
  else
    # `max` has the carry-less multiply that rxe's checksum wants: a plain old model is three times slower.
    ACCELERATOR=(-accel tcg,thread=multi -cpu max) ACCELERATOR_NAME=tcg
  fi
}

accelerator_trial() {    # accelerator_trial ACCEL CPU: does a kernel with two processors reach user space in 20 s?
  timeout -k 2 20 qemu-system-x86_64 -accel "$1" -cpu "$2" -M q35 -smp 2 -m 512M -nodefaults -nographic -no-reboot \
    -serial stdio -kernel "$KERNEL_ROOT/boot/vmlinuz-$KERNEL_VERSION" -initrd "$INITRD" \
    -append "console=ttyS0 quiet panic=-1 rxe-lab.trial" </dev/null 2>/dev/null | grep -q rxe-lab-trial-passed
}
