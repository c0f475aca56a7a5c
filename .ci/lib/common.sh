# Shared by the scripts of this directory: messages, steps with a log each, and set-up. Sourced; needs `set -euo pipefail`.

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
LOGS=target/ci
mkdir -p "$LOGS"

die() {
    echo "$*" >&2
    exit 1
}

# step NAME LOG COMMAND...: runs the command with its output in $LOGS/LOG and one line on the console.
step() {
    local name=$1 log=$LOGS/$2 start=$SECONDS
    shift 2
    printf '%-44s ' "$name"
    if "$@" >"$log" 2>&1 </dev/null; then
        echo "ok      $((SECONDS - start)) s"
    else
        echo "FAILED  $((SECONDS - start)) s   see $log"
        failure_lines "$log" | tail -n 40 | sed 's/^/    | /'
        return 1
    fi
}

failure_lines() { # a log without Maven's chatter and stack traces
    sed -e 's/\x1b\[[0-9;]*m//g' "$1" |
        grep -Ev '^(\[INFO\].*|WARNING: .*|\[ERROR\] *)?$|^\[ERROR\] (Re-run|For more|After|\[Help|To see|  mvn)|\sat [a-z].*\(.*\)$' || true
}

jdk_version() { # the major version of the JDK in directory $1, or 0
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || { echo 0; return; }
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_jdk() { # prints the first JDK of version 25 or newer
    local java dir
    java=$(readlink -f "$(command -v java || true)" || true)
    for dir in "${JAVA_HOME:-}" "${java%/bin/java}" /usr/lib/jvm/* /opt/* ~/.sdkman/candidates/java/*; do
        if [ -n "$dir" ] && [ "$(jdk_version "$dir")" -ge 25 ]; then
            echo "$dir"
            return
        fi
    done
    return 1
}

apt_install() { # apt_install PACKAGE...: with a fresh package list only where the present one does not do
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends)
    "${apt[@]}" "$@" || { apt-get update && "${apt[@]}" "$@"; }
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

install_jdk() { # Debian 13 and newer have one; elsewhere only if Adoptium's repository is set up
    can_install || return 1
    apt_install openjdk-25-jdk-headless || apt_install temurin-25-jdk
}

setup_jdk() {
    JAVA_HOME=$(find_jdk) || {
        step 'set-up: JDK 25' setup-jdk.log install_jdk || true
        JAVA_HOME=$(find_jdk) || die '
No JDK 25 or newer was found (JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman), and the configured package
sources have none: Debian 12 does not ship one. Either
  - install temurin-25-jdk from the apt repository of Eclipse Adoptium (https://adoptium.net/installation/linux/), or
  - unpack any JDK 25 archive and: export JAVA_HOME=/path/to/that/jdk
and run this again.'
    }
    export JAVA_HOME
    # Maven's own libraries are older than the JDK's warnings about them.
    export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
}

missing_packages() { # what a build with layout tests needs
    command -v mvn >/dev/null || echo maven
    command -v gcc >/dev/null || echo gcc
    [ -e /usr/include/stdio.h ] || echo libc6-dev
    [ -e /usr/include/infiniband/verbs.h ] || echo libibverbs-dev
    [ -e /usr/include/rdma/rdma_cma.h ] || echo librdmacm-dev
    command -v fc-list >/dev/null || echo fontconfig # brings a font, which the plots of rdma-bench need
}

setup_build() {
    local missing
    setup_jdk
    missing=$(missing_packages | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    can_install || die "Missing: $missing
As root: apt-get update && apt-get install -y --no-install-recommends $missing"
    # shellcheck disable=SC2086 # a list of words
    step "set-up: ${missing% }" setup-packages.log apt_install $missing
}

setup_browser() { # a test opens rdma-bench's plots in it, and skips itself without it
    if can_install && ! command -v chromium >/dev/null; then
        step 'set-up: browser' setup-browser.log apt_install chromium
    fi
}

setup_lab() {
    if can_install; then
        step 'set-up: lab' setup-lab.log rxe-lab/rxe-lab --install
    else
        step 'set-up: lab' setup-lab.log rxe-lab/rxe-lab true
    fi
}

maven() { mvn -B -ntp "$@"; }
