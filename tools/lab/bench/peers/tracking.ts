interface Shipment {
  tracking_number: string;
  status: string;
  eta: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  updated_at: Date | null;
}

/** The body of a response with the tracking status. */
export function trackingFrom(row: Shipment, timeline: { timestamp: string | Date }[]): object {
  const { tracking_number, status, eta, lat, lng, address, updated_at } = row;
  return {
    tracking_number,
    status,
    eta,
    current_location: lat === null ? null : { lat, lng, address, updated_at },
    timeline: timeline.map((entry) => ({ ...entry, timestamp: new Date(entry.timestamp) })),
  };
}
