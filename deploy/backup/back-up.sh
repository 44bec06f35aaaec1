#!/bin/sh
# Copies the database and the files to a folder of their own, such as /var/backups/waybill/2026-03-02T031500Z, and then
# removes copies that are older than KEEP_DAYS. A copy has its name when it is complete and readable. Needs pg_dump, psql and rsync.
set -eu
usage() { echo "Usage: back-up.sh" && sed -n '2,/^set/s/^# //p' "$0"; }
case ${1-} in
  -h | --help) usage && exit ;;
  ?*) usage >&2 && exit 2 ;;
esac
umask 077
. "$(dirname "$0")/connection.sh"
backups=${BACKUP_DIR:-/var/backups/waybill}
files=${FILES_DIR-/var/lib/waybill/files} # set FILES_DIR= when the files are in S3
days=${KEEP_DAYS:-14}

name=$(date -u +%Y-%m-%dT%H%M%SZ)
draft=$backups/$name.incomplete
mkdir -p "$backups"
previous=$(find "$backups" -mindepth 1 -maxdepth 1 -name '20*Z' | sort | tail -n 1)
mkdir "$draft"
trap 'rm -rf "$draft"' EXIT

pg_dump --format=custom --file="$draft/waybill.dump" "$url"
pg_restore --list "$draft/waybill.dump" > /dev/null
if [ -d "$files" ]; then
  # Files never change: those of the previous copy are linked, and take no space.
  rsync --archive ${previous:+--link-dest="$previous/files"} "$files/" "$draft/files/"
elif [ -n "$files" ]; then
  echo "There are no files: $files does not exist." >&2
fi
sync
mv "$draft" "$backups/$name"
find "$backups" -mindepth 1 -maxdepth 1 -name '20*' -mtime "+$days" -exec rm -r {} +
echo "Made $backups/$name."
