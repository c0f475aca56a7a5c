# shellcheck shell=bash
# Part of the self-test: the driver of the two-guest tests, on the host. Prints ok and not ok lines; always ends with 0.

control() { "$LAB_TOOL" --control "$@"; }

check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then echo "ok $name"; else echo "not ok $name"; printf '%s\n' "$output"; fi
}

status_of() { local want=$1 got=0; shift; "$@" || got=$?; [ "$got" = "$want" ]; }
within() {               # within SECONDS COMMAND...: until it succeeds
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do if ((SECONDS >= deadline)); then return 1; fi; done
}

ping_b() { control exec a 'busybox ping -c 1 -W 1 10.78.0.2'; }
no_ping_b() { ! ping_b; }
tcp_b() { [ "$(control exec a 'timeout 5 bash -c "exec 3<>/dev/tcp/10.78.0.2/7000 && cat <&3"')" = hello ]; }
serve_tcp() { control exec b 'setsid bash -c "while :; do echo hello | busybox nc -l -p 7000; done" >/dev/null 2>&1 & exit 0'; }
port_b() { control exec b 'cat /sys/class/infiniband/rxe0/ports/1/state' | grep -q "$1"; }

pingpong() {             # pingpong [ITERATIONS]: C in b serves C in a over the link
  local iterations=${1:-20} status=0
  control exec b "setsid ibv_rc_pingpong -g 1 -n $iterations >/tmp/pingpong 2>&1 & echo \$! >/tmp/pid" || return 1
  control exec a "for i in 1 2 3 4 5 6 7 8 9 10; do timeout 15 ibv_rc_pingpong -g 1 -n $iterations 10.78.0.2 && exit; sleep 0.3; done; exit 1" || status=1
  control exec b 'kill $(cat /tmp/pid) 2>/dev/null; true'
  return "$status"
}

exec_tests() {
  check "two: exec brings the status" status_of 42 control exec a 'exit 42'
  check "two: exec brings the output" [ "$(control exec b 'echo out; echo error >&2')" = $'out\nerror' ]
  check "two: exec with separate words" [ "$(control exec a printf '%s|' 'a  b' "it's")" = "a  b|it's|" ]
  LAB_DEADLINE=1 check "two: exec has a deadline" status_of 124 control exec a 'sleep 20'
  control exec a 'setsid bash -c "while [ ! -e /tmp/calm ]; do :; done" >/dev/null 2>&1 & exit 0'
  check "two: exec works while the guest is busy" [ "$(control exec a 'echo busy')" = busy ]
  control exec a 'touch /tmp/calm'
}

link_tests() {
  check "two: ping before" ping_b
  check "two: ibv_rc_pingpong between the guests" pingpong
  check "two: link off" control link off
  check "two: link off stops ping" within 10 no_ping_b
  check "two: link off takes the RDMA port down" within 10 port_b DOWN
  check "two: link on" control link on
  check "two: link on brings ping back" within 30 ping_b
  check "two: netdev down" control netdev b down
  check "two: netdev down stops ping" within 10 no_ping_b
  check "two: netdev up brings ping back" bash -c '"$LAB_TOOL" --control netdev b up'
  check "two: ping after netdev up" within 30 ping_b
  check "two: the IPv6 address is still there" [ -n "$(control exec b 'ip -6 addr show dev eth0 | grep fd78::2')" ]
}

fault_tests() {
  check "two: freeze" control freeze b
  check "two: a frozen guest does not answer" within 10 no_ping_b
  check "two: exec into a frozen guest says so" status_of 70 control exec b true
  check "two: thaw" control thaw b
  check "two: a thawed guest answers" within 30 ping_b
  check "two: loss 100 %" control loss a 100
  check "two: loss stops ping" within 10 no_ping_b
  check "two: loss 0 removes it" control loss a 0
  check "two: ping without loss" within 30 ping_b
  check "two: loss 10 % and ping-pong goes through" control loss a 10
  check "two: ping-pong with loss" pingpong 20
  control loss a 0
  check "two: delay 300 ms" control delay a 300
  check "two: delay shows in ping" bash -c '"$LAB_TOOL" --control exec a "busybox ping -c 2 10.78.0.2" | grep -E "= 3[0-9]{2}|/3[0-9]{2}\.|/[4-9][0-9]{2}\."'
  check "two: delay 0 removes it" control delay a 0
}

firewall_tests() {
  serve_tcp
  check "two: TCP before" within 20 tcp_b
  check "two: firewall on" control firewall b on
  check "two: the firewall stops RoCE" status_of 1 pingpong_blocked
  check "two: TCP goes on behind the firewall" within 20 tcp_b
  check "two: firewall off" control firewall b off
  check "two: RoCE after the firewall" pingpong
  check "two: block-tcp on" control block-tcp b on 7000
  check "two: blocked TCP" status_of 1 tcp_b
  check "two: block-tcp off" control block-tcp b off 7000
  check "two: TCP after the block" within 20 tcp_b
}

pingpong_blocked() {     # 1 when no iteration came through in 6 s although TCP had joined the two
  local status=0
  control exec b 'setsid ibv_rc_pingpong -g 1 -n 20 >/tmp/pingpong 2>&1 & echo $! >/tmp/pid' || return 5
  control exec a 'for i in 1 2 3 4 5; do timeout 6 ibv_rc_pingpong -g 1 -n 20 10.78.0.2 >/tmp/out 2>&1; s=$?; [ $s = 124 ] && exit 1; [ $s = 0 ] && exit 0; grep -q "remote address" /tmp/out && exit 1; sleep 0.3; done; exit 6' || status=$?
  control exec b 'kill $(cat /tmp/pid) 2>/dev/null; true'
  return "$status"
}

device_tests() {
  check "two: device delete" control device b delete
  check "two: no device" [ -z "$(control exec b 'ls /sys/class/infiniband')" ]
  check "two: device create" control device b create
  check "two: address" control address b 10.78.0.9/24
  check "two: the new address answers" within 20 control exec a 'busybox ping -c 1 -W 1 10.78.0.9'
}

exec_tests
link_tests
fault_tests
firewall_tests
device_tests
control exec a 'touch /run/lab/stop'
check "two: kill" control kill b
check "two: exec into a killed guest says so" status_of 70 control exec b true
check "two: kill of a killed guest says so" status_of 70 control kill b
exit 0
