pg_basebackup --dbname="$DATABASE_URL" --pgdata=/var/backups/waybill/base --checkpoint=fast
