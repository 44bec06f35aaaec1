#!/bin/sh
# Makes a base backup such as /var/backups/waybill/base-2026-03-02T031500Z. Then removes those that are older than KEEP_DAYS,
# and the archived WAL that the remaining ones do not need.
set -eu
usage() { echo "Usage: base-backup.sh" && sed -n '2,/^set/s/^# //p' "$0"; }
case ${1-} in
  -h | --help) usage && exit ;;
  ?*) usage >&2 && exit 2 ;;
esac
umask 077
. "$(dirname "$0")/connection.sh"
backups=${BACKUP_DIR:-/var/backups/waybill}
days=${KEEP_DAYS:-14}

name=base-$(date -u +%Y-%m-%dT%H%M%SZ)
draft=$backups/$name.incomplete
trap 'rm -rf "$draft"' EXIT
pg_basebackup --dbname="$url" --pgdata="$draft" --checkpoint=fast
pg_verifybackup --quiet "$draft"
sync
mv "$draft" "$backups/$name"

find "$backups" -mindepth 1 -maxdepth 1 -name 'base-20*' -mtime "+$days" -exec rm -r {} +
oldest=$(find "$backups" -mindepth 1 -maxdepth 1 -name 'base-20*Z' | sort | head -n 1)
first=$(sed -nE 's/^START WAL LOCATION: .*\(file (.*)\)$/\1/p' "$oldest/backup_label")
pg_archivecleanup "$backups/wal" "$first"
echo "Made $backups/$name."
