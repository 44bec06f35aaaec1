-- What such a database held after the migration 0002-complete, besides.

update api_keys set last_used_at = '2026-03-11T07:00Z' where key_id = 'upgraded000A';

insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                       pickup_end, notes, updated_at, reference, cancellation_reason)
select account_id, ('019ca869-5000-7000-8000-000000000006')::uuid, 'FRT-2026-000006', 'cancelled', 2, type, origin, destination,
       pickup_start, pickup_end, null, '2026-03-11T12:00Z', 'PO-6', 'Ordered twice.'
from shipments where tracking_number = 'FRT-2026-000001';
insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description) values
  ('01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000006', 1, 'scheduled', '2026-03-01T08:00Z', 'Shipment created'),
  ('01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000006', 2, 'cancelled', '2026-03-11T12:00Z', 'Shipment cancelled');
update shipments set reference = 'PO-1' where tracking_number = 'FRT-2026-000001';
select setval('tracking_sequence', 6);

-- Young enough not to be cleaned up.
insert into positions (account_id, shipment_id, updated_at, lat, lng, address)
select '01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000004', now() - make_interval(days => 3 - n), n, -n, 'Mile ' || n
from generate_series(1, 3) n;

-- The stored response of a cancellation of the delivered shipment.
insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at) values
  ('01990000-0000-7000-8000-00000000000a', 'cancel-5',
   sha256(convert_to(E'cancelShipment\n{"shipment_id":"ship_01kjm6jm00e008000000000005"}\n{"reason":"Ordered twice."}', 'UTF8')),
   409, '{}',
   '{"code": "invalid_transition", "detail": "Stored.", "members": {"current_status": "delivered", "allowed": []}}', now());
