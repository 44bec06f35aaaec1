mkdir -p /var/lib/waybill/files
cp -a /var/backups/waybill/files/. /var/lib/waybill/files/
pg_restore --exit-on-error --no-owner --dbname="$DATABASE_URL" /var/backups/waybill/waybill.dump
