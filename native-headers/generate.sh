#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes rdma-core-ffi's generated sources from the umbrella headers and the symbol lists beside this file.
# Only needed after a change of a header, a list or this script; ordinary builds compile what is committed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
module=$here/../rdma-core-ffi
sources=$module/src/generated/java
package=io.rdmachannel.ffi.generated

find_jextract() {
  if [ -n "${JEXTRACT_HOME:-}" ]; then
    [ -x "$JEXTRACT_HOME/bin/jextract" ] && { echo "$JEXTRACT_HOME/bin/jextract"; return; }
    echo "generate.sh: JEXTRACT_HOME is set, but $JEXTRACT_HOME/bin/jextract cannot be run" >&2
    return 1
  fi
  command -v jextract && return
  cat >&2 <<'TEXT'
generate.sh: jextract was not found. It comes with no JDK and from no package registry: take an early-access build
  from https://jdk.java.net/jextract/ or build https://github.com/openjdk/jextract, then set JEXTRACT_HOME to its
  folder (the one that holds bin/jextract), or put bin/ on PATH.
TEXT
  return 1
}

need_headers() {
  local header missing=""
  for header in infiniband/verbs.h rdma/rdma_cma.h; do
    [ -e "/usr/include/$header" ] || missing+=" $header"
  done
  [ -z "$missing" ] && return
  echo "generate.sh: missing headers:$missing (apt-get install libibverbs-dev librdmacm-dev)" >&2
  return 1
}

# extract LIBRARY CLASS SYMBOL-LIST [JEXTRACT-OPTION...]: one header class in the library's own package
extract() {
  local library=$1 class=$2 symbols=$3
  shift 3
  "$jextract" --output "$staging" --target-package "$package.$library" --header-class-name "$class" "$@" \
    "@$here/symbols/$symbols" "$here/$library-umbrella.h" 2> "$staging/messages" && return
  cat "$staging/messages" >&2
  return 1
}

# The functions stand in classes of their own, since the static initialiser of such a class opens the library:
# constants and structures must be there for a machine that has none.
generate() {
  extract ibverbs ibverbs_constants ibverbs-types.txt
  extract ibverbs ibverbs_functions ibverbs-functions.txt --library :libibverbs.so.1
  extract rdmacm rdmacm_constants rdmacm-types.txt
  extract rdmacm rdmacm_functions rdmacm-functions.txt --library :librdmacm.so.1
  extract libc libc libc.txt
  rm "$staging/messages"
}

write_checksums() {
  cd "$here"
  {
    echo "# sha256 of what native-headers/generate.sh read and wrote; a test of rdma-core-ffi verifies it."
    echo "# jextract: $("$jextract" --version 2>&1 | tr '\n' ';' | sed 's/;$//; s/;/; /g')"
    echo "# headers: rdma-core $(dpkg-query -W -f '${Version}' libibverbs-dev 2>/dev/null || echo unknown)," \
      "$(uname -m)"
    find generate.sh ./*.h symbols ../rdma-core-ffi/src/generated/java -type f | sed 's|^\./||' | LC_ALL=C sort |
      xargs sha256sum
  } > checksums.sha256
}

need_headers
jextract=$(find_jextract)
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
generate
rm -rf "$sources"
mkdir -p "$(dirname "$sources")"
cp -r "$staging" "$sources"
chmod -R u=rwX,go=rX "$sources"
write_checksums
echo "generate.sh: $(find "$sources" -name '*.java' | wc -l) files written to rdma-core-ffi/src/generated/java"
