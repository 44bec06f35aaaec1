/** An origin or destination. */
export interface Place {
  address: string;
  city: string;
  state: string;
  zip: string;
  lat: number;
  lng: number;
}

const place = (address: string, city: string, state: string, zip: string, lat: number, lng: number): Place => {
  return { address, city, state, zip, lat, lng };
};

const seattle = place('1420 Harbor Avenue SW', 'Seattle', 'WA', '98126', 47.5912, -122.3838);
const portland = place('5555 N Channel Avenue', 'Portland', 'OR', '97217', 45.566, -122.7205);
const spokane = place('3030 E Trent Avenue', 'Spokane', 'WA', '99202', 47.6646, -117.3674);
const oakland = place('2000 Maritime Street', 'Oakland', 'CA', '94607', 37.8096, -122.3116);
const sacramento = place('8670 Younger Creek Drive', 'Sacramento', 'CA', '95828', 38.515, -121.3865);
const losAngeles = place('1300 E 8th Street', 'Los Angeles', 'CA', '90021', 34.0336, -118.2425);
const sanDiego = place('1140 N Harbor Drive', 'San Diego', 'CA', '92101', 32.7196, -117.1745);
const phoenix = place('2425 S 47th Avenue', 'Phoenix', 'AZ', '85043', 33.4246, -112.162);
const tucson = place('3755 E 34th Street', 'Tucson', 'AZ', '85713', 32.1895, -110.9127);
const dallas = place('1333 Irving Boulevard', 'Dallas', 'TX', '75207', 32.783, -96.825);
const austin = place('2201 E Saint Elmo Road', 'Austin', 'TX', '78744', 30.2135, -97.7465);
const houston = place('1515 E Barbours Cut Boulevard', 'La Porte', 'TX', '77571', 29.6784, -94.999);
const chicago = place('3301 S California Avenue', 'Chicago', 'IL', '60608', 41.8344, -87.6955);
const milwaukee = place('1225 S Carferry Drive', 'Milwaukee', 'WI', '53207', 43.0165, -87.8905);
const indianapolis = place('1500 S Senate Avenue', 'Indianapolis', 'IN', '46225', 39.7447, -86.1665);
const atlanta = place('1200 Marietta Boulevard NW', 'Atlanta', 'GA', '30318', 33.7895, -84.4345);
const chattanooga = place('1001 Riverfront Parkway', 'Chattanooga', 'TN', '37402', 35.0464, -85.32);
const newark = place('1210 Corbin Street', 'Elizabeth', 'NJ', '07201', 40.6703, -74.1493);
const philadelphia = place('3400 S Lawrence Street', 'Philadelphia', 'PA', '19148', 39.9056, -75.152);
const boston = place('1 Harbor Street', 'Boston', 'MA', '02210', 42.344, -71.03);

/** Pairs of places within a day's drive. */
export const lanes: readonly [readonly [Place, Place], ...(readonly [Place, Place])[]] = [
  [seattle, portland],
  [spokane, seattle],
  [oakland, sacramento],
  [losAngeles, sanDiego],
  [phoenix, tucson],
  [dallas, austin],
  [houston, dallas],
  [milwaukee, chicago],
  [chicago, indianapolis],
  [chattanooga, atlanta],
  [newark, philadelphia],
  [boston, newark],
];
