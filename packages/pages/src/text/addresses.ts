/** How an address is shown, on all pages: as the post of its country writes it. */
import type { components } from '@waybill/contract/types';
import { formatAddress, type Address as PostalAddress } from 'localized-address-format';

type Address = components['schemas']['Address'];
type City = Pick<Address, 'city' | 'state' | 'country'>;

/** Scripts in which an address is written from the country to the house, and without spaces. */
const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

const scriptOf = (text: string): 'local' | 'latin' => (eastAsian.test(text) ? 'local' : 'latin');

/** Whether addresses of a country have a part. */
const has = (country: string, part: 'administrativeArea' | 'locality', script: 'local' | 'latin'): boolean =>
  formatAddress({ postalCountry: country, [part]: '?' }, script).some((line) => line.includes('?'));

/** What the format of a country has before the postal code, such as "CH-". */
const zipPrefix = (country: string): string =>
  formatAddress({ postalCountry: country, postalCode: '?' }, 'local').join('').split('?')[0] ?? '';

/** Such as "Portland, OR", "Hamburg", or "广东省广州市". */
export function cityText({ city, state, country = 'US' }: City): string {
  const script = scriptOf(city);
  if (!state || isRepeated(state, city, country) || !has(country, 'administrativeArea', script)) return city;
  return script === 'latin' ? `${city}, ${state}` : `${state}${country === 'KR' ? ' ' : ''}${city}`;
}

/** The company of an address and its city. */
export const siteText = (address: City & Pick<Address, 'company'>): string =>
  [address.company, cityText(address)].filter(Boolean).join(', ');

/**
 * The lines of an address, with the name of its country if it has one and the language is given.
 * @param options the locale of the reader, and whether the contact belongs to the address
 */
export function addressLines(
  address: Address,
  { locale, isWithContact = false }: { locale?: string; isWithContact?: boolean } = {},
): string[] {
  const { company, contact_name: name, address: street, address_2, city, state, zip, country = 'US' } = address;
  const script = scriptOf(`${street}${city}`);
  const streets = [street, address_2].filter(Boolean).join('\n');
  const postal: PostalAddress = { postalCountry: country, locality: city, addressLines: [streets] };
  if (state && !isRepeated(state, city, country)) postal.administrativeArea = state;
  if (company) postal.organization = company;
  if (isWithContact && name) postal.name = name;
  const prefix = zipPrefix(country);
  if (zip && !city.includes(zip)) postal.postalCode = prefix && zip.startsWith(prefix) ? zip.slice(prefix.length) : zip;
  if (!has(country, 'locality', script)) Object.assign(postal, withoutLocality(postal, city, script));
  const lines = formatAddress(postal, script).flatMap((line) => line.split('\n'));
  // No country leaves out what the sender has written of these.
  const missing = [city, zip ?? ''].filter((text) => !lines.some((line) => normal(line).includes(normal(text))));
  const countryName = locale && address.country && nameOfCountry(address.country, locale);
  return [...lines, ...missing, countryName ?? ''].filter((line) => line !== '');
}

/** Where the format has no city, it stands for the region, or is a part of the street. */
function withoutLocality(
  { administrativeArea, addressLines: [streets = ''] = [], postalCountry = '' }: PostalAddress,
  city: string,
  script: 'local' | 'latin',
): PostalAddress {
  if (!administrativeArea && has(postalCountry, 'administrativeArea', script)) return { administrativeArea: city };
  if (!administrativeArea) return {};
  return { addressLines: [script === 'latin' ? `${streets}\n${city}` : `${city}${streets}`] };
}

/** Whether a region is its city, as Berlin. In the US, "New York, New York" is not. */
const isRepeated = (state: string, city: string, country: string): boolean =>
  country !== 'US' && normal(state) === normal(city);

const normal = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

const nameOfCountry = (code: string, locale: string): string | undefined =>
  new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code) ?? code;
