<?php

// Start the service with `npx -y pnpm@12 start`, which prints a key, then: WAYBILL_API_KEY=… php sample.php

declare(strict_types=1);

require __DIR__ . '/src/Waybill.php';

use Waybill\{AddressRequest, ApiError, KnownShipmentType, PickupWindowRequest, ShipmentCreatedEvent, ShipmentRequest};
use Waybill\{Waybill, WebhookVerificationError};
use function Waybill\verifyWebhook;

$waybill = new Waybill(); // WAYBILL_API_KEY, and WAYBILL_URL: default http://localhost:3000/v1

// Create and read a shipment
$shipment = $waybill->createShipment(new ShipmentRequest(
    type: KnownShipmentType::Freight,
    origin: new AddressRequest(address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402'),
    destination: new AddressRequest(address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209'),
    pickupWindow: new PickupWindowRequest(
        start: (new DateTime('tomorrow 08:00'))->format(DATE_ATOM),
        end: (new DateTime('tomorrow 12:00'))->format(DATE_ATOM),
    ),
));
echo "{$shipment->trackingNumber} is {$waybill->getShipment($shipment->id)->status}\n";

foreach ($waybill->listShipmentsItems(limit: 100) as $each) { // of all pages
    echo "{$each->trackingNumber} goes to {$each->destination->city}\n";
}

// Handle errors
try {
    $waybill->getProofOfDelivery($shipment->trackingNumber);
} catch (ApiError $error) {
    if (($error->body['code'] ?? null) !== 'not_delivered') {
        throw $error;
    }
    echo "Not delivered yet. Status: {$error->body['current_status']}\n";
}

// Follow events
foreach ($waybill->followEvents(after: null) as $event) { // null, or the id of the last event that you processed
    if ($event instanceof ShipmentCreatedEvent) {
        echo "{$event->id}: {$event->data->shipment->trackingNumber} was created\n";
        if ($event->data->shipment->id === $shipment->id) {
            break;
        }
    } elseif (is_array($event)) {
        echo "{$event['id']} has a type that this version does not know: {$event['type']}\n";
    }
}

// Verify a webhook. It returns the status of the response.
function receive(string $body, array $headers, string $secret): int
{
    try {
        $event = verifyWebhook($body, $headers, $secret);
    } catch (WebhookVerificationError) {
        return 400;
    }
    echo is_array($event) ? $event['id'] : $event->id, " arrived\n";
    return 204;
}

// In an endpoint: receive(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'))
echo receive('{}', [], 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), " for what Waybill did not sign\n";
