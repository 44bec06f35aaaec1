#!/bin/sh
# Prepares PGDATA, a folder that does not exist, from the newest base backup, or from the one that the argument names.
set -eu
usage() { echo "Usage: recover.sh [folder of the base backup]" && sed -n '2,/^set/s/^# //p' "$0"; }
case ${1-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
umask 077
backups=${BACKUP_DIR:-/var/backups/waybill}
base=${1:-$(find "$backups" -mindepth 1 -maxdepth 1 -name 'base-20*Z' | sort | tail -n 1)}
[ ! -e "$PGDATA" ] || { echo "$PGDATA exists. Choose a folder that does not."; exit 1; }

cp -a "$base" "$PGDATA"
echo "restore_command = 'cp $backups/wal/%f %p'" >> "$PGDATA/postgresql.auto.conf"
echo "recovery_target_action = promote" >> "$PGDATA/postgresql.auto.conf"
touch "$PGDATA/recovery.signal"
