#!/bin/sh
# Restores the newest copy, or the one that the argument names, into an empty database and the folder of the files.
set -eu
usage() { echo "Usage: restore.sh [folder of the copy]" && sed -n '2,/^set/s/^# //p' "$0"; }
case ${1-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
umask 077
. "$(dirname "$0")/connection.sh"
backups=${BACKUP_DIR:-/var/backups/waybill}
files=${FILES_DIR:-/var/lib/waybill/files}
copy=${1:-$(find "$backups" -mindepth 1 -maxdepth 1 -name '20*Z' | sort | tail -n 1)}
[ -f "$copy/waybill.dump" ] || { echo "There is no copy in $backups."; exit 1; }

if [ -d "$copy/files" ]; then
  mkdir -p "$files"
  cp -a "$copy/files/." "$files/"
fi
# Only a superuser can create extensions: those of Citus are there, and Waybill needs no other.
list=$(mktemp)
trap 'rm -f "$list"' EXIT
pg_restore --list "$copy/waybill.dump" | grep -v ' EXTENSION ' > "$list"
pg_restore --exit-on-error --single-transaction --no-owner --use-list="$list" --dbname="$url" "$copy/waybill.dump"
echo "Restored $copy."
