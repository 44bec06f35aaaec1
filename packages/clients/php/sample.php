<?php

// Creates a shipment and waits for its event. `npx -y pnpm@12 start` prints a key for WAYBILL_API_KEY.

declare(strict_types=1);

use Waybill\{AddressRequest, KnownEventType, KnownShipmentType, PickupWindowRequest, ShipmentCreatedEvent, ShipmentRequest, Waybill};

require_once 'src/Waybill.php';

$client = new Waybill();
$shipment = $client->createShipment(new ShipmentRequest(
    type: KnownShipmentType::Freight,
    origin: new AddressRequest(address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402'),
    destination: new AddressRequest(address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209'),
    pickupWindow: new PickupWindowRequest(start: '2030-03-02T08:00:00-08:00', end: '2030-03-02T12:00:00-08:00'),
));
echo "{$shipment->trackingNumber} is {$client->getShipment($shipment->id)->status}\n";

foreach ($client->followEvents(types: [KnownEventType::ShipmentCreated]) as $event) {
    if ($event instanceof ShipmentCreatedEvent && $event->data->shipment->id === $shipment->id) {
        echo "{$event->type} {$event->createdAt}\n";
        break;
    }
}
