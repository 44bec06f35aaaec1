"""Creates a shipment and waits for its event. It reads WAYBILL_API_KEY and WAYBILL_URL."""

from waybill import (
    AddressRequest,
    KnownEventType,
    KnownShipmentType,
    PickupWindowRequest,
    ShipmentCreatedEvent,
    ShipmentRequest,
    Waybill,
)

client = Waybill()
shipment = client.create_shipment(
    ShipmentRequest(
        type_=KnownShipmentType.FREIGHT,
        origin=AddressRequest(address="9 Quarry Road", city="Tacoma", state="WA", zip="98402"),
        destination=AddressRequest(address="310 Mill Lane", city="Portland", state="OR", zip="97209"),
        pickup_window=PickupWindowRequest(start="2030-03-02T08:00:00-08:00", end="2030-03-02T12:00:00-08:00"),
    )
)
print(shipment.tracking_number, shipment.status)

for event in client.follow_events(types=[KnownEventType.SHIPMENT_CREATED]):
    if isinstance(event, ShipmentCreatedEvent) and event.data.shipment.id == shipment.id:
        print(event.type_, event.created_at)
        break
