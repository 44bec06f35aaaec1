TOMORROW=$(TZ=UTC-24 date +%F)
curl "$WAYBILL_URL/shipments" \
  -H "Authorization: Bearer $WAYBILL_API_KEY" \
  -H 'Idempotency-Key: quickstart-1' \
  -H 'Content-Type: application/json' \
  -d '{
    "type": "freight",
    "origin": {"address": "9 Quarry Road", "city": "Tacoma", "state": "WA", "zip": "98402"},
    "destination": {"address": "310 Mill Lane", "city": "Portland", "state": "OR", "zip": "97209"},
    "pickup_window": {"start": "'$TOMORROW'T08:00:00-08:00", "end": "'$TOMORROW'T12:00:00-08:00"}
  }'
