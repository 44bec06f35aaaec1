mkdir -p /var/lib/waybill/files
cp -a /var/backups/waybill/files/. /var/lib/waybill/files/
pg_restore --exit-on-error --no-owner --dbname="$DATABASE_URL" /var/backups/waybill/waybill.dump
psql "$DATABASE_URL" --quiet --output=/dev/null \
  --command="select setval('tracking_sequence', last_value + 1000000) from tracking_sequence"
