curl http://localhost:3000/v1/shipments -H "Authorization: Bearer $WAYBILL_API_KEY"
