-- What such a database held after the migration 0003-position-days, besides.

-- The route of a second shipment begins in the partition of its day.
insert into positions (account_id, shipment_id, updated_at, lat, lng, address)
select '01990000-0000-7000-8000-00000000000a', '019ca869-5000-7000-8000-000000000003', now() - interval '1 hour', 1, 1, 'Depot';
update shipments set route_since = now() - interval '1 hour' where id = '019ca869-5000-7000-8000-000000000003';
