#!/bin/sh
# Keeps backups of PostgreSQL in BACKUP_DIR: every change as it happens (wal/), and a base backup every day (base/).
# Restored together, they give the database of any moment since the oldest base backup: docs/runbook.md.
# The connection is in PGHOST, PGUSER and PGPASSWORD. Ends with an error if it cannot continue, to be started again.
set -eu

directory=${BACKUP_DIR:-/backups}
keep_days=${BACKUP_KEEP_DAYS:-7}
every_minutes=${BACKUP_EVERY_MINUTES:-1440}
slot=sms_backup
mkdir -p "$directory/base" "$directory/wal"

# The name of the WAL file that is written now. A base backup that begins later needs none that is older.
current_wal_file() {
  psql --no-psqlrc --tuples-only --no-align --dbname=postgres \
    --command='select pg_walfile_name(pg_current_wal_insert_lsn())'
}

make_base_backup() {
  name=$(date -u +%Y%m%dT%H%M%SZ)
  # What a container left that was stopped during a backup.
  rm -rf "$directory"/base/unfinished.*
  unfinished="$directory/base/unfinished.$name"
  first_wal_file=$(current_wal_file)
  pg_basebackup --pgdata="$unfinished" --format=tar --gzip --checkpoint=fast --no-password
  printf '%s\n' "$first_wal_file" >"$unfinished/first-wal-file"
  # Only a whole backup gets its name.
  mv "$unfinished" "$directory/base/$name"
  echo "made the base backup $name"
}

# Removes what is older than the time to keep, but never the newest base backup, nor WAL that a kept one needs.
remove_old() {
  newest=$(ls "$directory/base" | grep -v '^unfinished' | tail -n 1)
  find "$directory/base" -mindepth 1 -maxdepth 1 ! -name "$newest" -mtime "+$((keep_days - 1))" -exec rm -r {} +
  oldest=$(ls "$directory/base" | grep -v '^unfinished' | head -n 1)
  pg_archivecleanup "$directory/wal" "$(cat "$directory/base/$oldest/first-wal-file")"
}

# With its slot, PostgreSQL keeps what is not received yet, up to max_slot_wal_keep_size.
pg_receivewal --directory="$directory/wal" --slot="$slot" --create-slot --if-not-exists --no-password
pg_receivewal --directory="$directory/wal" --slot="$slot" --no-password &
receiver=$!
trap 'kill "$receiver" 2>/dev/null; wait "$receiver" || true; exit 0' TERM INT

while kill -0 "$receiver" 2>/dev/null; do
  if [ -z "$(find "$directory/base" -mindepth 1 -maxdepth 1 -name '2*' -mmin "-$every_minutes")" ]; then
    make_base_backup
    remove_old
  fi
  # In the background, so that a signal is handled at once.
  sleep 20 &
  wait $!
done
echo 'the WAL is not received any more' >&2
exit 1
