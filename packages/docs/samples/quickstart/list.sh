curl "$WAYBILL_URL/shipments" -H "Authorization: Bearer $WAYBILL_API_KEY"
