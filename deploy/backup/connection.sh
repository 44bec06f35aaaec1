# For the other scripts. Sets `url` to DATABASE_URL without its password, and PGPASSWORD to that: other users of the machine can
# read the command line of a program, and not its environment. What only the service knows is replaced: PostgreSQL's programs encrypt
# without a check of the certificate by sslmode=require.
password=$(printf %s "$DATABASE_URL" | sed -nE -e 's/.*[?&]password=([^&#]*).*/\1/p' -e t \
  -e 's/^[^:]*:\/\/[^:@/?]*:([^/?]*)@.*/\1/p')
url=$(printf %s "$DATABASE_URL" | sed -E -e 's/([?&])password=[^&#]*&?/\1/; s/([?&])uselibpqcompat=[^&#]*&?/\1/; s/[?&]$//' \
  -e 's/([?&]sslmode=)no-verify/\1require/; s/^([^:]*:\/\/[^:@/?]*):[^/?]*@/\1@/')
if [ -n "$password" ]; then
  PGPASSWORD=$(printf %s "$password" | LC_ALL=C awk '
    function digit(character) { return index("0123456789abcdef", tolower(character)) - 1 }
    {
      while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        printf "%s%c", substr($0, 1, RSTART - 1), 16 * digit(substr($0, RSTART + 1, 1)) + digit(substr($0, RSTART + 2, 1))
        $0 = substr($0, RSTART + 3)
      }
      print
    }')
  export PGPASSWORD
fi

# pg_dump and pg_restore change the settings of their session, which a pooler then gives to others. Only PostgreSQL itself takes options.
direct=$(PGOPTIONS='-c waybill.is_direct=yes' \
  psql --no-psqlrc --tuples-only --no-align --command="select current_setting('waybill.is_direct', true)" "$url" 2>&1) || true
case $direct in
  *yes) ;;
  '' | *'startup parameter'*)
    echo "DATABASE_URL names a connection pooler such as PgBouncer. Set it to the URL of PostgreSQL itself, such as EVENT_LISTEN_URL." >&2
    exit 1
    ;;
  *)
    echo "$direct" >&2
    exit 1
    ;;
esac
