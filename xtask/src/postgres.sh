# A PostgreSQL cluster that lives as long as this script's standard input stays open.
# Arguments: the folder of PostgreSQL's programs, a free port, where its files go, and "careful" if it is to keep its data as those
# of people are kept. Prints "ready" once it takes connections.
set -eu
bin=$1 port=$2
dir=$(mktemp -d -p "$3" docket-postgres.XXXXXX)
trap '"$bin/pg_ctl" -D "$dir/data" -m immediate stop >"$dir/stop" 2>&1 || true; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

failed() { cat "$dir/log" >&2; exit 1; }

"$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$dir/log" 2>&1 || failed

# The tests run in parallel and each brings its own pool.
cat >>"$dir/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$dir'
max_connections = 300
CONF

# Nothing here outlives the run, so nothing waits for a disk. Whoever looks after hundreds of databases would be busy with that alone,
# and tests say themselves when statistics are taken.
[ "${4:-careless}" = careful ] || cat >>"$dir/data/postgresql.conf" <<CONF
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
CONF

"$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -t 30 start >"$dir/start" 2>&1 || failed
echo ready
read -r _ || true
