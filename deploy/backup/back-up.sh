umask 077
mkdir -p /var/backups/waybill/files
pg_dump --format=custom --file=/var/backups/waybill/waybill.dump "$DATABASE_URL"
cp -a /var/lib/waybill/files/. /var/backups/waybill/files/
