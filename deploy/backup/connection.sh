# For the other scripts. Sets `url` to DATABASE_URL without its password, and PGPASSWORD to that: other users of the machine can
# read the command line of a program, and not its environment.
password=$(printf %s "$DATABASE_URL" | sed -nE -e 's/.*[?&]password=([^&#]*).*/\1/p' -e t \
  -e 's/^[^:]*:\/\/[^:@/?]*:([^/?]*)@.*/\1/p')
url=$(printf %s "$DATABASE_URL" | sed -E 's/([?&])password=[^&#]*&?/\1/; s/^([^:]*:\/\/[^:@/?]*):[^/?]*@/\1@/')
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
