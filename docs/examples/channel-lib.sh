# shellcheck shell=bash
# Shared by the scripts that run programs on rdma-channel: finds their classes. Sourced after lib.sh.

find_channel_classes() { # sets CLASS_PATH
    local top module classes
    top=$(realpath "$EXAMPLES/../..")
    CLASS_PATH=$(built "$EXAMPLES" io.rdmachannel.examples.channel.ChannelDemo) || exit
    for module in rdma-channel:io.rdmachannel.channel.RdmaChannel \
        rdma-mempool:io.rdmachannel.mempool.Lease rdma-core-ffi:io.rdmachannel.verbs.Device; do
        classes=$(built "$top/${module%:*}" "${module#*:}") || exit
        CLASS_PATH=$CLASS_PATH:$classes
    done
    # Other people's libraries, which the build puts there.
    compgen -G "$EXAMPLES/target/lib/*.jar" >/dev/null ||
        die "no libraries in $EXAMPLES/target/lib; first run: mvn package -DskipTests"
    CLASS_PATH=$CLASS_PATH:$EXAMPLES/target/lib/*
}

example() { # example CLASS ARGUMENT...: CLASS is below io.rdmachannel.examples
    exec "$JAVA" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$CLASS_PATH" \
        "io.rdmachannel.examples.$1" "${@:2}"
}

has_device() { [ -n "${LAB_DEVICE:-$(first_device)}" ]; }
