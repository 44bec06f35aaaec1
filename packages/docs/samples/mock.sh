curl http://localhost:4010/v1/shipments \
  -H 'Authorization: Bearer wbk_mock' -H 'Prefer: example=ShipmentListEmpty'
curl http://localhost:4010/v1/tracking/FRT-2026-000142 \
  -H 'Authorization: Bearer wbk_mock' -H 'Prefer: code=200, example=TrackingDelivered'
