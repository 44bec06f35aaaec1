/** An origin or destination. */
export interface Place {
  address: string;
  city: string;
  state: string;
  zip: string;
  contact_name: string;
  contact_phone: string;
  lat: number;
  lng: number;
}

const place = (
  [address, city, state, zip]: [string, string, string, string],
  [contact_name, contact_phone]: [string, string],
  [lat, lng]: [number, number],
): Place => ({ address, city, state, zip, contact_name, contact_phone, lat, lng });

const seattle = place(
  ['1420 Harbor Avenue SW', 'Seattle', 'WA', '98126'],
  ['Mara Lindqvist', '+1 206 555 0142'],
  [47.5912, -122.3838],
);
const portland = place(
  ['5555 N Channel Avenue', 'Portland', 'OR', '97217'],
  ['Tom Becker', '+1 503 555 0117'],
  [45.566, -122.7205],
);
const losAngeles = place(
  ['1300 E 8th Street', 'Los Angeles', 'CA', '90021'],
  ['Priya Raman', '+1 213 555 0164'],
  [34.0336, -118.2425],
);
const sanDiego = place(
  ['1140 N Harbor Drive', 'San Diego', 'CA', '92101'],
  ['Owen Castillo', '+1 619 555 0119'],
  [32.7196, -117.1745],
);
const houston = place(
  ['1515 E Barbours Cut Boulevard', 'La Porte', 'TX', '77571'],
  ['Ines Duarte', '+1 281 555 0138'],
  [29.6784, -94.999],
);
const dallas = place(
  ['1333 Irving Boulevard', 'Dallas', 'TX', '75207'],
  ['Carl Whitfield', '+1 214 555 0153'],
  [32.783, -96.825],
);
const newark = place(
  ['1210 Corbin Street', 'Elizabeth', 'NJ', '07201'],
  ['Lena Novak', '+1 908 555 0126'],
  [40.6703, -74.1493],
);
const boston = place(['1 Harbor Street', 'Boston', 'MA', '02210'], ['Sam Okafor', '+1 617 555 0171'], [42.344, -71.03]);

export type Lane = [origin: Place, ...via: Pick<Place, 'lat' | 'lng'>[], destination: Place];

/** Routes within a day's drive. Straight lines between their points are on land. */
export const lanes: [Lane, ...Lane[]] = [
  [seattle, { lat: 47.31, lng: -122.23 }, { lat: 46.98, lng: -122.85 }, portland],
  [losAngeles, { lat: 33.88, lng: -117.57 }, { lat: 33.49, lng: -117.15 }, { lat: 32.85, lng: -117.1 }, sanDiego],
  [houston, dallas],
  [
    boston,
    { lat: 42.1, lng: -72.06 },
    { lat: 41.76, lng: -72.69 },
    { lat: 41.4, lng: -73.45 },
    { lat: 41.1, lng: -74.16 },
    newark,
  ],
];
