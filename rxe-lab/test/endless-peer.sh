# shellcheck shell=bash
# Part of the self-test: what each of two guests runs, until the driver makes the file /run/lab/stop.
echo "guest $LAB_GUEST at $LAB_ADDRESS, peer $LAB_PEER"
echo "$LAB_GUEST" >"$LAB_OUT/name"
until [ -e /run/lab/stop ]; do sleep 0.2; done
exit 0
