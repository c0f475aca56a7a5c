# shellcheck shell=bash
# Shared by the scripts of this directory: finds Java, the classes and the GID, and runs ping-pongs. Sourced.

EXAMPLES=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
PING_PONG=io.rdmachannel.examples.pingpong.Main

die() {
    echo "$(basename "$0"): $*" >&2
    exit 2
}

find_java() { # sets JAVA: JAVA_HOME first, then the PATH
    JAVA=${JAVA_HOME:+$JAVA_HOME/bin/}java
    command -v "$JAVA" >/dev/null || die "no Java at $JAVA; set JAVA_HOME to a JDK 25"
    local version
    version=$("$JAVA" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
    [ "${version:-0}" -ge 25 ] || die "$JAVA is Java ${version:-unknown}, and 25 is needed; set JAVA_HOME to a JDK 25"
}

built() { # built MODULE-DIRECTORY CLASS: prints where the module's classes are, as a directory or a jar
    local jar
    if [ -e "$1/target/classes/${2//.//}.class" ]; then
        echo "$1/target/classes"
        return
    fi
    for jar in "$1"/target/*.jar; do
        case $jar in
            *-sources.jar | *-javadoc.jar | *-tests.jar) ;;
            *.jar) if [ -e "$jar" ]; then echo "$jar"; return; fi ;;
        esac
    done
    die "nothing is built in $1/target; first run: mvn package -DskipTests"
}

find_classes() { # sets CLASS_PATH
    local binding examples
    binding=$(built "$(realpath "$EXAMPLES/../../rdma-core-ffi")" io.rdmachannel.verbs.Device) || exit
    examples=$(built "$EXAMPLES" $PING_PONG) || exit
    CLASS_PATH=$examples:$binding
}

find_device() { # sets DEVICE and GID_INDEX; the index is for C, since Java finds its own
    local gids index
    DEVICE=${LAB_DEVICE:-$(first_device)}
    [ -n "$DEVICE" ] || die "this machine has no RDMA device; run: rxe-lab/rxe-lab $0"
    gids=/sys/class/infiniband/$DEVICE/ports/1/gids
    [ -d "$gids" ] || die "there is no RDMA device $DEVICE"
    GID_INDEX=""
    for index in $(ipv4_gids "$gids"); do # RoCE v2 rather than v1
        if [ -z "$GID_INDEX" ] || ! is_roce_v2 "$gids" "$GID_INDEX"; then GID_INDEX=$index; fi
    done
}

first_device() {
    local directory
    for directory in /sys/class/infiniband/*; do
        if [ -d "$directory" ]; then echo "${directory##*/}"; return; fi
    done
}

ipv4_gids() { grep -l '^0000:0000:0000:0000:0000:ffff:' "$1"/* 2>/dev/null | sed 's|.*/||' | sort -n; }

is_roce_v2() { grep -q v2 "$1/../gid_attrs/types/$2" 2>/dev/null; }

java_side() { # java_side LIMIT ARGUMENT...: the time limit is in seconds
    local limit=$1
    shift
    timeout -k 5 "$limit" "$JAVA" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
        -cp "$CLASS_PATH" $PING_PONG -d "$DEVICE" "$@"
}

java_batch_start() { # one JVM for all calls of java_batch_side
    coproc BATCH { exec "$JAVA" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
        -cp "$CLASS_PATH" ${PING_PONG%.*}.Batch 2>&1; }
}

java_batch_side() { # java_batch_side LIMIT ARGUMENT...
    local limit=$1 line
    shift
    echo "-d $DEVICE $*" >&"${BATCH[1]}" || return 70
    while IFS= read -r -t "$limit" line <&"${BATCH[0]}"; do
        case $line in
            'status '*) return "${line#status }" ;;
            'Picked up JAVA_TOOL_OPTIONS'*) ;;
            *) echo "$line" ;;
        esac
    done
    echo "the JVM did not answer within $limit s"
    return 70
}

c_side() { # c_side LIMIT ARGUMENT...: as client it retries while the server refuses, which the program cannot
    local limit=$1 end=$((SECONDS + $1)) status output
    shift
    while :; do
        status=0
        output=$(timeout -k 5 "$limit" ibv_rc_pingpong -d "$DEVICE" ${GID_INDEX:+-g "$GID_INDEX"} "$@" 2>&1) || status=$?
        if [ $status != 0 ] && [ $SECONDS -lt $end ] && [[ $output == *"Couldn't connect to"* ]]; then
            sleep 0.2
            continue
        fi
        echo "$output"
        # It ends with status 0 when the content was wrong, too.
        if [[ $output == *"invalid data"* ]]; then return 1; fi
        return $status
    done
}
