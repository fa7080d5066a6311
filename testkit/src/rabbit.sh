# A RabbitMQ broker that lives as long as this script's standard input stays open.
# Arguments: the address for clients; four free ports: for clients, for its distribution, for its port mapper, and for clients
# with TLS; and the certificate and key for these.
# Prints "start" once it takes connections. A line "stop" stops it, a line "start" starts it again; both are answered.
set -eu
ip=$1 port=$2
dir=$(mktemp -d -t docket-rabbitmq.XXXXXX)
export HOME="$dir" ERL_EPMD_PORT="$4" ERL_EPMD_ADDRESS=127.0.0.1
export RABBITMQ_NODENAME="docket-$port@localhost" RABBITMQ_NODE_PORT="$port" RABBITMQ_DIST_PORT="$3"
export RABBITMQ_NODE_IP_ADDRESS="$ip" RABBITMQ_MNESIA_BASE="$dir/data" RABBITMQ_LOG_BASE="$dir/log"
export RABBITMQ_CONFIG_FILE="$dir/rabbitmq.conf" RABBITMQ_ENABLED_PLUGINS_FILE="$dir/plugins"
export RABBITMQ_PID_FILE="$dir/pid" RABBITMQ_CONF_ENV_FILE="$dir/none" RABBITMQ_LOGS="$dir/log/broker.log"
# Two schedulers and no busy waiting: tests share the machine with it.
export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none"
server=/usr/lib/rabbitmq/bin/rabbitmq-server
[ -x "$server" ] || { echo "rabbitmq-server is not installed" >&2; exit 1; }

cat >"$dir/rabbitmq.conf" <<CONF
listeners.tcp.default = $ip:$port
listeners.ssl.default = $ip:$5
ssl_options.cacertfile = $dir/certificate
ssl_options.certfile = $dir/certificate
ssl_options.keyfile = $dir/key
loopback_users = none
vm_memory_high_watermark.absolute = 512MB
disk_free_limit.absolute = 1MB
CONF
echo '[].' >"$dir/plugins"
echo "$6" >"$dir/certificate"
echo "$7" >"$dir/key"
mkdir -p "$dir/log"

pid=
start() {
  "$server" >"$dir/log/out" 2>&1 </dev/null &
  pid=$!
  for _ in $(seq 600); do
    grep -q 'Server startup complete' "$dir/log/broker.log" 2>/dev/null && return 0
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  cat "$dir/log/out" "$dir/log/broker.log" >&2
  return 1
}
stop() {
  [ -z "$pid" ] || { kill "$pid" 2>/dev/null && wait "$pid" || true; }
  pid=
  rm -f "$dir/log/broker.log"
}
trap 'stop; epmd -kill >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

start
echo start
while read -r word; do
  case $word in
    stop) stop ;;
    start) start ;;
  esac
  echo "$word"
done
