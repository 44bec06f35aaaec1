cp -a /var/backups/waybill/base "$PGDATA"
echo "restore_command = 'cp /var/backups/waybill/wal/%f %p'" >> "$PGDATA/postgresql.auto.conf"
echo "recovery_target_action = promote" >> "$PGDATA/postgresql.auto.conf"
touch "$PGDATA/recovery.signal"
