import { createClient } from '@waybill/client';

// Reads WAYBILL_API_KEY and WAYBILL_URL.
const client = createClient();

async function main() {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const shipment = await client.createShipment({
    type: 'freight',
    origin: {
      address: '9 Quarry Road',
      city: 'Tacoma',
      state: 'WA',
      zip: '98402',
    },
    destination: {
      address: '310 Mill Lane',
      city: 'Portland',
      state: 'OR',
      zip: '97209',
    },
    pickup_window: {
      start: `${tomorrow}T08:00:00-08:00`,
      end: `${tomorrow}T12:00:00-08:00`,
    },
  });
  console.log(`${shipment.tracking_number} is ${shipment.status}`);
}

main();
