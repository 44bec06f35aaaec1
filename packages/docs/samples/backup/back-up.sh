pg_dump --format=custom --file=/var/backups/waybill/waybill.dump "$DATABASE_URL"
mkdir -p /var/backups/waybill/files
cp -a /var/lib/waybill/files/. /var/backups/waybill/files/
